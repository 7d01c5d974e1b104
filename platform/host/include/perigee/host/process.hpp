/// Start-up code common to all our processes: ports, addresses, log, state folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/result.hpp"
#include "perigee/host/cluster_tls.hpp"
#include "perigee/host/settings.hpp"

namespace perigee::host {

/// Offsets to --port-base.
namespace port {
inline constexpr std::uint16_t gateway_udp = 0;
inline constexpr std::uint16_t session_grpc = 10;
inline constexpr std::uint16_t directory_grpc = 11;
inline constexpr std::uint16_t session_control = 12;
inline constexpr std::uint16_t session_http = 13;
inline constexpr std::uint16_t sim_grpc = 20;        ///< + index of the worker
inline constexpr std::uint16_t gateway_fabric = 30;  ///< + index of the gateway
inline constexpr std::uint16_t sim_fabric = 40;      ///< + index
inline constexpr std::uint16_t gateway_grpc = 50;    ///< + index
inline constexpr std::uint16_t rooms_udp = 80;       ///< + 2 x index
inline constexpr std::uint16_t rooms_grpc = 81;      ///< + 2 x index
inline constexpr std::uint16_t gateway_admin = 100;
inline constexpr std::uint16_t session_admin = 101;
inline constexpr std::uint16_t directory_admin = 102;
inline constexpr std::uint16_t console_admin = 103;
inline constexpr std::uint16_t sim_admin = 110;    ///< + index
inline constexpr std::uint16_t rooms_admin = 120;  ///< + index
inline constexpr std::uint16_t console_http = 180;
}  // namespace port

struct ProcessOptions {
  std::uint16_t port_base = 40000;
  std::string listen = "127.0.0.1";        ///< IP that all sockets of this process bind
  std::string admin_listen = "127.0.0.1";  ///< the same for the admin port
  std::string advertise;  ///< host or IP for peers; empty: see advertised_address()
  std::string directory;  ///< "host:port,…"; empty: own machine, by port_base
  std::string state_dir = ".perigee";
  std::string log_format = "text";
  std::string log_level = "info";
  bool insecure = false;
  std::string tls_dir;  ///< see certificate_folder()
};

/// Declares the common settings: port_base, listen, advertise, state_dir, log.*, insecure.
void declare(Settings& settings, ProcessOptions& options);
/// Declares the key `directory`, for all but the directory itself.
void declare_directory(Settings& settings, ProcessOptions& options);
/// Certificates of `process` ("sim") inside the cluster; null: it has none, so no TLS.
Result<std::unique_ptr<ClusterTls>> open_cluster_tls(const ProcessOptions& options,
                                                     std::string_view process);
/// Sets up the log of `process`.
void apply_log(std::string_view process, const ProcessOptions& options);

/// Folder for crash reports of processes and for the recorded inputs of a dead worker's players.
std::filesystem::path crash_report_dir(const ProcessOptions& options);

/// Address to bind for a port offset.
Result<Address> listen_address(const ProcessOptions& options, std::uint16_t offset);
/// The same for the admin port. It tells without proof, so it is on loopback unless admin_listen
/// says otherwise.
Result<Address> admin_address(const ProcessOptions& options, std::uint16_t offset);
/// Ports without certificates listen on loopback only, unless the operator declares the network to
/// be private (--insecure). `what`: "gRPC".
Result<Ok> check_network(std::string_view what, const Address& listen, bool insecure);
/// The address that peers use for a socket bound to `port`: --advertise if given, else the listen
/// address, else (listening on all addresses) the address of this machine's own name.
Result<Address> advertised_address(const ProcessOptions& options, std::uint16_t port);
/// "host:port" of the directory, or of several that share a store, separated by commas.
std::string directory_target(const ProcessOptions& options);

/// Splits a list at its commas; empty parts are omitted.
std::vector<std::string> parts_of(std::string_view list);

/// Accepts "localhost:40000", "10.0.0.7:40000" or "[::1]:40000"; uses the resolver, IPv4 first.
Result<Address> resolve(std::string_view host_and_port);
Result<Address> resolve(const std::string& host, std::uint16_t port);

/// Prints "process: sentence" on standard error; for start-up failures. Returns exit_failed.
int report_failure(std::string_view process, const Error& error);

}  // namespace perigee::host
