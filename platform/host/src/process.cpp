#include "perigee/host/process.hpp"

#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "perigee/host/log.hpp"
#include "perigee/host/output.hpp"
#include "socket_address.hpp"

namespace perigee::host {
namespace {

/// `setting` is the name of the one that has `ip`.
Result<Address> address_at(const std::string& ip, std::string_view setting, unsigned base,
                           unsigned offset) {
  const unsigned port = base + offset;
  if (port > 65'535) {
    return Error{"port " + std::to_string(port) + " = port_base + " + std::to_string(offset) +
                 " is above 65535; choose a smaller --port-base"};
  }
  const bool v6 = ip.find(':') != std::string::npos;
  const std::string text = (v6 ? "[" + ip + "]" : ip) + ":" + std::to_string(port);
  auto address = parse_address(text);
  if (!address) return Error{std::string(setting) + ": '" + ip + "' is not an IP address"};
  return address;
}

}  // namespace

void declare(Settings& settings, ProcessOptions& options) {
  settings.number("port_base", &options.port_base, {1, 65'000}, "port",
                  "first of the cluster's ports; each process adds its offset");
  settings.text("listen", &options.listen, "IP to bind; 0.0.0.0 = all interfaces of this machine");
  settings.text(
      "admin_listen", &options.admin_listen,
      "IP of the admin port, for metrics and health; it needs no proof, so beyond loopback "
      "a firewall has to protect it");
  settings.text("advertise", &options.advertise,
                "host or IP at which other processes reach this one; default: the listen address");
  settings.text("state_dir", &options.state_dir,
                "folder for secrets and state, created if missing");
  settings.choice("log.format", &options.log_format, {"text", "json"},
                  "format of the log, one line per event");
  settings.choice("log.level", &options.log_level, {"debug", "info", "warning", "error"},
                  "lowest level that is logged");
  settings.text("tls_dir", &options.tls_dir,
                "folder with this process's tls.crt, tls.key and ca.crt inside the cluster, read "
                "again when they change; default: certs/NAME in the state folder if it exists; "
                "none: no TLS, and then only on loopback or with --insecure");
  settings.flag(
      "insecure", &options.insecure,
      "allow gRPC, links between workers and log-ins over HTTP without certificates beyond "
      "loopback: private networks only");
}

void declare_directory(Settings& settings, ProcessOptions& options) {
  settings.text("directory", &options.directory,
                "host:port of perigee-directory, several separated by commas: the one that leads "
                "is used; default: this machine, port_base + 11");
}

Result<std::unique_ptr<ClusterTls>> open_cluster_tls(const ProcessOptions& options,
                                                     std::string_view process) {
  const auto folder = certificate_folder(options.tls_dir, options.state_dir, process);
  if (folder.empty()) return std::unique_ptr<ClusterTls>();
  return ClusterTls::open(folder);
}

void apply_log(std::string_view process, const ProcessOptions& options) {
  const LogFormat format = options.log_format == "json" ? LogFormat::Json : LogFormat::Text;
  LogLevel level = LogLevel::Info;
  if (options.log_level == "debug") level = LogLevel::Debug;
  if (options.log_level == "warning") level = LogLevel::Warning;
  if (options.log_level == "error") level = LogLevel::Error;
  set_up_log(process, format, level);
}

std::filesystem::path crash_report_dir(const ProcessOptions& options) {
  return std::filesystem::path(options.state_dir) / "crash_reports";
}

Result<Address> resolve(const std::string& host, std::uint16_t port) {
  for (const int family : {AF_INET, AF_INET6}) {
    addrinfo hints{};
    hints.ai_family = family;
    hints.ai_socktype = SOCK_DGRAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0 || found == nullptr) continue;
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
    Address address = from_socket_address(found->ai_addr);
    address.port = port;
    return address;
  }
  return Error{"host '" + host + "' has no address; use an IP, or check /etc/hosts and DNS"};
}

Result<Address> resolve(std::string_view host_and_port) {
  if (auto address = parse_address(host_and_port); address.ok()) return address;
  const std::size_t colon = host_and_port.rfind(':');
  std::uint16_t port = 0;
  if (colon != std::string_view::npos) {
    const std::string_view digits = host_and_port.substr(colon + 1);
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (code == std::errc{} && end == digits.data() + digits.size() && port != 0) {
      return resolve(std::string(host_and_port.substr(0, colon)), port);
    }
  }
  return Error{"'" + std::string(host_and_port) +
               "' is not of the form host:port, like 10.0.0.7:40000 or [::1]:40000"};
}

Result<Address> listen_address(const ProcessOptions& options, std::uint16_t offset) {
  return address_at(options.listen, "listen", options.port_base, offset);
}

Result<Address> admin_address(const ProcessOptions& options, std::uint16_t offset) {
  return address_at(options.admin_listen, "admin_listen", options.port_base, offset);
}

Result<Ok> check_network(std::string_view what, const Address& listen, bool insecure) {
  if (is_loopback(listen) || insecure) return Ok{};
  return Error{std::string(what) + " on " + to_string(listen) +
               " would be open to that network without certificates; " +
               "listen on 127.0.0.1, or add --insecure if the network is private"};
}

Result<Address> advertised_address(const ProcessOptions& options, std::uint16_t port) {
  if (!options.advertise.empty()) return resolve(options.advertise, port);
  if (options.listen != "0.0.0.0" && options.listen != "::") return resolve(options.listen, port);
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  auto address = resolve(std::string(name), port);
  if (!address) {
    return Error{"this machine's name '" + std::string(name) +
                 "' has no address; set --advertise to a host or IP at which others reach it"};
  }
  return address;
}

std::string directory_target(const ProcessOptions& options) {
  if (!parts_of(options.directory).empty()) return options.directory;
  return "127.0.0.1:" + std::to_string(options.port_base + port::directory_grpc);
}

std::vector<std::string> parts_of(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    if (!part.empty()) out.emplace_back(part);
    list.remove_prefix(std::min(part.size() + 1, list.size()));
  }
  return out;
}

int report_failure(std::string_view process, const Error& error) {
  write_output(Stream::Error, std::string(process) + ": " + error.message + "\n");
  return exit_failed;
}

}  // namespace perigee::host
