#include "perigee/lab/gateway_host.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace perigee::lab {
namespace {

constexpr Micros turn_us = 500;

}  // namespace

GatewayHost::GatewayHost(Needs needs) : needs_(std::move(needs)), clock_(needs_.queue) {}

void GatewayHost::start() {
  directory::GatewayIntroduction self;
  self.name = "gateway-0";
  self.fabric = gateway_fabric;
  self.public_udp = gateway_public;
  if (needs_.seals != nullptr) self.run = needs_.seals->begin(the_gateway);
  const auto granted = needs_.directory.core().register_gateway(needs_.queue.now_us(), self);
  PERIGEE_ASSERT(std::holds_alternative<directory::Grant>(granted), "the gateway must be admitted");
  if (needs_.seals != nullptr) {
    needs_.seals->on_registered(the_gateway, std::get<directory::Grant>(granted).slot);
  }

  gateway::CoreSettings settings;
  settings.slot = GatewaySlot{std::get<directory::Grant>(granted).slot};
  settings.transport.private_key = needs_.key;
  settings.transport.address = gateway_public;
  settings.transport.clients_max = std::max(16U, needs_.players + 4);
  settings.transport.gateway_number = settings.slot.number;
  settings.transport.started_at_s = clock_.unix_s();
  settings.transport.claims = true;
  ++incarnation_;
  gateway::Outputs& outputs = *this;
  core_ = std::make_unique<gateway::Core>(settings, needs_.random.bytes(), outputs);
}

void GatewayHost::turn() {
  if (core_) {
    core_->advance(needs_.queue.now_us(), clock_.unix_s());
    core_->flush();
  }
  needs_.queue.after(turn_us, [this] { turn(); });
}

void GatewayHost::on_map(const ClusterMap& map) {
  if (core_) core_->on_map(needs_.queue.now_us(), map);
}

void GatewayHost::on_fabric(const Address& from, std::span<const std::byte> data) {
  if (!core_) return;
  core_->on_fabric_datagram(needs_.queue.now_us(), from, data);
  core_->flush();
}

void GatewayHost::on_client(const Address& from, std::span<std::byte> data) {
  if (!core_) return;
  const Micros now_us = needs_.queue.now_us();
  const FineTick received = fine_tick_at(needs_.directory.time(), now_us);
  core_->on_client_datagram(now_us, clock_.unix_s(), {from, now_us, received, data});
  core_->flush();
}

void GatewayHost::order(std::uint64_t client_id, std::uint64_t order,
                        const TechniqueOrder& techniques) {
  if (core_) core_->order_techniques(needs_.queue.now_us(), client_id, order, techniques);
}

// ---- the core's outputs

void GatewayHost::to_client(const Address& to, std::span<const std::byte> bytes) {
  needs_.to_client(to, bytes);
}

void GatewayHost::to_fabric(const Address& to, std::span<const std::byte> bytes) {
  needs_.to_fabric(to, bytes);
}

void GatewayHost::claim(const transport::ClaimRequest& request) {
  needs_.sessions.claim(request, incarnation_,
                        [this, incarnation = incarnation_,
                         id = request.claim_id](transport::Server::ClaimAnswer answer) {
                          if (!core_ || incarnation != incarnation_) return;
                          core_->on_claim(needs_.queue.now_us(), id, answer);
                          core_->flush();
                        });
}

void GatewayHost::want_resume_token(std::uint64_t client_id) {
  needs_.sessions.issue_resume(client_id, needs_.directory.core().map(),
                               [this, client_id](const transport::ConnectToken& token) {
                                 if (core_)
                                   core_->on_resume_token(needs_.queue.now_us(), client_id, token);
                               });
}

void GatewayHost::released(std::uint64_t client_id, std::uint64_t issue, gateway::Release how) {
  const bool left = how == gateway::Release::Left;
  needs_.sessions.release(
      {.client_id = client_id,
       .gateway_instance = incarnation_,
       .issue = issue,
       .state = left ? session::SessionState::Left : session::SessionState::Lost});
}

void GatewayHost::on_own_block(Tick tick, Micros received_us, Micros sent_us) {
  const Micros began_us = tick_start_us(needs_.directory.time(), tick - 1);
  needs_.stages.tick_to_gateway_us.push_back(static_cast<double>(received_us - began_us));
  needs_.stages.hold_us.push_back(static_cast<double>(sent_us - received_us));
}

void GatewayHost::on_techniques(std::uint64_t client_id, std::uint64_t order,
                                const Techniques& techniques) {
  needs_.sessions.orders().answered(order, client_id, to_text(techniques, " "));
}

}  // namespace perigee::lab
