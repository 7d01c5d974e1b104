// The contract of every coordination store, in etcd; and its access control and place in the key
// space.
#include "perigee/coordination/etcd.hpp"

#include "etcd_place.hpp"
#include "made_authority.hpp"

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

/// An etcd that wants certificates, and files of a directory.
class ASealedEtcd : public testing::Test {
 protected:
  static constexpr const char* own_names = "IP:127.0.0.1,DNS:localhost";
  static constexpr const char* other_names = "DNS:elsewhere.example";

  static std::filesystem::path made(const std::filesystem::path& folder, MadeAuthority& ca,
                                    const char* names) {
    ca.write(folder, {.name = "etcd", .names = names});
    return folder;
  }
  EtcdOptions with(const std::filesystem::path& files) const {
    EtcdOptions out{.endpoints = {server.endpoint()}, .name = "a", .instance = host::random_u64()};
    if (!files.empty()) {
      out.tls = {(files / "ca.crt").string(), (files / "tls.crt").string(),
                 (files / "tls.key").string()};
    }
    return out;
  }
  /// Why its commits fail; empty: they do not.
  std::string refusal(const EtcdOptions& options) {
    Store& store = sides.add(open_etcd(options).value());
    const Outcome outcome = sides.commit(store, put("key", options.name));
    const auto* error = std::get_if<Error>(&outcome);
    return error == nullptr ? std::string() : error->message;
  }

  host::TemporaryFolder folder;
  MadeAuthority authority{"the CA"}, another{"another CA"};
  const std::filesystem::path of_server = made(folder.path() / "server", authority, own_names);
  const std::filesystem::path of_client = made(folder.path() / "client", authority, other_names);
  process_test::EtcdServer server{free_port_base(), of_server};
  Sides sides;
};

TEST_F(ASealedEtcd, ServesADirectoryThatTheCaKnows) { EXPECT_EQ(refusal(with(of_client)), ""); }

TEST_F(ASealedEtcd, IsNotReachedWithoutCertificates) {
  EXPECT_THAT(refusal(with({})), HasSubstr("does not answer"));
  EtcdOptions nameless = with(of_client);
  nameless.tls.certificate_file = nameless.tls.key_file = "";
  EXPECT_THAT(refusal(nameless), HasSubstr("does not answer"));
  EXPECT_THAT(refusal(with(made(folder.path() / "stranger", another, own_names))),
              HasSubstr("does not answer"))
      << "neither knows the other's CA";
}

TEST_F(ASealedEtcd, IsNotTakenForAnotherHost) {
  server.kill();
  authority.write(of_server, {.name = "etcd", .names = other_names});
  server.start();
  server.await();
  EXPECT_THAT(refusal(with(of_client)), HasSubstr("does not answer"));
  authority.write(of_server, {.name = "etcd", .names = own_names});
  EXPECT_EQ(refusal(with(of_client)), "") << "with the right name; etcd reads its files again";
}

TEST_F(ASealedEtcd, GoesOnWithReplacedFiles) {
  Store& store = sides.add(open_etcd(with(of_client)).value());
  ASSERT_TRUE(sides.ready(store));
  server.kill();
  ASSERT_TRUE(sides.until([&] { return !store.ready().ok(); }, 60));
  for (const auto& files : {of_server, of_client}) {
    another.write(files, {.name = "etcd", .names = own_names});
  }
  server.start();
  ASSERT_TRUE(sides.until([&] { return store.ready().ok(); }, 60)) << store.ready().error().message;
  EXPECT_GT(sides.commits(store, put("key", "value")), 0U);
}

TEST_F(ASealedEtcd, HasItsFilesCheckedAtTheStart) {
  const auto says = [](const EtcdOptions& options, const std::string& words) {
    const auto opened = open_etcd(options);
    ASSERT_FALSE(opened.ok()) << words;
    EXPECT_THAT(opened.error().message, HasSubstr(words));
  };
  EtcdOptions wrong = with(of_client);
  wrong.tls.ca_file = (folder.path() / "none.crt").string();
  says(wrong, "etcd: CA file " + wrong.tls.ca_file + " has no certificate in PEM");
  wrong = with(of_client);
  wrong.tls.key_file = wrong.tls.certificate_file;
  says(wrong, "etcd: key file " + wrong.tls.key_file + " has no private key in PEM");
  wrong.tls.key_file = "";
  says(wrong, "set together");
  wrong = with(of_client);
  wrong.tls.ca_file = "";
  says(wrong, "no CA file");
}

}  // namespace
}  // namespace perigee::coordination
