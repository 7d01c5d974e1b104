/// Opens the directory's coordination store as the settings say.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "perigee/coordination/embedded.hpp"
#include "perigee/coordination/store.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/process.hpp"

namespace perigee::directory {

struct StoreOptions {
  std::string engine = "embedded";
  std::string etcd = "127.0.0.1:2379";  ///< host:port, several separated by commas
  host::HostTls etcd_tls;
  std::string name;  ///< empty: the address
  std::string root = "/perigee/";
  double lease_s = 5;
  bool shared() const { return engine == "etcd"; }
};
void declare_store(host::Settings& settings, StoreOptions& options);
/// For messages.
std::string name_of(const StoreOptions& options, const host::ProcessOptions& common);

/// A store, and the engine behind it.
struct OpenStore {
  std::unique_ptr<coordination::Embedded> embedded;  ///< none: etcd
  std::unique_ptr<coordination::Store> store;
};
/// `anew`: an existing file is put aside; etcd's content stays.
Result<OpenStore> open_store(const StoreOptions& options, const host::ProcessOptions& common,
                             std::uint16_t grpc_port, bool anew);

/// Identifies one boot of the kernel.
std::string boot_id();

}  // namespace perigee::directory
