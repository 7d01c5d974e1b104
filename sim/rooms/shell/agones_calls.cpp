#include <array>
#include <charconv>
#include <utility>

#include "agones_impl.hpp"
#include "perigee/base/counts.hpp"
#include "perigee/host/log.hpp"

namespace perigee::rooms {
namespace {

FleetAnswer fleet_answer(const grpc::Status& status) {
  if (status.ok()) return FleetAnswer::Done;
  const auto code = status.error_code();
  return code == grpc::StatusCode::NOT_FOUND || code == grpc::StatusCode::UNIMPLEMENTED
             ? FleetAnswer::NoSuchThing
             : FleetAnswer::Failed;
}

std::string hex(std::uint64_t value) {
  char text[17] = "";
  const auto end = std::to_chars(text, text + sizeof text, value, 16).ptr;
  return {text, end};
}

}  // namespace

/// `method(context, reply, done)` begins the call.
template <class Reply, class Begin>
void Agones::Impl::tell(FleetCall call, Begin method) {
  struct Open : OpenCall {
    Reply reply;
  };
  const auto open = begin<Open>();
  method(&open->context, &open->reply,
         [self = shared_from_this(), open, call](const grpc::Status& received) {
           self->calls.end(open->context, received, [&](const grpc::Status& status) {
             self->on_loop([call, status](Impl& impl) { impl.answered(call, status); });
           });
         });
}

void Agones::Impl::answered(FleetCall call, const grpc::Status& status) {
  static constexpr std::array<std::string_view, enum_count<FleetCall>> names{
      "Ready", "Allocate", "Shutdown", "the counter rooms", "the counter players", "the label"};
  const std::string_view name = names[static_cast<std::size_t>(call)];
  const FleetAnswer answer = fleet_answer(status);
  member.on_answer(host::Loop::clock_us(), call, answer);
  if (answer == FleetAnswer::Failed) return note(status, name);
  if (answer == FleetAnswer::Done && call <= FleetCall::Shutdown) {
    host::log_info("told the sidecar of Agones", {{"what", name}});
  }
  if (answer != FleetAnswer::NoSuchThing) return;
  host::log_warning("Agones does not have what this process tells it; add it to spec.counters",
                    {{"what", name}, {"why", status.error_message()}});
}

void Agones::Impl::set_counter(FleetCall call, const char* name, std::uint32_t count,
                               std::uint32_t capacity) {
  auto request = std::make_shared<sdk::beta::UpdateCounterRequest>();
  auto& update = *request->mutable_counterupdaterequest();
  update.set_name(name);
  update.mutable_count()->set_value(count);
  update.mutable_capacity()->set_value(capacity);
  tell<sdk::beta::Counter>(call, [&](auto* context, auto* reply, const auto& done) {
    counters->async()->UpdateCounter(context, request.get(), reply,
                                     [request, done](const grpc::Status& status) { done(status); });
  });
}

void Agones::Impl::make(FleetCall call) {
  static const sdk::Empty nothing;
  switch (call) {
    case FleetCall::Ready:
      return tell<sdk::Empty>(call, [&](auto* context, auto* reply, const auto& done) {
        stub->async()->Ready(context, &nothing, reply, done);
      });
    case FleetCall::Allocate:
      return tell<sdk::Empty>(call, [&](auto* context, auto* reply, const auto& done) {
        stub->async()->Allocate(context, &nothing, reply, done);
      });
    case FleetCall::Shutdown:
      return tell<sdk::Empty>(call, [&](auto* context, auto* reply, const auto& done) {
        stub->async()->Shutdown(context, &nothing, reply, done);
      });
    case FleetCall::LabelSchema: {
      auto label = std::make_shared<sdk::KeyValue>();
      label->set_key("perigee-schema");
      label->set_value(hex(options.schema_hash));
      return tell<sdk::Empty>(call, [&](auto* context, auto* reply, const auto& done) {
        stub->async()->SetLabel(context, label.get(), reply,
                                [label, done](const grpc::Status& status) { done(status); });
      });
    }
    case FleetCall::CountRooms:
      return set_counter(call, "rooms", figures->rooms, options.rooms_max);
    case FleetCall::CountPlayers:
      return set_counter(call, "players", figures->players, options.clients_max);
  }
}

}  // namespace perigee::rooms
