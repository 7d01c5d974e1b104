#include "etcd_server.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace perigee::process_test {
namespace {

const std::string etcd = "/usr/bin/etcd";
const std::string etcdctl = "/usr/bin/etcdctl";

void run(std::vector<std::string> command) {
  const std::string program = command[0];
  Child child(std::move(command));
  const int code = child.wait();
  EXPECT_EQ(code, 0) << program << ": " << child.output()
                     << " (127: it is missing, apt-get install etcd-client)";
}

}  // namespace

EtcdServer::EtcdServer(unsigned port_base)
    : EtcdServer(port_base, "one", "one=" + peer_url(port_base)) {
  await();
}

EtcdServer::EtcdServer(unsigned port_base, std::filesystem::path tls_folder)
    : port_base_(port_base),
      name_("one"),
      peers_("one=" + peer_url(port_base)),
      tls_folder_(std::move(tls_folder)) {
  start();
  await();
}

EtcdServer::EtcdServer(unsigned port_base, std::string name, std::string peers)
    : port_base_(port_base), name_(std::move(name)), peers_(std::move(peers)) {
  start();
}

void EtcdServer::start() {
  const bool tls = !tls_folder_.empty();
  const std::string client_url = (tls ? "https://" : "http://") + endpoint();
  std::vector<std::string> command{etcd,
                                   "--name",
                                   name_,
                                   "--data-dir",
                                   data().string(),
                                   "--listen-client-urls",
                                   client_url,
                                   "--advertise-client-urls",
                                   client_url,
                                   "--listen-peer-urls",
                                   peer_url(port_base_),
                                   "--initial-advertise-peer-urls",
                                   peer_url(port_base_),
                                   "--initial-cluster",
                                   peers_,
                                   "--logger",
                                   "zap",
                                   "--log-outputs",
                                   (folder_.path() / "log").string()};
  if (tls) {
    const auto file = [&](const char* name) { return (tls_folder_ / name).string(); };
    for (const std::string& word :
         {std::string("--listen-metrics-urls"), "http://127.0.0.1:" + std::to_string(health_port()),
          std::string("--client-cert-auth"), std::string("--trusted-ca-file"), file("ca.crt"),
          std::string("--cert-file"), file("tls.crt"), std::string("--key-file"),
          file("tls.key")}) {
      command.push_back(word);
    }
  }
  server_.emplace(std::move(command));
}

void EtcdServer::await() const {
  for (int i = 0; i < 4'000 * slowness; ++i) {
    if (!http_get(health_port(), "/health").empty()) return;
    usleep(5'000);
  }
  ADD_FAILURE() << "etcd does not answer on " << endpoint()
                << "; if it is missing: apt-get install etcd-server";
}

void EtcdServer::kill() { server_.reset(); }

void EtcdServer::save(const std::filesystem::path& backup) const {
  run({etcdctl, "--endpoints", endpoint(), "snapshot", "save", backup.string()});
}

void EtcdServer::put_back(const std::filesystem::path& backup) const {
  std::filesystem::remove_all(data());
  run({etcdctl, "snapshot", "restore", backup.string(), "--name", name_, "--data-dir",
       data().string(), "--initial-cluster", peers_, "--initial-advertise-peer-urls",
       peer_url(port_base_)});
}

void EtcdServer::forget_history_before(std::uint64_t revision) const {
  run({etcdctl, "--endpoints", endpoint(), "compact", std::to_string(revision)});
}

}  // namespace perigee::process_test
