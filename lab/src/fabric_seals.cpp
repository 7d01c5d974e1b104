#include "perigee/lab/fabric_seals.hpp"

#include "perigee/base/assert.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::lab {
namespace {

directory::MemberKind member_kind(Party who) {
  return who == the_gateway ? directory::MemberKind::Gateway : directory::MemberKind::Worker;
}
std::uint32_t member_slot(Party who) { return who == the_gateway ? 0 : who; }

}  // namespace

FabricSeals::FabricSeals(Needs needs)
    : needs_(needs), random_(mix64(needs.seed, std::uint64_t{0x5ea1})) {
  const auto crypto = fabric_seal::init_crypto();
  PERIGEE_ASSERT(crypto.ok(), "libsodium must start");
}

std::uint64_t FabricSeals::begin(Party who) {
  add_due_key();
  const FabricSender kind = who == the_gateway ? FabricSender::Gateway : FabricSender::Worker;
  const std::uint64_t run = random_.next() | 1U;
  seals_[who] = std::make_unique<fabric_seal::Seal>(kind, run);
  return run;
}

void FabricSeals::on_registered(Party who, std::uint16_t slot) {
  seals_.at(who)->identify(slot);
  seals_.at(who)->on_keys(needs_.directory.core().fabric_keys());
}

void FabricSeals::on_map(Party who, const ClusterMap& map) { seals_.at(who)->on_map(map); }

void FabricSeals::on_heartbeat(Party who) {
  fabric_seal::Seal& seal = *seals_.at(who);
  directory::Core& core = needs_.directory.core();
  core.confirm_fabric_keys(member_kind(who), member_slot(who), seal.deal());
  const FabricKeys keys = core.fabric_keys();
  if (keys.deal != seal.deal()) seal.on_keys(keys);
}

void FabricSeals::add_due_key() {
  directory::Core& core = needs_.directory.core();
  if (!core.wants_fabric_key(needs_.queue.now_us())) return;
  FabricKeyBytes bytes;
  random_.fill(bytes);
  core.add_fabric_key(needs_.queue.now_us(), bytes);
}

Bytes FabricSeals::seal(Party from, const Address& to, std::span<const std::byte> datagram) {
  return copy_of(seals_.at(from)->seal(to, datagram));
}

std::optional<std::span<const std::byte>> FabricSeals::open(Party at, const Address& from,
                                                            Bytes& datagram) {
  return seals_.at(at)->open(from, datagram);
}

std::uint64_t FabricSeals::lost() const {
  std::uint64_t sum = 0;
  for (const auto& [who, seal] : seals_) {
    const auto& counts = seal->counts();
    sum += counts.sum() - counts[fabric_seal::metric.sealed] - counts[fabric_seal::metric.opened];
  }
  return sum;
}

}  // namespace perigee::lab
