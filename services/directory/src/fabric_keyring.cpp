#include "perigee/directory/fabric_keyring.hpp"

#include <algorithm>

#include "perigee/base/assert.hpp"

namespace perigee::directory {

FabricKeyring::FabricKeyring(Needs needs, const FabricKeySettings& settings,
                             const FabricEpochs& saved)
    : needs_(needs), settings_(settings), epochs_(saved) {
  for (const GatewayEntry& each : needs_.map.gateways) {
    holder(MemberKind::Gateway, each.slot.number).run = each.run;
  }
  for (const WorkerEntry& each : needs_.map.workers) {
    holder(MemberKind::Worker, each.slot.number).run = each.run;
  }
}

FabricKeyring::Holder& FabricKeyring::holder(MemberKind kind, std::uint32_t slot) {
  auto& all = holders(kind);
  if (slot >= all.size()) all.resize(slot + std::size_t{1});
  return all[slot];
}

bool FabricKeyring::wants_key(Micros now_us) const {
  if (!newest_) return true;
  return step_ == Step::Settled && (ordered_ || now_us - added_us_ >= settings_.key_us);
}

void FabricKeyring::add_key(Micros now_us, const FabricKeyBytes& bytes) {
  PERIGEE_ASSERT(wants_key(now_us), "a key is added when one is due");
  former_epoch_ = epochs_.send;
  former_ = newest_;
  newest_ = FabricKey{.epoch = ++epochs_.newest, .sealing = settings_.sealing};
  if (settings_.sealing != FabricSealing::Plain) newest_->bytes = bytes;
  added_us_ = now_us;
  ordered_ = false;
  if (epochs_.send == 0) epochs_.send = epochs_.newest;  // the first key of a cluster
  begin(epochs_.send == epochs_.newest ? Step::Settled : Step::Announced, now_us);
}

Result<Ok> FabricKeyring::order_change() {
  if (changing() || ordered_) {
    return Error{"the keys of the fabric are being changed already; try again in a few seconds"};
  }
  ordered_ = true;
  return Ok{};
}

void FabricKeyring::note_registered(MemberKind kind, std::uint32_t slot, std::uint64_t run) {
  Holder& process = holder(kind, slot);
  if (process.run != run) process = {.run = run};
}

void FabricKeyring::note_confirmed(MemberKind kind, std::uint32_t slot, std::uint32_t deal) {
  holder(kind, slot).deal = deal;
}

/// Members without a run do not seal, so no change waits for them.
bool FabricKeyring::all_confirmed() const {
  const auto all = [&](MemberKind kind, const auto& entries) {
    const auto& known = holders_[static_cast<std::size_t>(kind)];
    return std::ranges::all_of(entries, [&](const auto& entry) {
      const std::size_t slot = entry.slot.index();
      return !entry.alive || entry.run == 0 ||
             (slot < known.size() && known[slot].deal == epochs_.deal);
    });
  };
  return all(MemberKind::Gateway, needs_.map.gateways) &&
         all(MemberKind::Worker, needs_.map.workers);
}

void FabricKeyring::begin(Step step, Micros now_us) {
  step_ = step;
  began_us_ = now_us;
  agreed_us_.reset();
  ++epochs_.deal;
}

void FabricKeyring::advance(Micros now_us) {
  if (step_ == Step::Settled) return;
  const bool impatient = now_us - began_us_ >= patience_us;
  if (step_ == Step::Announced) {
    if (!all_confirmed() && !impatient) return;
    epochs_.send = epochs_.newest;
    return begin(Step::Switched, now_us);
  }
  if (!agreed_us_ && (all_confirmed() || impatient)) agreed_us_ = now_us;
  if (!agreed_us_ || now_us - *agreed_us_ < settle_us) return;
  former_.reset();
  ++changes_;
  begin(Step::Settled, now_us);
}

FabricKeys FabricKeyring::dealt() const {
  FabricKeys out{.cluster_id = needs_.map.cluster_id, .send = epochs_.send};
  if (!newest_) return out;
  out.deal = epochs_.deal;
  out.oldest = changing() ? former_epoch_ : epochs_.newest;
  if (former_) out.keys.push_back(*former_);
  out.keys.push_back(*newest_);
  return out;
}

}  // namespace perigee::directory
