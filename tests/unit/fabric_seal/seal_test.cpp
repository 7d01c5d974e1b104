#include "perigee/fabric_seal/seal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "perigee/base/hash.hpp"

namespace perigee::fabric_seal {
namespace {

using Bytes = std::vector<std::byte>;
using testing::Values;

constexpr std::uint32_t cluster = 0x12345678;

Bytes bytes_of(std::span<const std::byte> view) { return {view.begin(), view.end()}; }

FabricKey key_of(std::uint32_t epoch, FabricSealing sealing) {
  FabricKey key{.epoch = epoch, .sealing = sealing};
  for (std::size_t i = 0; i < key.bytes.size(); ++i) {
    key.bytes[i] = static_cast<std::byte>(epoch + 7 * i);
  }
  return key;
}

/// A process with a fabric socket.
struct Process {
  Process(FabricSender kind, std::uint16_t slot, std::uint64_t run, std::uint16_t port)
      : kind(kind), slot(slot), run(run), address(Address::v4(10, 0, 0, 1, port)), seal(kind, run) {
    seal.identify(slot);
  }
  std::uint64_t refused(Count why) const { return seal.counts()[why]; }

  FabricSender kind;
  std::uint16_t slot;
  std::uint64_t run;
  Address address;
  Seal seal;
};

/// The examples of proto/WIRE.md, section "Sealed datagram". They were made by another
/// implementation: Python's hashlib and cryptography.
constexpr std::array<unsigned char, 37> tagged_example{
    0x50, 0x53, 0x06, 0x78, 0x56, 0x34, 0x12, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x6f, 0x6e, 0x65, 0x1a, 0xd4, 0xb8, 0x67, 0xe4,
    0xad, 0x87, 0xed, 0x5d, 0x83, 0x77, 0x7e, 0x87, 0xc8, 0xe2, 0x0c};
constexpr std::array<unsigned char, 37> encrypted_example{
    0x50, 0x53, 0x06, 0x78, 0x56, 0x34, 0x12, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x7b, 0x01, 0x7b, 0x91, 0x36, 0xf7, 0x12, 0xcc,
    0xa4, 0x8e, 0x93, 0x34, 0x93, 0x9c, 0x5c, 0x4d, 0x0d, 0xbe, 0xfc};

class ASeal : public testing::TestWithParam<FabricSealing> {
 protected:
  ASeal() {
    EXPECT_TRUE(init_crypto());
    deal({.oldest = 1, .send = 1, .keys = {key(1)}});
    publish();
  }

  FabricKey key(std::uint32_t epoch) const { return key_of(epoch, GetParam()); }
  std::vector<Process*> all() { return {&gateway, &worker, &other}; }
  void deal(FabricKeys keys) {
    keys.cluster_id = cluster;
    keys.deal = ++deals;
    for (Process* each : all()) each->seal.on_keys(keys);
  }
  ClusterMap map() {
    ClusterMap map{.cluster_id = cluster, .version = 1};
    map.gateways.push_back(
        {.slot = GatewaySlot{0}, .fabric = gateway.address, .alive = true, .run = gateway.run});
    for (const Process* each : {&worker, &other}) {
      map.workers.push_back({.slot = WorkerSlot{each->slot},
                             .fabric = each->address,
                             .handle_count = 1,
                             .alive = true,
                             .run = each->run});
    }
    return map;
  }
  void publish() {
    for (Process* each : all()) each->seal.on_map(map());
  }

