#include "bench/doors/stand.hpp"

#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "bench/common/scheduling.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/secrets.hpp"

namespace perigee::bench {
namespace {

constexpr unsigned processor_of_doors = 0;
constexpr unsigned processor_of_load = 1;
constexpr std::uint16_t nginx_port = 30'000;
constexpr const char* nginx_binary = "/usr/sbin/nginx";
constexpr const char* nginx_stream_module = "/usr/lib/nginx/modules/ngx_stream_module.so";

std::unique_ptr<process_test::Child> start_on_doors_processor(std::vector<std::string> command) {
  run_on_processor(processor_of_doors);
  auto child = std::make_unique<process_test::Child>(std::move(command));
  run_on_processor(processor_of_load);
  return child;
}

void replace(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

bool nginx_present() {
  return access(nginx_binary, X_OK) == 0 && access(nginx_stream_module, R_OK) == 0;
}

Stand::Stand(std::uint16_t port_base)
    : port_base_(port_base),
      folder_((std::filesystem::temp_directory_path() /
               ("perigee_bench_" + std::to_string(getpid()) + "_" + std::to_string(port_base)))
                  .string()) {
  std::filesystem::create_directories(folder_);
}

Stand::~Stand() {
  member_.reset();
  if (nginx_) {  // SIGTERM also ends its worker process; SIGKILL would leave that behind
    nginx_->signal(SIGTERM);
    nginx_->wait();
  }
  std::filesystem::remove_all(folder_);
}

Address Stand::local(unsigned offset) const {
  return Address::v4(127, 0, 0, 1, static_cast<std::uint16_t>(port_base_ + offset));
}

std::vector<std::string> Stand::command(const char* binary, std::vector<std::string> more) const {
  std::vector<std::string> all{binary, "--port-base", std::to_string(port_base_), "--state-dir",
                               folder_};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

template <class Done>
bool Stand::run_until(Done done) {
  const Micros deadline_us = host::Loop::clock_us() + 20'000'000;
  host::Timer poll(loop_, [&] {
    if (done() || host::Loop::clock_us() > deadline_us) loop_.stop();
  });
  poll.every(2'000);
  loop_.run();
  return done();
}

void Stand::tend() {
  host::Timer end(loop_, [&] { loop_.stop(); });
  end.at(host::Loop::clock_us() + 2'000);
  loop_.run();
}

Result<Ok> Stand::open(const std::string& sealing) {
  if (const auto crypto = fabric_seal::init_crypto(); !crypto) return crypto.error();
  const auto keys =
      host::load_or_create_keys(std::filesystem::path(folder_) / host::token_key_file);
  if (!keys) return keys.error();
  key_ = keys->current;
  auto worker = BatchSocket::open(static_cast<std::uint16_t>(port_base_ + host::port::sim_fabric));
  if (!worker) return worker.error();
  worker_.emplace(std::move(*worker));
  directory_.emplace(
      command(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1", "--directory-regions", "1",
                                         "--directory-fabric-seal", sealing}));
  if (!directory_->says("ready")) return Error{"the directory: " + directory_->output()};
  const unsigned directory_port = port_base_ + host::port::directory_grpc;
  member_.emplace(loop_,
                  host::DirectoryOptions{.target = "127.0.0.1:" + std::to_string(directory_port),
                                         .role = host::DirectoryRole::Worker,
                                         .name = "sim-0",
                                         .fabric = local(host::port::sim_fabric),
                                         .grpc = local(host::port::sim_grpc),
                                         .fabric_run = seal_.run()},
                  host::DirectoryClient::Events{
                      .registered = [this](const auto& granted) { seal_.identify(granted.slot); },
                      .map =
                          [this](const auto& m) {
                            map_ = m;
                            seal_.on_map(m);
                          },
                      .fabric_keys = [this](const auto& dealt) { seal_.on_keys(dealt); }});
  const bool owned = run_until([&] {
    return member_->ready() && seal_.sends_with() != nullptr && !map_.regions.empty() &&
           map_.regions[0].owner == WorkerSlot{0};
  });
  if (!owned) return Error{"the directory gave the worker no region within 20 s"};
  return Ok{};
}

Result<GatewayProcess> Stand::start_gateway(unsigned index, std::vector<std::string> options) {
  options.insert(options.end(),
                 {"--gateway-index", std::to_string(index), "--gateway-session", "none"});
  gateways_.resize(std::max<std::size_t>(gateways_.size(), index + 1));
  gateways_[index] = start_on_doors_processor(command(PERIGEE_GATEWAY_BINARY, options));
  process_test::Child& gateway = *gateways_[index];
  const Address address = local(index);
  const bool known = run_until([&] {
    for (const GatewayEntry& entry : map_.gateways) {
      if (entry.public_udp == address && entry.alive) return true;
    }
    return false;
  });
  if (!known || !gateway.says("ready")) return Error{"the gateway: " + gateway.output()};
  return GatewayProcess{gateway.pid(), address};
}

void Stand::stop_gateway(unsigned index) {
  gateways_[index]->signal(SIGTERM);
  gateways_[index]->wait();
  gateways_[index].reset();
}

Result<NginxProcess> Stand::start_nginx() {
  auto upstream = BatchSocket::open(0);
  if (!upstream) return upstream.error();
  nginx_upstream_.emplace(std::move(*upstream));
  std::stringstream text;
  text << std::ifstream(PERIGEE_NGINX_CONFIG).rdbuf();
  std::string config = text.str();
  replace(config, "@FOLDER@", folder_);
  replace(config, "@LISTEN@", "127.0.0.1:" + std::to_string(nginx_port));
  replace(config, "@UPSTREAM@", "127.0.0.1:" + std::to_string(nginx_upstream_->port()));
  std::ofstream(folder_ + "/nginx.conf") << config;
  run_on_processor(processor_of_doors);
  nginx_.emplace(std::vector<std::string>{nginx_binary, "-c", folder_ + "/nginx.conf", "-p",
                                          folder_, "-e", "stderr"});
  run_on_processor(processor_of_load);
  pid_t worker = 0;
  const std::string master = std::to_string(nginx_->pid());
  run_until([&] {
    std::ifstream("/proc/" + master + "/task/" + master + "/children") >> worker;
    return worker != 0;
  });
  if (worker == 0) return Error{"nginx: " + nginx_->output()};
  return NginxProcess{worker, nginx_port, &*nginx_upstream_};
}

}  // namespace perigee::bench
