#include "control.hpp"

namespace perigee::directory {
namespace {

template <class T>
std::optional<Error> refusal(const Result<T>& result) {
  return result ? std::nullopt : std::optional(result.error());
}

}  // namespace

grpc::Status Control::order(const grpc::ServerContext& context, std::string_view act,
                            const google::protobuf::Message& request, const Order& done) {
  return audit_.run(context.peer(), host::rights::operators_map, act, request,
                    [&] { return service_.order(done); });
}

grpc::Status Control::SplitRegion(grpc::ServerContext* context,
                                  const v1::SplitRegionRequest* request,
                                  v1::SplitRegionReply* reply) {
  std::optional<Axis> axis;
  if (request->axis() != v1::AXIS_LONGEST) axis = static_cast<Axis>(request->axis() - v1::AXIS_X);
  std::optional<double> at_m;
  if (request->has_at_m()) at_m = request->at_m();
  return order(*context, "SplitRegion", *request, [&](Core& core, Micros now_us) {
    const auto part = core.split(now_us, RegionId{request->region()}, axis, at_m);
    if (part) reply->set_part(part->number);
    return refusal(part);
  });
}

grpc::Status Control::MergeRegion(grpc::ServerContext* context,
                                  const v1::MergeRegionRequest* request, v1::MergeRegionReply*) {
  return order(*context, "MergeRegion", *request, [&](Core& core, Micros now_us) {
    return refusal(core.merge(now_us, RegionId{request->region()}));
  });
}

grpc::Status Control::MoveRegion(grpc::ServerContext* context, const v1::MoveRegionRequest* request,
                                 v1::MoveRegionReply*) {
  return order(*context, "MoveRegion", *request, [&](Core& core, Micros now_us) {
    return refusal(core.move(now_us, RegionId{request->region()}, request->worker()));
  });
}

grpc::Status Control::DrainWorker(grpc::ServerContext* context,
                                  const v1::DrainWorkerRequest* request, v1::DrainWorkerReply*) {
  return order(*context, "DrainWorker", *request, [&](Core& core, Micros now_us) {
    return refusal(core.drain(now_us, request->worker()));
  });
}

grpc::Status Control::UndrainWorker(grpc::ServerContext* context,
                                    const v1::UndrainWorkerRequest* request,
                                    v1::UndrainWorkerReply*) {
  return order(*context, "UndrainWorker", *request,
               [&](Core& core, Micros) { return refusal(core.undrain(request->worker())); });
}

grpc::Status Control::KillWorker(grpc::ServerContext* context, const v1::KillWorkerRequest* request,
                                 v1::KillWorkerReply* reply) {
  return order(*context, "KillWorker", *request, [&](Core& core, Micros now_us) {
    const auto successor = core.kill(now_us, request->worker(), request->force());
    if (successor && *successor) reply->set_successor(core.worker_name(**successor));
    return refusal(successor);
  });
}

grpc::Status Control::ResolveIncarnation(grpc::ServerContext* context,
                                         const v1::ResolveIncarnationRequest* request,
                                         v1::ResolveIncarnationReply*) {
  return order(*context, "ResolveIncarnation", *request, [&](Core& core, Micros) {
    return refusal(core.resolve(HandleBlock{request->incarnation()}));
  });
}

grpc::Status Control::SetBalance(grpc::ServerContext* context, const v1::SetBalanceRequest* request,
                                 v1::SetBalanceReply*) {
  return order(*context, "SetBalance", *request, [&](Core& core, Micros) {
    core.set_balance(request->on());
    return std::optional<Error>();
  });
}

grpc::Status Control::SetRate(grpc::ServerContext* context, const v1::SetRateRequest* request,
                              v1::SetRateReply*) {
  std::optional<std::uint32_t> percent;
  if (request->has_percent()) percent = request->percent();
  return order(*context, "SetRate", *request,
               [&](Core& core, Micros now_us) { return refusal(core.set_rate(now_us, percent)); });
}

grpc::Status Control::ChangeFabricKeys(grpc::ServerContext* context,
                                       const v1::ChangeFabricKeysRequest* request,
                                       v1::ChangeFabricKeysReply*) {
  return order(*context, "ChangeFabricKeys", *request,
               [&](Core& core, Micros) { return refusal(core.change_fabric_keys()); });
}

}  // namespace perigee::directory
