#include "log_ins.hpp"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "perigee/base/hash.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/host/call_within.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "rooms.grpc.pb.h"
#include "session.grpc.pb.h"

namespace perigee::bots {
namespace v1 = session::v1;

std::uint64_t player_id_of(std::uint64_t seed, std::uint32_t player) {
  return std::max<std::uint64_t>(mix64(seed, std::uint64_t{player}), 1);
}

struct LogIns::Impl : std::enable_shared_from_this<Impl> {
  Impl(host::Loop& l, LogInOptions o, Events e)
      : loop(l),
        options(std::move(o)),
        events(std::move(e)),
        stub(v1::Session::NewStub(options.channel)),
        rooms_stub(perigee::rooms::v1::Rooms::NewStub(options.channel)) {}

  /// A connect token, and the address to which it belongs.
  struct Pass {
    std::string token, gateway;
  };
  void run();
  template <class Stub, class Request, class Reply>
  grpc::Status call(Stub& at,
                    grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
                    const Request& request, Reply& reply);
  grpc::Status log_in(std::uint32_t player, Pass& pass);
  grpc::Status invite(std::uint32_t player, Pass& pass);
  std::string name_of(std::uint32_t player) const {
    return player < options.bots ? "bot-" + std::to_string(player)
                                 : "thin-" + std::to_string(player - options.bots);
  }
  const char* service() const { return options.rooms_of > 0 ? "perigee-rooms" : "perigee-session"; }
  /// False once stopped.
  bool sleep(Micros us) {
    std::unique_lock lock(mutex);
    wake.wait_for(lock, std::chrono::microseconds(us), [&] { return stopped; });
    return !stopped;
  }
  void stop() {
    {
      const std::lock_guard lock(mutex);
      stopped = true;
      if (current != nullptr) current->TryCancel();
    }
    wake.notify_all();
    thread.join();
  }
  template <class Call>
  void deliver(Call call) {
    loop.post([weak = weak_from_this(), call = std::move(call)] {
      if (const auto self = weak.lock()) call(self->events);
    });
  }

  host::Loop& loop;
  const LogInOptions options;
  const Events events;
  const std::unique_ptr<v1::Session::Stub> stub;
  const std::unique_ptr<perigee::rooms::v1::Rooms::Stub> rooms_stub;
  std::optional<std::uint64_t> room;  ///< that fills at present
  std::uint32_t in_room = 0;
  std::thread thread;
  std::mutex mutex;
  std::condition_variable wake;
  bool stopped = false;                    // guarded by mutex
  grpc::ClientContext* current = nullptr;  // guarded by mutex
};

template <class Stub, class Request, class Reply>
grpc::Status LogIns::Impl::call(Stub& at,
                                grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                             Reply*),
                                const Request& request, Reply& reply) {
  grpc::ClientContext context;
  context.set_wait_for_ready(true);
  {
    const std::lock_guard lock(mutex);
    if (stopped) return grpc::Status::CANCELLED;
    current = &context;
  }
  const grpc::Status status = host::call_within(std::chrono::microseconds(call_deadline_us),
                                                context, at, method, request, reply);
  const std::lock_guard lock(mutex);
  current = nullptr;
  return status;
}

grpc::Status LogIns::Impl::log_in(std::uint32_t player, Pass& pass) {
  v1::LogInRequest request;
  request.set_player_name(name_of(player));
  request.set_credential(options.secret);
  request.set_wire_version(wire_version);
  request.set_schema_hash(options.schema_hash);
  if (options.region) request.set_wanted_region(*options.region);
  v1::LogInReply reply;
  const grpc::Status status = call(*stub, &v1::Session::Stub::LogIn, request, reply);
  pass = {reply.connect_token(), reply.gateway_address()};
  return status;
}

grpc::Status LogIns::Impl::invite(std::uint32_t player, Pass& pass) {
  namespace games = perigee::rooms::v1;
  if (!room) {
    games::CreateRoomRequest wanted;
    wanted.set_label("bots");
    wanted.set_players_max(options.rooms_of);
    games::Room made;
    const grpc::Status status = call(*rooms_stub, &games::Rooms::Stub::CreateRoom, wanted, made);
    if (!status.ok()) return status;
    room = made.room();
    in_room = 0;
  }
  games::InviteRequest request;
  request.set_room(*room);
  request.set_name(name_of(player));
  request.set_player_id(player_id_of(options.seed, player));
  request.set_wire_version(wire_version);
  request.set_schema_hash(options.schema_hash);
  games::InviteReply reply;
  grpc::Status status = call(*rooms_stub, &games::Rooms::Stub::Invite, request, reply);
  const auto code = status.error_code();
  const bool gone =
      code == grpc::StatusCode::NOT_FOUND || code == grpc::StatusCode::FAILED_PRECONDITION;
  if (gone || (code == grpc::StatusCode::RESOURCE_EXHAUSTED && in_room > 0)) {
    // It has ended or filled up since. A process without a place for the first player of a room
    // would have none in a further room either.
    room.reset();
    if (in_room > 0) return invite(player, pass);
  }
  if (!status.ok()) return status;
  pass = {reply.connect_token(), reply.address()};
  if (++in_room == options.rooms_of) room.reset();
  return status;
}

void LogIns::Impl::run() {
  Micros patient_until_us = host::Loop::clock_us() + patience_us;
  Micros next_us = host::Loop::clock_us();
  bool unreachable = false;
  for (std::uint32_t player = 0; player < options.bots + options.thin; ++player) {
    Pass pass;
    grpc::Status status(grpc::StatusCode::DEADLINE_EXCEEDED, "");
    while (!unreachable) {
      status = options.rooms_of > 0 ? invite(player, pass) : log_in(player, pass);
      const bool come_back = status.error_code() == grpc::StatusCode::UNAVAILABLE ||
                             status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED;
      if (!come_back || host::Loop::clock_us() > patient_until_us) break;
      if (!sleep(100'000)) return;
    }
    if (status.ok()) {
      patient_until_us = host::Loop::clock_us() + patience_us;
      deliver([player, pass](const Events& e) { e.admitted(player, pass.token, pass.gateway); });
    } else {
      // The others would wait just as long for the same answer.
      unreachable = status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
      deliver([player, reason = unreachable ? std::string(service()) + " at " + options.session +
                                                  " does not answer; is it running?"
                                            : status.error_message()](const Events& e) {
        e.refused(player, reason);
      });
    }
    next_us = std::max(next_us + 1'000'000 / options.per_s, host::Loop::clock_us());
    if (!unreachable && !sleep(next_us - host::Loop::clock_us())) return;
  }
}

LogIns::LogIns(host::Loop& loop, LogInOptions options, Events events)
    : impl_(std::make_shared<Impl>(loop, std::move(options), std::move(events))) {
  impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
}
LogIns::~LogIns() { impl_->stop(); }

}  // namespace perigee::bots