  /// A plain datagram, as the sender's core makes it.
  static Bytes plain(const Process& from, std::string_view records = "records") {
    std::array<std::byte, fabric_datagram_bytes_max> buffer;
    FabricWriter writer(buffer, {cluster, from.kind, from.slot, 0});
    Bytes out = bytes_of(writer.datagram());
    const auto more = std::as_bytes(std::span(records));
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
  static Bytes sealed(Process& from, const Process& to, std::string_view records = "records") {
    return bytes_of(from.seal.seal(to.address, plain(from, records)));
  }
  static std::optional<Bytes> opened(Process& at, const Process& from, Bytes datagram) {
    const auto out = at.seal.open(from.address, datagram);
    return out ? std::optional(bytes_of(*out)) : std::nullopt;
  }
  /// The records of an opened datagram, or why it was refused.
  static std::string told(Process& at, const Process& from, const Bytes& datagram) {
    const Counts<Count> before = at.seal.counts();
    if (const auto out = opened(at, from, datagram)) {
      const auto records = std::span(*out).subspan(fabric_header_bytes);
      return {reinterpret_cast<const char*>(records.data()), records.size()};
    }
    std::string why;
    for (std::uint16_t i = metric.malformed.series; i <= metric.replayed.series; ++i) {
      if (at.seal.counts()[Count{i}] != before[Count{i}]) why += metric.value_of(i);
    }
    return why;
  }

  std::uint32_t deals = 0;
  Process gateway{FabricSender::Gateway, 0, 11, 30};
  Process worker{FabricSender::Worker, 0, 22, 40};
  Process other{FabricSender::Worker, 1, 33, 41};
};
INSTANTIATE_TEST_SUITE_P(Sealing, ASeal, Values(FabricSealing::Tag, FabricSealing::Encrypt),
                         [](const auto& test) {
                           return test.param == FabricSealing::Tag ? "Tag" : "Encrypt";
                         });

TEST_P(ASeal, GivesTheReceiverWhatTheSenderMade) {
  Bytes sent = plain(gateway, "one");
  EXPECT_EQ(opened(worker, gateway, sealed(gateway, worker, "one")), sent);
  // The second datagram has sequence 1, not that of the core.
  sent = plain(gateway, "");
  sent[10] = std::byte{1};
  EXPECT_EQ(opened(worker, gateway, sealed(gateway, worker, "")), sent);
  EXPECT_EQ(told(gateway, worker, sealed(worker, gateway)), "records");
  EXPECT_EQ(told(other, worker, sealed(worker, other)), "records");
}

TEST_P(ASeal, WritesTheBytesOfTheSpecification) {
  const auto& example = GetParam() == FabricSealing::Tag ? tagged_example : encrypted_example;
  EXPECT_EQ(sealed(gateway, worker, "one"), bytes_of(std::as_bytes(std::span(example))));
}

TEST_P(ASeal, ShowsTheHeaderAndHidesTheRecordsIfItEncrypts) {
  const Bytes datagram = sealed(gateway, worker, "secret");
  EXPECT_EQ(datagram.size(), fabric_header_bytes + 6 + fabric_seal_bytes);
  const std::string_view all(reinterpret_cast<const char*>(datagram.data()), datagram.size());
  EXPECT_EQ(all.substr(0, 2), "PS");
  EXPECT_EQ(all.find("secret") == std::string_view::npos, GetParam() == FabricSealing::Encrypt);
}

TEST_P(ASeal, TakesTheLargestDatagram) {
  const std::string records(fabric_plain_bytes_max - fabric_header_bytes, 'x');
  const Bytes datagram = sealed(gateway, worker, records);
  EXPECT_EQ(datagram.size(), fabric_datagram_bytes_max);
  EXPECT_EQ(told(worker, gateway, datagram), records);
  Bytes larger = datagram;
  larger.push_back({});
  EXPECT_EQ(told(worker, gateway, larger), "malformed");
}

TEST_P(ASeal, RefusesEveryFlippedBit) {
  const Bytes genuine = sealed(gateway, worker);
  for (std::size_t bit = 0; bit < 8 * genuine.size(); ++bit) {
    Bytes bent = genuine;
    bent[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    EXPECT_FALSE(opened(worker, gateway, bent)) << "bit " << bit;
  }
  EXPECT_EQ(told(worker, gateway, genuine), "records");
}

TEST_P(ASeal, RefusesEveryTruncation) {
  const Bytes genuine = sealed(gateway, worker);
  for (std::size_t size = 0; size < genuine.size(); ++size) {
    EXPECT_FALSE(
        opened(worker, gateway, {genuine.begin(), genuine.begin() + static_cast<int>(size)}));
  }
}

TEST_P(ASeal, NamesTheReasonOfARefusal) {
  Bytes bent = sealed(gateway, worker);
  bent.back() ^= std::byte{1};
  EXPECT_EQ(told(worker, gateway, bent), "forged");
  EXPECT_EQ(told(worker, gateway, plain(gateway)), "not_sealed");
  EXPECT_EQ(told(worker, gateway, {}), "malformed");
  EXPECT_EQ(told(worker, gateway, Bytes(40)), "malformed");
  EXPECT_EQ(told(worker, other, sealed(gateway, worker)), "unknown_sender");
  const Bytes once = sealed(gateway, worker);
  EXPECT_EQ(told(worker, gateway, once), "records");
  EXPECT_EQ(told(worker, gateway, once), "replayed");
  Bytes elsewhere = sealed(gateway, worker);
  elsewhere[3] ^= std::byte{1};
  EXPECT_EQ(told(worker, gateway, elsewhere), "other_cluster");
  Bytes later = sealed(gateway, worker);
  later[16] = std::byte{9};
  EXPECT_EQ(told(worker, gateway, later), "unknown_epoch");
  Bytes former = sealed(gateway, worker);
  former[2] = std::byte{5};
  EXPECT_EQ(told(worker, gateway, former), "malformed");
}

TEST_P(ASeal, RefusesADatagramForAnotherReceiver) {
  EXPECT_EQ(told(other, gateway, sealed(gateway, worker)), "forged");
  EXPECT_EQ(told(gateway, worker, sealed(worker, other)), "forged");
  // Its own datagram comes back, as if its receiver had sent it.
  Bytes mirrored = sealed(worker, other);
  mirrored[8] = std::byte{1};
  EXPECT_EQ(told(worker, other, mirrored), "forged");
}

TEST_P(ASeal, OpensEachDatagramOnceInAnyOrder) {
  std::vector<Bytes> sent;
  for (int i = 0; i < 3'000; ++i) sent.push_back(sealed(gateway, worker, std::to_string(i)));
  const auto tell = [&](std::size_t i) { return told(worker, gateway, sent[i]); };
  EXPECT_EQ(tell(5), "5");
  EXPECT_EQ(tell(0), "0");
  EXPECT_EQ(tell(0), "replayed");
  EXPECT_EQ(tell(1'023), "1023");
  EXPECT_EQ(tell(1), "1");
  EXPECT_EQ(tell(1'024), "1024");
  EXPECT_EQ(tell(2), "2");
  EXPECT_EQ(tell(1), "replayed");
  EXPECT_EQ(tell(2'999), "2999");
  EXPECT_EQ(tell(1'975), "replayed");  // 1,024 behind the newest
  EXPECT_EQ(tell(1'976), "1976");
  EXPECT_EQ(tell(2'998), "2998");
  EXPECT_EQ(tell(2'999), "replayed");
}

TEST_P(ASeal, DoesNotMoveItsWindowForForgedNumbers) {
  const Bytes genuine = sealed(gateway, worker);
  Bytes ahead = sealed(gateway, worker);
  ahead[13] = ahead[14] = ahead[15] = std::byte{0xff};
  EXPECT_EQ(told(worker, gateway, ahead), "forged");
  EXPECT_EQ(told(worker, gateway, genuine), "records");
}

TEST_P(ASeal, LosesNothingWhileKeysChange) {
  std::vector<Bytes> on_way{sealed(gateway, worker, "0")};
  const auto key_2 = FabricKeys{.oldest = 1, .send = 1, .keys = {key(1), key(2)}};
  const auto switched = FabricKeys{.oldest = 1, .send = 2, .keys = {key(1), key(2)}};
  // Every member has the next key before the first one uses it.
  deal(key_2);
  on_way.push_back(sealed(gateway, worker, "1"));
  FabricKeys first = switched;
  first.cluster_id = cluster;
  gateway.seal.on_keys(first);
  on_way.push_back(sealed(gateway, worker, "2"));
  EXPECT_EQ(on_way.back()[16], std::byte{2});
  EXPECT_EQ(told(gateway, worker, sealed(worker, gateway)), "records");  // still by the former key
  deal(switched);
  on_way.push_back(sealed(gateway, worker, "3"));
  for (std::size_t i = on_way.size(); i-- > 0;) {
    EXPECT_EQ(told(worker, gateway, on_way[i]), std::to_string(i));
    EXPECT_EQ(told(worker, gateway, on_way[i]), "replayed");
  }
  const Bytes late = [&] {
    deal(key_2);  // the gateway goes back to the first key
    return sealed(gateway, worker);
  }();
  deal({.oldest = 2, .send = 2, .keys = {key(2)}});
  EXPECT_EQ(told(worker, gateway, late), "unknown_epoch");
  EXPECT_EQ(told(worker, gateway, sealed(gateway, worker)), "records");
}

TEST_P(ASeal, GoesOnWithItsKeyUnderADirectoryThatDoesNotKnowIt) {
  const FabricKeys of_new_leader{.oldest = 1, .send = 1, .keys = {key(2)}};
  deal(of_new_leader);
  EXPECT_EQ(told(worker, gateway, sealed(gateway, worker)), "records");
  // A process that starts now has only the next key.
  Process late(FabricSender::Worker, 1, 44, 41);
  FabricKeys dealt = of_new_leader;
  dealt.cluster_id = cluster;
  late.seal.on_keys(dealt);
  late.seal.on_map(map());
  EXPECT_TRUE(sealed(late, gateway).empty());
  EXPECT_EQ(late.refused(metric.without_key), 1);
  dealt.send = 2;
  late.seal.on_keys(dealt);
  EXPECT_FALSE(sealed(late, gateway).empty());
}

TEST_P(ASeal, RefusesWhatAFormerProcessOfTheSlotSentOrReceived) {
  const Bytes of_former_sender = sealed(gateway, worker, "former");
  const Bytes to_former_receiver = sealed(gateway, other, "former");
  Process again(FabricSender::Gateway, 0, 12, 30);
  again.seal.on_keys({.cluster_id = cluster, .oldest = 1, .send = 1, .keys = {key(1)}});
  gateway.run = again.run;
  publish();
  again.seal.on_map(map());
  EXPECT_EQ(told(worker, again, of_former_sender), "forged");
  // Its numbers begin anew, and it has the same slot, but another key.
  EXPECT_NE(sealed(again, worker, "former"), of_former_sender);
  EXPECT_EQ(told(worker, again, sealed(again, worker)), "records");
  // A receiver's successor has no window yet: datagrams to the former process do not pass.
  Process successor(FabricSender::Worker, 1, 34, 41);
  successor.seal.on_keys({.cluster_id = cluster, .oldest = 1, .send = 1, .keys = {key(1)}});
  gateway.run = 11;
  other.run = successor.run;
  publish();
  successor.seal.on_map(map());
  EXPECT_EQ(told(successor, gateway, to_former_receiver), "forged");
  EXPECT_EQ(told(successor, gateway, sealed(gateway, other)), "records");
}

TEST_P(ASeal, RemembersWhatItReceivedWhileTheSenderCountsAsDead) {
  const Bytes datagram = sealed(gateway, worker);
  EXPECT_EQ(told(worker, gateway, datagram), "records");
  worker.seal.on_map({.cluster_id = cluster, .version = 2});
  EXPECT_EQ(told(worker, gateway, datagram), "unknown_sender");
  publish();
  EXPECT_EQ(told(worker, gateway, datagram), "replayed");
  EXPECT_EQ(told(worker, gateway, sealed(gateway, worker)), "records");
}

TEST_P(ASeal, DropsDatagramsToUnknownReceivers) {
  const Process stranger(FabricSender::Worker, 7, 77, 47);
  EXPECT_TRUE(sealed(gateway, stranger).empty());
  EXPECT_EQ(gateway.refused(metric.without_receiver), 1);
}

TEST_P(ASeal, HoldsFewKeysWhateverIsDealt) {
  for (std::uint32_t epoch = 2; epoch < 50; ++epoch) {
    deal({.oldest = 1, .send = epoch, .keys = {key(epoch)}});
    EXPECT_EQ(told(worker, gateway, sealed(gateway, worker)), "records");
  }
  Bytes first = sealed(gateway, worker);
  first[16] = std::byte{1};
  EXPECT_EQ(told(worker, gateway, first), "unknown_epoch");
}

TEST_P(ASeal, ForgetsKeysOfAnotherCluster) {
  FabricKeys elsewhere{.cluster_id = cluster + 1, .deal = 1, .oldest = 5, .send = 5};
  gateway.seal.on_keys(elsewhere);
  EXPECT_EQ(gateway.seal.sends_with(), nullptr);
}

TEST_P(ASeal, RefusesPlainEpochsIfItMust) {
  Seal strict(FabricSender::Gateway, 5, PlainEpochs::Refused);
  strict.identify(0);
  strict.on_map(map());
  EXPECT_THAT(strict.not_ready_because(), testing::HasSubstr("not dealt out"));
  strict.on_keys({.cluster_id = cluster,
                  .oldest = 1,
                  .send = 1,
                  .keys = {{.epoch = 1, .sealing = FabricSealing::Plain}}});
  EXPECT_THAT(strict.not_ready_because(), testing::HasSubstr("plain epochs"));
  EXPECT_TRUE(strict.seal(worker.address, plain(gateway)).empty());
  Bytes datagram = plain(worker);
  EXPECT_FALSE(strict.open(worker.address, datagram));
  strict.on_keys({.cluster_id = cluster, .oldest = 2, .send = 2, .keys = {key(2)}});
  EXPECT_EQ(strict.not_ready_because(), "");
  EXPECT_FALSE(strict.seal(worker.address, plain(gateway)).empty());
}

TEST_P(ASeal, PassesFromPlainToSealedDatagramsAndBack) {
  const FabricKey none{.epoch = 2, .sealing = FabricSealing::Plain};
  deal({.oldest = 1, .send = 1, .keys = {key(1), none}});
  EXPECT_EQ(told(worker, gateway, sealed(gateway, worker)), "records");
  deal({.oldest = 1, .send = 2, .keys = {key(1), none}});
  EXPECT_EQ(sealed(gateway, worker), plain(gateway));
  EXPECT_EQ(told(worker, gateway, plain(gateway)), "records");
  deal({.oldest = 2, .send = 2, .keys = {none, key(3)}});
  EXPECT_EQ(told(worker, gateway, plain(gateway)), "records");
  deal({.oldest = 3, .send = 3, .keys = {key(3)}});
  EXPECT_EQ(told(worker, gateway, plain(gateway)), "not_sealed");
  EXPECT_EQ(told(worker, gateway, sealed(gateway, worker)), "records");
}

}  // namespace
}  // namespace perigee::fabric_seal
