#include "perigee/fabric_seal/seal.hpp"

#include <sodium.h>

#include <algorithm>
#include <cstring>

#include "cipher.hpp"
#include "derive.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/base/walk.hpp"
#include "perigee/fabric_seal/replay_window.hpp"

namespace perigee::fabric_seal {
namespace {

static_assert(fabric_seal_bytes == sealed_header_bytes - fabric_header_bytes + tag_bytes);

constexpr int number_bits = 48;

/// The header of a sealed datagram. It stays readable, and the tag covers it.
struct SealedHeader {
  std::uint32_t cluster_id = 0;
  FabricSender kind = FabricSender::Gateway;
  std::uint16_t slot = 0;
  std::uint64_t number = 0;     ///< of 48 bits
  std::uint16_t low_epoch = 0;  ///< low bits of the key epoch
};

template <class Cursor, class Header>
bool walk_sealed(Cursor& cursor, Header& header) {
  auto low = static_cast<std::uint32_t>(header.number);
  auto high = static_cast<std::uint16_t>(header.number >> 32);
  const bool ok = walk_constant(cursor, fabric_sealed_magic) &&
                  walk_constant(cursor, fabric_version) && cursor.number(header.cluster_id) &&
                  cursor.enumerator(header.kind, FabricSender::last) &&
                  cursor.number(header.slot) && cursor.number(low) && cursor.number(high) &&
                  cursor.number(header.low_epoch);
  if constexpr (Cursor::reading) header.number = std::uint64_t{high} << 32 | low;
  return ok;
}

bool begins_with(std::span<const std::byte> datagram, std::uint16_t magic) {
  return datagram.size() >= sizeof magic && std::memcmp(datagram.data(), &magic, sizeof magic) == 0;
}

std::uint16_t low_bits(std::uint32_t epoch) { return static_cast<std::uint16_t>(epoch); }

}  // namespace

Result<Ok> init_crypto() {
  if (sodium_init() < 0) {
    return Error{"libsodium could not start: this machine has no source of random numbers"};
  }
  return Ok{};
}

/// Another gateway or worker. The numbers of datagrams to it go on when its process is replaced;
/// those from it start anew with each process.
struct Seal::Peer {
  struct Keyed {
    std::uint32_t epoch = 0;
    Cipher cipher;
  };

  End end;
  Address fabric;
  bool alive = false;
  std::uint64_t sent = 0;
  ReplayWindow received;
  std::optional<Keyed> sealing;
  std::vector<Keyed> opening;

