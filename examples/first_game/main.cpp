// first_game_player: hosts a game and plays it in one process, or joins a game hosted elsewhere.
#include <deque>
#include <string>
#include <vector>

#include "game.hpp"
#include "perigee/client/client.hpp"
#include "perigee/embed/server.hpp"
#include "perigee/host/crash_report.hpp"
#include "perigee/host/durable_file.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/output.hpp"
#include "perigee/host/print.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/read_file.hpp"
#include "perigee/host/settings.hpp"
#include "perigee/host/udp_socket.hpp"
#include "pilot.hpp"

namespace {

using namespace perigee;

constexpr std::string_view process = "first_game_player";
constexpr Micros frame_us = 16'667;
constexpr Micros invitation_period_us = 10'000'000;  // one is valid for 30 s
// Address of the host's own player: no socket.
constexpr Address own_address = Address::v4(127, 0, 0, 1, 1);

/// A client and its player. `send` gets every datagram.
class LocalPlayer {
 public:
  using Send = std::function<void(const Address& to, std::span<const std::byte>)>;
  LocalPlayer(const first_game::Game& game, Send send)
      : client_(game, {}), pilot_(client_), send_(std::move(send)) {}

  bool begin(Micros now_us, std::span<const std::byte> token) {
    return client_.begin(now_us, token);
  }
  void receive(Micros now_us, const Address& from, std::span<std::byte> datagram) {
    client_.receive(now_us, from, datagram);
  }
  void frame(Micros now_us) {
    client_.advance(now_us, pilot_);
    while (const auto out = client_.poll_send()) send_(out->to, out->datagram);
    for (const client::CueNews& cue : client_.cues()) {
      if (cue.effect == first_game::lap_cue && cue.state == client::CueState::Played) {
        host::write_output(host::Stream::Out, "a lap!\n");
      }
    }
  }
  void report(Micros now_us) {
    if (!client_.playing()) return;
    for (const client::SceneEntity& entity : client_.scene(now_us)) {
      const auto state = client_.game_state(entity.handle);
      if (!state || entity.type != first_game::runner_row) continue;
      std::string line;
      host::print(line, "%s at %.1f %.1f %.1f, %u laps\n",
                  entity.own ? "I am" : "another player is", entity.world.position.x,
                  entity.world.position.y, entity.world.position.z,
                  state->as<first_game::Runner>().laps);
      host::write_output(host::Stream::Out, line);
    }
  }
  void leave(Micros now_us) {
    client_.disconnect(now_us);
    while (const auto out = client_.poll_send()) send_(out->to, out->datagram);
  }
  bool lost() const { return client_.transport_state() <= transport::ClientState::Disconnected; }

