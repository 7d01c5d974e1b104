// A gateway and a worker with sealed fabric, and an attacker between them that sees and sends any
// datagram, while keys change and the gateway is replaced.
#include <memory>

#include "fuzz/fuzz.hpp"
#include "perigee/fabric_seal/seal.hpp"

namespace perigee::fuzz {
namespace {

using fabric_seal::Seal;

enum Step : std::uint8_t { send, repeat, flip, cut, inject, deal, replace, steps };

constexpr std::uint32_t cluster = 5;
constexpr Address gateway_address = Address::v4(10, 0, 0, 1, 30);
constexpr Address worker_address = Address::v4(10, 0, 0, 1, 40);

struct Sent {
  Bytes plain, sealed;
  bool opened = false;
};

class Pair {
 public:
  Pair() : worker_(FabricSender::Worker, 7) {
    PERIGEE_ASSERT(fabric_seal::init_crypto().ok(), "libsodium starts");
    worker_.identify(0);
    deal_next(0);
    replace_gateway();
  }

  void step(Choices& choices) {
    switch (choices.byte() % steps) {
      case send:
        return send_plain(choices.bytes(fabric_plain_bytes_max - fabric_header_bytes));
      case repeat:
        if (!sent_.empty()) arrive(sent_[choices.below(size())].sealed);
        return;
      case flip: {
        if (sent_.empty()) return;
        Bytes bent = sent_[choices.below(size())].sealed;
        bent[choices.below(static_cast<std::uint32_t>(bent.size()))] ^=
            static_cast<std::byte>(choices.byte());
        return arrive(bent);
      }
      case cut: {
        if (sent_.empty()) return;
        Bytes shorter = sent_[choices.below(size())].sealed;
        shorter.resize(choices.below(static_cast<std::uint32_t>(shorter.size() + 1)));
        return arrive(shorter);
      }
      case inject:
        return arrive(bytes_of(choices.bytes()));
      case deal:
        return deal_next(choices.byte());
      case replace:
        return replace_gateway();
      default:
        return;
    }
  }

 private:
  std::uint32_t size() const { return static_cast<std::uint32_t>(sent_.size()); }

  void send_plain(Input records) {
    std::array<std::byte, fabric_datagram_bytes_max> buffer;
    FabricWriter writer(buffer, {cluster, FabricSender::Gateway, 0, number_++});
    Bytes plain = bytes_of(writer.datagram());
    append(plain, records);
    Bytes sealed = bytes_of(gateway_->seal(worker_address, plain));
    PERIGEE_ASSERT(sealed.size() == plain.size() + fabric_seal_bytes, "it has a key");
    sent_.push_back({std::move(plain), std::move(sealed)});
  }
  /// Only what this gateway sealed may pass, as it was, and once.
  void arrive(Bytes datagram) {
    const Bytes before = datagram;
    const auto out = worker_.open(gateway_address, datagram);
    if (!out) return;
    for (Sent& each : sent_) {
      if (each.sealed != before) continue;
      PERIGEE_ASSERT(!each.opened, "no datagram passes twice");
      PERIGEE_ASSERT(bytes_of(*out) == each.plain, "it is as its sender made it");
      each.opened = true;
      return;
    }
    PERIGEE_ASSERT(false, "nothing passes that the present gateway did not seal");
  }
  void deal_next(std::uint8_t choice) {
    FabricKey key{.epoch = ++epoch_,
                  .sealing = choice % 2 == 0 ? FabricSealing::Tag : FabricSealing::Encrypt};
    key.bytes.fill(static_cast<std::byte>(epoch_));
    keys_ = {.cluster_id = cluster, .deal = epoch_, .oldest = epoch_ - choice % 3};
    keys_.send = epoch_;
    keys_.keys.push_back(key);
    worker_.on_keys(keys_);
    if (gateway_) gateway_->on_keys(keys_);
  }
  void replace_gateway() {
    sent_.clear();
    gateway_ = std::make_unique<Seal>(FabricSender::Gateway, ++run_);
    gateway_->identify(0);
    gateway_->on_keys(keys_);
    number_ = 0;
    ClusterMap map{.cluster_id = cluster, .version = run_};
    map.gateways.push_back(
        {.slot = GatewaySlot{0}, .fabric = gateway_address, .alive = true, .run = run_});
    map.workers.push_back(
        {.slot = WorkerSlot{0}, .fabric = worker_address, .alive = true, .run = 7});
    gateway_->on_map(map);
    worker_.on_map(map);
  }

  Seal worker_;
  std::unique_ptr<Seal> gateway_;
  FabricKeys keys_;
  std::uint32_t epoch_ = 0;
  std::uint64_t run_ = 100;
  std::uint32_t number_ = 0;
  std::vector<Sent> sent_;  ///< by the present gateway
};

void run(Input input) {
  Choices choices(input);
  Pair pair;
  for (int step = 0; step < 200 && !choices.empty(); ++step) pair.step(choices);
}

void add_send(Bytes& to, std::string_view records) {
  append(to, std::uint8_t{send});
  append_sized(to, std::as_bytes(std::span(records)));
}

std::vector<Bytes> seeds() {
  Bytes played;
  for (const std::string_view records : {"one", "two", "three"}) add_send(played, records);
  for (const int which : {1, 0, 2, 1}) {
    append(played, std::uint8_t{repeat});
    append(played, static_cast<std::uint16_t>(which));
  }
  append(played, std::uint8_t{flip});
  append(played, std::uint16_t{0});
  append(played, std::uint16_t{20});
  append(played, std::uint8_t{1});
  append(played, std::uint8_t{cut});
  append(played, std::uint16_t{0});
  append(played, std::uint16_t{30});
  Bytes changing;
  for (const int how : {1, 2, 3}) {
    add_send(changing, "before");
    append(changing, std::uint8_t{deal});
    append(changing, static_cast<std::uint8_t>(how));
    append(changing, std::uint8_t{repeat});
    append(changing, std::uint16_t{0});
  }
  append(changing, std::uint8_t{replace});
  add_send(changing, "after");
  append(changing, std::uint8_t{repeat});
  append(changing, std::uint16_t{0});
  Bytes injected{std::byte{inject}};
  append_sized(injected, Bytes(40, std::byte{0x50}));
  return {played, changing, injected};
}

}  // namespace

const Target target{.run = run, .seeds = seeds, .mutations = 2'000};

}  // namespace perigee::fuzz
