#include "open_store.hpp"

#include <cctype>
#include <filesystem>
#include <utility>

#include "perigee/coordination/etcd.hpp"
#include "perigee/host/read_file.hpp"
#include "perigee/host/secrets.hpp"

namespace perigee::directory {
namespace {

/// Opens the part of etcd that belongs to this cluster.
Result<std::unique_ptr<coordination::Store>> open_etcd(const StoreOptions& options,
                                                       const host::ProcessOptions& common,
                                                       std::uint16_t grpc_port) {
  coordination::EtcdOptions etcd{.endpoints = host::parts_of(options.etcd),
                                 .tls = options.etcd_tls,
                                 .name = options.name,
                                 .root = options.root,
                                 .instance = host::random_u64() | 1U,
                                 .lease_us = static_cast<Micros>(options.lease_s * 1e6)};
  if (etcd.name.empty()) {
    const auto address = host::advertised_address(common, grpc_port);
    if (!address) return address.error();
    etcd.name = to_string(*address);
    for (char& message : etcd.name) {
      if (std::isalnum(static_cast<unsigned char>(message)) == 0 && message != '.') message = '-';
    }
  }
  return coordination::open_etcd(etcd);
}

}  // namespace

void declare_store(host::Settings& settings, StoreOptions& options) {
  settings.choice("directory.store", &options.engine, {"embedded", "etcd"},
                  "embedded: a file in state_dir, for a single directory; etcd: for several "
                  "directories, of which one leads");
  settings.text(
      "directory.etcd", &options.etcd,
      "host:port of etcd, several separated by commas: the next one if one does not answer");
  settings.text("directory.etcd_ca", &options.etcd_tls.ca_file,
                "file with the CA (PEM) of etcd's certificates, or 'system' for those that this "
                "machine trusts; empty: without TLS");
  settings.text("directory.etcd_certificate", &options.etcd_tls.certificate_file,
                "file with the certificate (PEM) that this directory shows to etcd; empty: none");
  settings.text("directory.etcd_key", &options.etcd_tls.key_file,
                "file with the key of directory.etcd_certificate (PEM)");
  settings.text("directory.name", &options.name,
                "unique among the directories that share etcd; default: the address");
  settings.text("directory.root", &options.root,
                "prefix of all keys in etcd; another one for each cluster");
  settings.number("directory.lease_s", &options.lease_s, {2, 60}, "s",
                  "a leader loses its leadership after this time without contact to etcd; less: a "
                  "stall deposes it, more: a cluster is longer without a leader");
}

std::string name_of(const StoreOptions& options, const host::ProcessOptions& common) {
  if (options.shared()) return "etcd at " + options.etcd + " below " + options.root;
  return (std::filesystem::path(common.state_dir) / "coordination.state").string();
}

std::string boot_id() {
  const auto text = host::read_if_present("/proc/sys/kernel/random/boot_id");
  std::string id = text && *text ? **text : std::string();
  std::erase(id, '\n');
  return id;
}

Result<OpenStore> open_store(const StoreOptions& options, const host::ProcessOptions& common,
                             std::uint16_t grpc_port, bool anew) {
  OpenStore out;
  if (options.shared()) {
    auto etcd = open_etcd(options, common, grpc_port);
    if (!etcd) return etcd.error();
    out.store = std::move(etcd).value();
    return out;
  }
  auto opened = coordination::Embedded::open(
      {.state_dir = common.state_dir, .drawn_store_id = host::random_u64() | 1U, .anew = anew});
  if (!opened) return opened.error();
  out.embedded = std::move(opened).value();
  out.store = out.embedded->connect();
  return out;
}

}  // namespace perigee::directory
