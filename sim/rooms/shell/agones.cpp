#include "agones.hpp"

#include <cstdlib>
#include <utility>

#include "agones_impl.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/log.hpp"

namespace perigee::rooms {
namespace {

constexpr Micros beat_us = 100'000;
constexpr Micros retry_us = 1'000'000;
/// A sign of life that the sidecar has not taken for so long: another stream.
constexpr Micros stuck_us_max = 5'000'000;
constexpr int sidecar_bytes_max = 1 << 20;

}  // namespace

std::string agones_target() {
  const char* const port = std::getenv("AGONES_SDK_GRPC_PORT");
  return std::string("127.0.0.1:") + (port == nullptr || *port == '\0' ? "9357" : port);
}

Agones::Impl::Impl(host::Loop& l, AgonesOptions o, Events e)
    : loop(l),
      options(std::move(o)),
      events(std::move(e)),
      channel(host::open_channel(options.target, {.message_bytes_max = sidecar_bytes_max})),
      stub(sdk::SDK::NewStub(channel)),
      counters(sdk::beta::SDK::NewStub(channel)) {}

void Agones::Impl::start() {
  timer.emplace(loop, [this] { beat(); });
  timer->every(beat_us);
}

void Agones::Impl::beat() {
  const Micros now_us = host::Loop::clock_us();
  calls.cancel_late(now_us);
  keep_health(now_us);
  keep_watch(now_us);
  ask_once(now_us);
  if (!figures) return;
  if (figures->ended && !ended_at_us) ended_at_us = now_us;
  while (const auto call = member.next(now_us, *figures)) make(*call);
}

void Agones::Impl::keep_health(Micros now_us) {
  if (!health) {
    if (now_us < health_retry_at_us) return;
    {
      const std::lock_guard lock(mutex);
      ++streams;
    }
    beaten_at_us = now_us - health_us;
    health = HealthStream::open(*stub, [self = shared_from_this()](const grpc::Status& status) {
      self->on_loop([status](Impl& impl) {
        impl.health.reset();
        impl.health_retry_at_us = host::Loop::clock_us() + retry_us;
        impl.note(status, "signs of life");
      });
      const std::lock_guard lock(self->mutex);
      --self->streams;
      self->changed.notify_all();
    });
  }
  if (now_us - beaten_at_us < health_us) return;
  if (health->beat()) {
    beaten_at_us = now_us;
  } else if (now_us - beaten_at_us > stuck_us_max) {
    health->close();
  }
}

void Agones::Impl::keep_watch(Micros now_us) {
  if (watch || now_us < watch_retry_at_us) return;
  {
    const std::lock_guard lock(mutex);
    ++streams;
  }
  informed = false;
  watch = WatchStream::open(
      *stub,
      [self = shared_from_this()](const sdk::GameServer& server) {
        GameServerNews seen = read_game_server(server);
        {
          const std::lock_guard lock(self->mutex);
          if (self->last_seen == seen) return;
          self->last_seen = seen;
        }
        self->on_loop([seen = std::move(seen)](Impl& impl) { impl.on_seen(seen); });
      },
      [self = shared_from_this()](const grpc::Status& status) {
        self->on_loop([status](Impl& impl) {
          impl.watch.reset();
          impl.watch_retry_at_us = host::Loop::clock_us() + retry_us;
          impl.note(status, "the watch of its game server");
        });
        const std::lock_guard lock(self->mutex);
        --self->streams;
        self->changed.notify_all();
      });
}

/// A watch may say nothing before the first change.
void Agones::Impl::ask_once(Micros now_us) {
  if (informed || now_us < ask_at_us) return;
  struct Open : OpenCall {
    sdk::GameServer server;
  };
  static const sdk::Empty nothing;
  ask_at_us = now_us + call_us_max + retry_us;
  const auto open = begin<Open>();
  stub->async()->GetGameServer(
      &open->context, &nothing, &open->server,
      [self = shared_from_this(), open](const grpc::Status& received) {
        self->calls.end(open->context, received, [&](const grpc::Status& status) {
          self->on_loop([news = read_game_server(open->server), status](Impl& impl) {
            impl.ask_at_us = host::Loop::clock_us() + retry_us;
            if (!status.ok()) return impl.note(status, "its game server");
            if (!std::exchange(impl.informed, true)) impl.on_seen(news);
          });
        });
      });
}

void Agones::Impl::on_seen(const GameServerNews& seen) {
  informed = true;
  if (std::exchange(complained, false)) host::log_info("the sidecar of Agones answers again");
  health_us = seen.health_us;
  if (!seen.dialled.empty() && std::exchange(found, seen.dialled) != seen.dialled) {
    events.found(seen.dialled);
  }
  if (const auto state = fleet_state(seen.state)) {
    member.on_state(host::Loop::clock_us(), *state);
  }
  if ((member.told_to_leave() || seen.being_deleted) && !std::exchange(left, true)) events.leave();
}

/// A sidecar that is away causes one line, and not one for each attempt.
void Agones::Impl::note(const grpc::Status& status, std::string_view what) {
  if (status.ok() || std::exchange(complained, true)) return;
  host::log_warning("the sidecar of Agones does not answer; trying again",
                    {{"at", options.target}, {"what", what}, {"why", status.error_message()}});
}

/// Waits until gRPC has ended everything, which it does at once after a cancellation.
void Agones::Impl::stop() {
  timer.reset();
  if (health) health->close();
  if (watch) watch->close();
  calls.stop();
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return streams == 0; });
  health.reset();
  watch.reset();
}

Agones::Agones(host::Loop& loop, AgonesOptions options, Events events)
    : impl_(std::make_shared<Impl>(loop, std::move(options), std::move(events))) {
  impl_->start();
}
Agones::~Agones() { impl_->stop(); }

void Agones::show(const FleetFigures& figures) { impl_->figures = figures; }

bool Agones::done() const {
  return impl_->member.shut_down() ||
         (impl_->ended_at_us && host::Loop::clock_us() - *impl_->ended_at_us > farewell_us_max);
}

}  // namespace perigee::rooms