 private:
  client::Client client_;
  first_game::Pilot pilot_;  // in place of keyboard and mouse
  Send send_;
};

struct Options {
  std::string host, join;
  std::string invitation = "invitation";
  std::uint32_t seconds = 0;
};

/// Frames, reports and the end are the same for host and guest. False if it ended because the
/// connection was lost, without a request to end.
bool play(host::Loop& loop, LocalPlayer& player, std::uint32_t seconds) {
  host::Timer frames(loop, [&] {
    player.frame(host::Loop::clock_us());
    if (player.lost()) loop.stop();
  });
  host::Timer reports(loop, [&] { player.report(host::Loop::clock_us()); });
  host::Timer end(loop, [&] { loop.stop(); });
  frames.every(frame_us);
  reports.every(2'000'000);
  if (seconds > 0) end.at(host::Loop::clock_us() + Micros{seconds} * 1'000'000);
  loop.run();
  return !player.lost();
}

void report_faults(embed::Server& server, const first_game::Game& game) {
  for (const world::GameFault& fault : server.take_game_faults()) {
    const world::GameValueRow& row = world::row_of(fault.value);
    host::log_warning("the game returned an invalid value",
                      {{"value", row.name},
                       {"kind", world::type_name(fault, game.types())},
                       {"entity", fault.entity},
                       {"tick", fault.tick.count},
                       {"field", fault.field},
                       {"place", world::place_text(fault)},
                       {"instead", row.instead}});
  }
}

int host_game(const Options& options) {
  const auto address = host::resolve(options.host);
  if (!address) return host::report_failure(process, address.error());
  host::Loop loop;
  const first_game::Game game;
  std::deque<std::vector<std::byte>> to_own;  // datagrams from the server to the local player
  std::optional<host::UdpSocket> socket;
  embed::Server server(game, {.address = *address}, host::Loop::clock_us(),
                       static_cast<std::uint64_t>(host::Loop::wall_us() / 1'000'000),
                       transport::system_random_bytes(),
                       [&](const Address& to, std::span<const std::byte> datagram) {
                         if (to == own_address) {
                           to_own.emplace_back(datagram.begin(), datagram.end());
                         } else {
                           socket->send(to, datagram);
                         }
                       });
  auto opened = host::UdpSocket::open(loop, *address, {}, [&](auto datagrams) {
    for (const host::Datagram& datagram : datagrams) {
      server.receive(datagram.received_us, datagram.from, datagram.bytes);
    }
  });
  if (!opened) return host::report_failure(process, opened.error());
  socket.emplace(std::move(*opened));

  LocalPlayer player(game, [&](const Address&, std::span<const std::byte> datagram) {
    std::vector<std::byte> copy(datagram.begin(), datagram.end());
    server.receive(host::Loop::clock_us(), own_address, copy);
  });
  player.begin(host::Loop::clock_us(), server.invite("host"));
  host::Timer turns(loop, [&] {
    server.advance(host::Loop::clock_us());
    for (; !to_own.empty(); to_own.pop_front()) {
      player.receive(host::Loop::clock_us(), *address, to_own.front());
    }
    report_faults(server, game);
  });
  turns.every(1'000);
  const auto write_invitation = [&] {
    const transport::ConnectToken token = server.invite("guest");
    const auto written = host::write_durably(
        options.invitation, {reinterpret_cast<const char*>(token.data()), token.size()});
    if (!written) host::report_failure(process, written.error());
  };
  host::Timer invitations(loop, write_invitation);
  write_invitation();
  invitations.every(invitation_period_us);
  host::write_output(host::Stream::Out, "hosting on " + options.host + "; players with the file " +
                                            options.invitation +
                                            " can join within half a minute\n");
  const bool asked = play(loop, player, options.seconds);
  player.leave(host::Loop::clock_us());
  server.stop(host::Loop::clock_us());
  socket->flush();
  if (asked) return host::exit_ok;
  return host::report_failure(process,
                              Error{"the host's own player was lost: this program stalled for "
                                    "longer than the time-out of players; host the game again"});
}

int join_game(const Options& options) {
  const auto token = host::read_if_present(options.join);
  if (!token) return host::report_failure(process, token.error());
  if (!*token) {
    return host::report_failure(
        process, Error{"there is no invitation " + options.join + "; create one with --host"});
  }
  host::Loop loop;
  const first_game::Game game;
  const auto bytes = std::as_bytes(std::span((*token)->data(), (*token)->size()));
  const auto read = transport::read_connect_token(bytes);
  if (!read) return host::report_failure(process, Error{options.join + " is not an invitation"});
  std::optional<host::UdpSocket> socket;
  LocalPlayer player(game, [&](const Address& to, std::span<const std::byte> datagram) {
    socket->send(to, datagram);
  });
  auto opened = host::UdpSocket::open(
      loop, Address{read->addresses[0].family, 0, {}}, {}, [&](auto datagrams) {
        for (const host::Datagram& datagram : datagrams) {
          player.receive(datagram.received_us, datagram.from, datagram.bytes);
        }
      });
  if (!opened) return host::report_failure(process, opened.error());
  socket.emplace(std::move(*opened));
  player.begin(host::Loop::clock_us(), bytes);
  const bool asked = play(loop, player, options.seconds);
  player.leave(host::Loop::clock_us());
  socket->flush();
  if (asked) return host::exit_ok;
  return host::report_failure(process, Error{"the host is gone, or the invitation is too old"});
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  host::Settings settings(
      std::string(process),
      "A game in one program: hosts and plays it, or joins one that another player hosts.",
      "  first_game_player --host 127.0.0.1:40500 --invitation /tmp/invitation\n"
      "  first_game_player --join /tmp/invitation\n");
  settings.text("host", &options.host, "address and port to host a game at");
  settings.text("invitation", &options.invitation,
                "file with which one guest can join; renewed continuously");
  settings.text("join", &options.join, "file with an invitation");
  settings.number("seconds", &options.seconds, {0, 86'400}, "s",
                  "duration of play; 0: until Ctrl-C");
  if (const auto exit_code = settings.load(argc, argv)) return *exit_code;
  host::report_crashes(process, {});
  if (options.host.empty() == options.join.empty()) {
    host::report_failure(process, Error{"set either --host ADDRESS:PORT or --join FILE"});
    return host::exit_usage;
  }
  if (const auto crypto = transport::init_crypto(); !crypto) {
    return host::report_failure(process, crypto.error());
  }
  return options.join.empty() ? host_game(options) : join_game(options);
}
