// For gateways: their orders. For operators: orders of techniques.
#include "perigee/host/log.hpp"
#include "service.hpp"

namespace perigee::session {
namespace {

grpc::StatusCode code_of(OrderRefusal refusal) {
  switch (refusal) {
    case OrderRefusal::BadSettings:
      return grpc::StatusCode::INVALID_ARGUMENT;
    case OrderRefusal::NoSession:
      return grpc::StatusCode::NOT_FOUND;
    case OrderRefusal::NotConnected:
      return grpc::StatusCode::FAILED_PRECONDITION;
    case OrderRefusal::TooMany:
      return grpc::StatusCode::RESOURCE_EXHAUSTED;
    case OrderRefusal::NoGateway:
    case OrderRefusal::StoreFailed:
      return grpc::StatusCode::UNAVAILABLE;
  }
  return grpc::StatusCode::INTERNAL;
}

v1::Orders message_of(const std::vector<GatewayOrder>& gateway_orders) {
  v1::Orders message;
  for (const GatewayOrder& gateway_order : gateway_orders) {
    if (const auto* kick = std::get_if<Kick>(&gateway_order)) {
      message.add_kicked_client_ids(kick->client_id);
    } else if (const auto* ordered = std::get_if<OrderedTechniques>(&gateway_order)) {
      v1::TechniqueOrder& order = *message.add_techniques();
      order.set_client_id(ordered->client_id);
      order.set_order(ordered->order);
      order.set_settings(ordered->settings);
    }
  }
  return message;
}

}  // namespace

grpc::Status ControlService::WatchOrders(grpc::ServerContext* context,
                                         const v1::WatchOrdersRequest*,
                                         grpc::ServerWriter<v1::Orders>* writer) {
  if (auto may = host::may_call(context->peer(), host::rights::gateways); !may.ok()) return may;
  std::uint64_t seen = 0;
  auto gateway_orders = server_.begin_watch(seen);
  if (!gateway_orders) return {grpc::StatusCode::UNAVAILABLE, "too many watchers; try again later"};
  // The first message confirms the watch, even if there is nothing to kick.
  for (bool first = true; gateway_orders && !context->IsCancelled(); first = false) {
    if ((first || !gateway_orders->empty()) && !writer->Write(message_of(*gateway_orders))) break;
    gateway_orders = server_.next_gateway_orders(seen);
  }
  server_.end_watch();
  return gateway_orders
             ? grpc::Status::OK
             : grpc::Status(grpc::StatusCode::UNAVAILABLE, "the session service is stopping");
}

grpc::Status ControlService::ReportTechniques(grpc::ServerContext* context,
                                              const v1::ReportTechniquesRequest* request,
                                              v1::ReportTechniquesReply*) {
  if (auto may = host::may_call(context->peer(), host::rights::gateways); !may.ok()) return may;
  server_.report(request->order(), request->client_id(), request->techniques());
  return grpc::Status::OK;
}

/// An order without settings only shows those in use.
grpc::Status ControlService::OrderTechniques(grpc::ServerContext* context,
                                             const v1::OrderTechniquesRequest* request,
                                             v1::OrderTechniquesReply* reply) {
  if (request->settings().empty()) {
    auto may = host::may_call(context->peer(), host::rights::operators_read);
    return may.ok() ? order(request, reply) : may;
  }
  return audit_.run(context->peer(), host::rights::operators_players, "OrderTechniques", *request,
                    [&] { return order(request, reply); });
}

grpc::Status ControlService::order(const v1::OrderTechniquesRequest* request,
                                   v1::OrderTechniquesReply* reply) {
  const int whom = (request->client_id() != 0 ? 1 : 0) + (request->player_name().empty() ? 0 : 1) +
                   (request->everybody() ? 1 : 0);
  if (whom != 1) {
    return {grpc::StatusCode::INVALID_ARGUMENT, "set one of client_id, player_name and everybody"};
  }
  const auto answer = server_.order(
      {request->client_id(), request->player_name(), request->everybody()}, request->settings());
  if (const auto* refused = std::get_if<OrderRefused>(&answer)) {
    return {code_of(refused->reason), refused->sentence};
  }
  const auto& players = std::get<std::vector<TechniquesInUse>>(answer);
  for (const TechniquesInUse& player : players) {
    v1::TechniquesInUse& sent = *reply->add_players();
    sent.set_client_id(player.client_id);
    sent.set_player_name(player.player_name);
    sent.set_techniques(player.techniques);
  }
  if (!request->settings().empty()) {
    host::log_info("techniques ordered",
                   {{"settings", request->settings()},
                    {"whom", request->everybody() ? "everybody" : players[0].player_name},
                    {"players", players.size()}});
  }
  return grpc::Status::OK;
}

}  // namespace perigee::session
