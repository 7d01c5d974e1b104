// Readers of the directory: the map for members and operators, the time, and status.
#include <algorithm>

#include <utility>

#include "perigee/host/caller.hpp"
#include "perigee/host/loop.hpp"
#include "service.hpp"

namespace perigee::directory {
namespace {

grpc::ServerUnaryReactor* answer(grpc::CallbackServerContext* context, const grpc::Status& status) {
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  reactor->Finish(status);
  return reactor;
}

}  // namespace

grpc::Status Service::not_leading() const {
  const auto may = leadership_.may_decide();
  return {grpc::StatusCode::ABORTED, may ? "" : may.error().message};
}

grpc::ServerWriteReactor<v1::ClusterMap>* Service::WatchMap(grpc::CallbackServerContext* context,
                                                            const v1::WatchMapRequest* request) {
  auto may = host::may_call(context->peer(), host::rights::readers);
  if (!may.ok()) return MapStream::refuse(std::move(may));
  const auto seen = view();
  return seen->sent ? watchers_.add(*context, request->differences())
                    : MapStream::refuse(not_leading(*seen));
}

grpc::ServerUnaryReactor* Service::GetTime(grpc::CallbackServerContext* context,
                                           const v1::GetTimeRequest*, v1::GetTimeReply* reply) {
  const auto may = host::may_call(context->peer(), host::rights::readers);
  if (!may.ok()) return answer(context, may);
  const auto seen = view();
  if (!seen->sent) return answer(context, not_leading(*seen));
  reply->set_wall_us(seen->clock.at(host::Loop::clock_us()));
  return answer(context, grpc::Status::OK);
}

grpc::ServerUnaryReactor* Service::ListMap(grpc::CallbackServerContext* context,
                                           const v1::ListMapRequest*, v1::ClusterMap* reply) {
  const auto may = host::may_call(context->peer(), host::rights::readers);
  if (!may.ok()) return answer(context, may);
  const auto seen = view();
  if (!seen->sent) return answer(context, not_leading(*seen));
  *reply = seen->listed(seen->clock.at(host::Loop::clock_us()));
  return answer(context, grpc::Status::OK);
}

/// Normally the loop's thread checks the lease. If it did not, because the whole process stood
/// still, the first reader does. A writer that holds the mutex has checked, or is about to.
std::shared_ptr<const View> Service::view() {
  if (host::Loop::clock_us() - checked_us_ > unchecked_us_max) {
    const Lock lock(mutex_, std::try_to_lock);
    if (lock) settle_with_store();
  }
  return newest_.get();
}

// A directory that no longer leads sends its watchers nothing: the last map they have stays valid
// until the new leader sends another.
void Service::show(bool reports) {
  const auto& sent = leadership_.sent();
  const std::string why_not = sent ? std::string() : not_leading().error_message();
  const bool changed = shown_->sent != sent || shown_->why_not != why_not;
  if (!changed && !(reports && reported_)) return;
  reported_ = false;
  const auto next = std::make_shared<View>();
  next->sent = sent;
  next->why_not = why_not;
  if (sent) {
    next->clock.offset_us = leadership_.now_us() - checked_us_;
    next->map = shown_->sent == sent ? shown_->map
                                     : std::make_shared<const v1::ClusterMap>(
                                           map_message(*sent, leadership_.core()->balances()));
    add_reports(*next);
    const std::uint64_t version = sent->map.version;
    if (std::exchange(sent_version_, version) != version) watchers_.send(next->map);
  }
  shown_ = next;
  newest_.set(next);
}

void Service::add_reports(View& out) {
  const Core& core = *leadership_.core();
  for (const WorkerEntry& worker : out.sent->map.workers) {
    out.loads.push_back(load_of(core.report_of(worker.slot)));
  }
  out.regions = core.views();
  for (const auto& [name, refused] : refused_) {
    out.refused.push_back({name, refused.why, refused.when_us});
  }
}

Service::Stats Service::stats() {
  const Lock lock = enter();
  Stats out{.leads = leadership_.core() != nullptr,
            .store_answers = leadership_.store_answers(),
            .terms = leadership_.terms(),
            .tally = leadership_.tally(),
            .refusals = refusals_,
            .watchers = watchers_.watching(),
            .saved = leadership_.saved(),
            .save_failures = leadership_.save_failures(),
            .signed_off = signed_off_,
            .suspicions_refuted = suspicions_refuted_};
  if (!out.leads) return out;
  const Core& core = *leadership_.core();
  out.map = leadership_.sent()->map;
  out.fabric_epoch = leadership_.sent()->fabric.send;
  out.handle_blocks_left = core.handle_blocks_left(leadership_.now_us());
  out.imbalance = core.imbalance();
  for (const auto& [region, view] : core.views()) out.away += view.away;
  for (const WorkerEntry& worker : out.map.workers) {
    const WorkerReport* report = core.report_of(worker.slot);
    if (report == nullptr) continue;
    out.overloaded += report->level == OverloadLevel::Relief ? 1U : 0U;
    out.largest_island_ms = std::max(out.largest_island_ms, report->largest_island_ms);
  }
  return out;
}

std::string Service::not_ready_because() {
  const Lock lock = enter();
  const auto well = leadership_.well();
  return well ? std::string() : well.error().message;
}

std::optional<Error> Service::hopeless() {
  const Lock lock = enter();
  return leadership_.hopeless();
}

}  // namespace perigee::directory
