// The contract of every coordination store, in etcd; and its access control and place in the key
// space.
#include "perigee/coordination/etcd.hpp"

#include "etcd_place.hpp"

namespace perigee::coordination {
namespace {

using process_test::EtcdServer;
using process_test::free_port_base;
using testing::HasSubstr;

INSTANTIATE_TYPED_TEST_SUITE_P(Etcd, TheStore, EtcdPlace);

struct AnEtcdStore : testing::Test {
  EtcdPlace place;
  Sides sides;
};

TEST_F(AnEtcdStore, SaysWhatIsWrongWithItsOptions) {
  const EtcdOptions good = place.options("a");
  EtcdOptions url = good, nobody = good, name = good, root = good, lease = good;
  url.endpoints = {"http://127.0.0.1:2379"};
  nobody.endpoints.clear();
  name.name = "a b";
  root.root = "perigee";
  lease.lease_us = 100;
  for (const EtcdOptions& bad : {url, nobody, name, root, lease}) {
    const auto opened = open_etcd(bad);
    ASSERT_FALSE(opened.ok());
    EXPECT_THAT(opened.error().message, HasSubstr("etcd: "));
  }
}

TEST_F(AnEtcdStore, EndsWhenAnotherProcessTakesItsName) {
  Store& first = sides.add(place.connect("a"));
  ASSERT_TRUE(sides.ready(first));
  sides.commits(first, put("key", "first's"));
  Candidacy candidacy;
  first.campaign(candidacy.events());
  ASSERT_TRUE(sides.until([&] { return candidacy.leads(); }));
  Store& second = sides.add(place.connect("a"));
  ASSERT_TRUE(sides.ready(second));
  ASSERT_TRUE(sides.until([&] { return !first.ready().ok() && !candidacy.leads(); }));
  EXPECT_THAT(first.ready().error().message, HasSubstr("give each its own name"));
  const Outcome outcome = sides.commit(first, put("key", "first's again"));
  EXPECT_FALSE(std::holds_alternative<Committed>(outcome));
  EXPECT_EQ(sides.read(second).entries.at(0).value, "first's");
}

TEST_F(AnEtcdStore, KeepsClustersOfOneEtcdApart) {
  EtcdOptions options = place.options("a");
  options.root = "/another/";
  Store& other = sides.add(std::move(open_etcd(options)).value());
  Store& store = sides.add(place.connect("a"));
  ASSERT_TRUE(sides.ready(store) && sides.ready(other));
  EXPECT_NE(store.store_id(), other.store_id());
  sides.commits(store, put("key", "value"));
  EXPECT_TRUE(sides.read(other).entries.empty());
}

TEST_F(AnEtcdStore, SaysThatNobodyAnswers) {
  place.server.kill();
  Store& store = sides.add(place.connect("a"));
  Outcome outcome = sides.commit(store, put("key", "value"));
  ASSERT_TRUE(std::holds_alternative<Error>(outcome));
  EXPECT_THAT(std::get<Error>(outcome).message, HasSubstr("is it running"));
  EXPECT_FALSE(store.ready().ok());
  place.server.start();
  ASSERT_TRUE(sides.ready(store));
  EXPECT_TRUE(sides.read(store).entries.empty()) << "what failed was not done";
}

TEST_F(AnEtcdStore, PassesOverEndpointsThatAreDown) {
  EtcdOptions options = place.options("a");
  options.endpoints.insert(options.endpoints.begin(), {"127.0.0.1:1", "127.0.0.1:2"});
  Store& store = sides.add(std::move(open_etcd(options)).value());
  ASSERT_TRUE(sides.ready(store));
  EXPECT_GT(sides.commits(store, put("key", "value")), 0U);
}

TEST(ACluster, GoesOnWithoutAnyOneOfItsServers) {
  const std::vector<unsigned> bases = [] {
    const unsigned base = free_port_base();
    return std::vector{base, base + 100, base + 200};
  }();
  std::string peers;
  for (const unsigned base : bases) {
    peers += (peers.empty() ? "" : ",") + ("m" + std::to_string(base)) + "=" +
             EtcdServer::peer_url(base);
  }
  std::list<EtcdServer> servers;
  EtcdOptions options{.name = "a", .instance = host::random_u64()};
  for (const unsigned base : bases) {
    servers.emplace_back(base, "m" + std::to_string(base), peers);
    options.endpoints.push_back(servers.back().endpoint());
  }
  Sides sides;
  Store& store = sides.add(std::move(open_etcd(options)).value());
  ASSERT_TRUE(sides.ready(store));
  Received received;
  store.watch("", sides.read(store).revision, received.events());
  Tally tally(store);
  for (EtcdServer& server : servers) {
    const int before = tally.committed();
    server.kill();
    ASSERT_TRUE(sides.until([&] { return tally.committed() >= before + 20; }, 60));
    server.start();
    ASSERT_TRUE(sides.ready(store));
  }
  tally.stop();
  ASSERT_TRUE(sides.until([&] { return tally.stopped(); }));
  EXPECT_EQ(tally.stored(sides, store), tally.committed());
  ASSERT_TRUE(sides.until(
      [&] { return received.changes.size() == static_cast<std::size_t>(tally.committed()); }));
  EXPECT_TRUE(counts_up(received.changes));
}

}  // namespace
}  // namespace perigee::coordination