  void forget_ciphers() {
    sealing.reset();
    opening.clear();
  }
  Cipher& cipher_to(const FabricKey& key, std::uint32_t cluster_id, const End& self) {
    if (!sealing || sealing->epoch != key.epoch) {
      const FabricKeyBytes derived = derive(key, cluster_id, self, end);
      sealing.emplace(key.epoch, Cipher(Direction::Seals, key.sealing, derived));
    }
    return sealing->cipher;
  }
  Cipher& cipher_from(const FabricKey& key, std::uint32_t cluster_id, const End& self) {
    for (Keyed& each : opening) {
      if (each.epoch == key.epoch) return each.cipher;
    }
    const FabricKeyBytes derived = derive(key, cluster_id, end, self);
    opening.emplace_back(key.epoch, Cipher(Direction::Opens, key.sealing, derived));
    return opening.back().cipher;
  }
};

Seal::Seal(FabricSender kind, std::uint64_t run, PlainEpochs plain)
    : kind_(kind), run_(run), plain_(plain) {
  PERIGEE_ASSERT(run != 0, "a process draws its run before it registers");
}
Seal::~Seal() {
  for (FabricKey& key : keys_) sodium_memzero(key.bytes.data(), key.bytes.size());
}

void Seal::identify(std::uint16_t slot) {
  if (slot_ == slot) return;
  slot_ = slot;
  forget_ciphers();
}

void Seal::on_map(const ClusterMap& map) {
  if (map.cluster_id != cluster_id_) forget_ciphers();
  cluster_id_ = map.cluster_id;
  for (const Peers& peers : peers_) {
    for (const auto& each : peers) {
      if (each) each->alive = false, each->fabric = {};
    }
  }
  for (const GatewayEntry& each : map.gateways) {
    note(FabricSender::Gateway, each.slot.number, each.fabric, each.alive, each.run);
  }
  for (const WorkerEntry& each : map.workers) {
    note(FabricSender::Worker, each.slot.number, each.fabric, each.alive, each.run);
  }
  by_address_.clear();
  for (const bool alive : {true, false}) {  // a living member goes before a dead one at its address
    for (const Peers& peers : peers_) {
      for (const auto& each : peers) {
        if (each && each->alive == alive && each->fabric.valid()) {
          by_address_.emplace(each->fabric, each.get());
        }
      }
    }
  }
}

void Seal::note(FabricSender kind, std::uint16_t slot, const Address& fabric, bool alive,
                std::uint64_t run) {
  if (run == 0 || slot >= std::max(workers_max, gateways_max)) return;
  Peers& peers = peers_[static_cast<std::size_t>(kind)];
  if (slot >= peers.size()) peers.resize(slot + std::size_t{1});
  if (!peers[slot]) peers[slot] = std::make_unique<Peer>();
  Peer& peer = *peers[slot];
  peer.fabric = fabric;
  peer.alive = alive;
  if (peer.end.run == run) return;
  peer.end = {kind, slot, run};
  peer.received = {};
  peer.forget_ciphers();
}

void Seal::on_keys(const FabricKeys& keys) {
  if (keys.cluster_id != keys_cluster_) {
    keys_.clear();
    send_ = 0;
    keys_cluster_ = keys.cluster_id;
  }
  deal_ = keys.deal;
  const auto dealt = [&](std::uint32_t epoch) {
    return std::ranges::find(keys.keys, epoch, &FabricKey::epoch) != keys.keys.end();
  };
  std::erase_if(keys_,
                [&](const FabricKey& key) { return key.epoch < keys.oldest || dealt(key.epoch); });
  keys_.insert(keys_.end(), keys.keys.begin(), keys.keys.end());
  if (plain_ == PlainEpochs::Refused) {
    refused_plain_ = std::erase_if(keys_, [](const FabricKey& key) {
                       return key.sealing == FabricSealing::Plain;
                     }) > 0;
  }
  std::ranges::sort(keys_, {}, &FabricKey::epoch);
  // A directory that began to lead does not know the key in use: then the last one stays in use.
  if (held(keys.send) != nullptr) send_ = keys.send;
  while (keys_.size() > held_keys_max) {
    const auto needless = std::ranges::find_if(
        keys_, [&](const FabricKey& key) { return key.epoch != send_ && !dealt(key.epoch); });
    keys_.erase(needless == keys_.end() ? keys_.begin() : needless);
  }
  forget_ciphers();
}

void Seal::forget_ciphers() {
  for (const Peers& peers : peers_) {
    for (const auto& each : peers) {
      if (each) each->forget_ciphers();
    }
  }
}

const FabricKey* Seal::held(std::uint32_t epoch) const {
  const auto found = std::ranges::find(keys_, epoch, &FabricKey::epoch);
  return found == keys_.end() ? nullptr : &*found;
}

const FabricKey* Seal::sends_with() const { return slot_ ? held(send_) : nullptr; }

std::string_view Seal::not_ready_because() const {
  if (sends_with() != nullptr) return {};
  if (!refused_plain_) return "the directory has not dealt out the fabric's key yet";
  return "the directory deals out plain epochs, and this process listens beyond loopback: set "
         "directory.fabric_seal to tag there, or --insecure here";
}

const FabricKey* Seal::accepted(std::uint16_t low_epoch) const {
  const auto found = std::ranges::find_if(keys_, [&](const FabricKey& key) {
    return low_bits(key.epoch) == low_epoch && key.sealing != FabricSealing::Plain;
  });
  return found == keys_.end() || !slot_ ? nullptr : &*found;
}

bool Seal::accepts_plain() const {
  return std::ranges::any_of(
      keys_, [](const FabricKey& key) { return key.sealing == FabricSealing::Plain; });
}

Seal::Peer* Seal::peer(FabricSender kind, std::uint16_t slot) const {
  const Peers& peers = peers_[static_cast<std::size_t>(kind)];
  return slot < peers.size() ? peers[slot].get() : nullptr;
}

std::span<const std::byte> Seal::seal(const Address& to, std::span<const std::byte> datagram) {
  PERIGEE_ASSERT(
      datagram.size() >= fabric_header_bytes && datagram.size() <= fabric_plain_bytes_max,
      "a datagram leaves room for its seal");
  const FabricKey* const key = sends_with();
  if (key == nullptr) {
    counts_.add(metric.without_key);
    return {};
  }
  if (key->sealing == FabricSealing::Plain) return datagram;
  const auto receiver = by_address_.find(to);
  if (receiver == by_address_.end()) {
    counts_.add(metric.without_receiver);
    return {};
  }
  Peer& peer = *receiver->second;
  const std::uint64_t number = peer.sent++;
  PERIGEE_ASSERT(number >> number_bits == 0, "a process sends fewer than 2^48 datagrams");
  const SealedHeader header{.cluster_id = cluster_id_,
                            .kind = kind_,
                            .slot = *slot_,
                            .number = number,
                            .low_epoch = low_bits(key->epoch)};
  ByteWriter writer(out_);
  const bool fits = walk_sealed(writer, header);
  PERIGEE_ASSERT(fits && writer.size() == sealed_header_bytes, "the header has these fields");
  const auto records = datagram.subspan(fabric_header_bytes);
  peer.cipher_to(*key, cluster_id_, {kind_, *slot_, run_}).seal(number, records, out_.data());
  counts_.add(metric.sealed);
  return std::span(out_).first(datagram.size() + fabric_seal_bytes);
}

std::optional<std::span<const std::byte>> Seal::open(const Address& from,
                                                     std::span<std::byte> datagram) {
  if (begins_with(datagram, fabric_magic)) {
    if (accepts_plain()) return datagram;
    counts_.add(metric.not_sealed);
    return std::nullopt;
  }
  std::span<const std::byte> opened;
  if (const auto why = refusal(from, datagram, opened)) {
    counts_.add(*why);
    return std::nullopt;
  }
  counts_.add(metric.opened);
  return opened;
}

/// None: it is genuine and new, and `out` is the plain datagram.
std::optional<Count> Seal::refusal(const Address& from, std::span<std::byte> datagram,
                                   std::span<const std::byte>& out) {
  SealedHeader header;
  ByteReader reader(datagram);
  if (datagram.size() > fabric_datagram_bytes_max || !walk_sealed(reader, header) ||
      reader.remaining() < tag_bytes) {
    return metric.malformed;
  }
  if (header.cluster_id != cluster_id_) return metric.other_cluster;
  Peer* const sender = peer(header.kind, header.slot);
  if (sender == nullptr || sender->fabric != from) return metric.unknown_sender;
  const FabricKey* const key = accepted(header.low_epoch);
  if (key == nullptr) return metric.unknown_epoch;
  if (!sender->received.fresh(header.number)) return metric.replayed;
  Cipher& cipher = sender->cipher_from(*key, cluster_id_, {kind_, *slot_, run_});
  if (!cipher.open(header.number, datagram)) return metric.forged;
  sender->received.mark(header.number);
  // The plain datagram has a shorter header, so it begins later.
  const auto plain = datagram.first(datagram.size() - tag_bytes)
                         .subspan(sealed_header_bytes - fabric_header_bytes);
  std::memmove(plain.data(), datagram.data(), fabric_header_bytes);
  std::memcpy(plain.data(), &fabric_magic, sizeof fabric_magic);
  out = plain;
  return std::nullopt;
}

}  // namespace perigee::fabric_seal
