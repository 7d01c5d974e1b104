#include "crowd.hpp"

#include <algorithm>

#include "perigee/base/bytes.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/host/print.hpp"

namespace perigee::bots {
namespace {

/// For one player's traffic: 60 packets/s in each direction and a burst.
constexpr host::UdpOptions socket_options{
    .kernel_buffer_bytes = 256 << 10, .send_queue_datagrams = 8, .read_datagrams = 8};

const char* describe(transport::ClientState state) {
  switch (state) {
    case transport::ClientState::Expired:
      return "its token expired before the connection was established";
    case transport::ClientState::InvalidToken:
      return "its token was invalid";
    case transport::ClientState::TimedOut:
      return "the gateway stopped responding";
    case transport::ClientState::ResponseTimedOut:
    case transport::ClientState::RequestTimedOut:
      return "the gateway did not answer";
    case transport::ClientState::Denied:
      return "the gateway is full, or the session was ended";
    default:
      return "the gateway ended the connection";
  }
}

}  // namespace

Crowd::Crowd(host::Loop& loop, const world::GameModule& game, const PlayOptions& options,
             Share share, Reports reports)
    : loop_(loop),
      options_(options),
      share_(share),
      reports_(std::move(reports)),
      schedule_(share.count(options.players()), Schedule::packets_for(options.link)),
      samples_(std::size_t{share.count(options.bots)} * (options.seconds + 60)),
      corrections_(options.recorded_beyond_m.value_or(0)),
      began_us_(host::Loop::clock_us()),
      due_(loop,
           [this] {
             armed_us_.reset();
             run_due();
           }),
      goodbye_(loop, [this] { leave(); }) {
  for (std::uint32_t place = 0; place < share.count(options.players()); ++place) {
    add_player(game, share.player(place));
  }
}

Crowd::~Crowd() = default;

void Crowd::add_player(const world::GameModule& game, std::uint32_t number) {
  client::Settings settings{.techniques = options_.techniques};
  const std::uint64_t seed = mix64(options_.seed, std::uint64_t{number});
  if (number < options_.bots) {
    if (options_.recorded_beyond_m) settings.recorder.emplace();
    auto bot = std::make_unique<Bot>(game, settings, seed, options_);
    bots_.push_back(bot.get());
    players_.push_back(std::move(bot));
  } else {
    auto bot = std::make_unique<ThinBot>(game, settings, seed, options_.gap_us);
    thin_.push_back(bot.get());
    players_.push_back(std::move(bot));
  }
  const LinkPair link = options_.link.value_or(LinkPair{});
  endpoints_.push_back({.socket = std::nullopt,
                        .up = LinkSimulator(link.up, options_.seed, number, 0),
                        .down = LinkSimulator(link.down, options_.seed, number, 1)});
}

void Crowd::admitted(std::uint32_t player, const std::string& token, const std::string& gateway) {
  const auto address = parse_address(gateway);
  if (!address) return refused(player, address.error().message);
  const std::uint32_t place = share_.place(player);
  const Address any{address->family, 0, {}};
  auto socket = host::UdpSocket::open(loop_, any, socket_options, [this, place](auto datagrams) {
    on_datagrams(place, datagrams);
  });
  if (!socket) return refused(player, socket.error().message);
  endpoints_[place].socket.emplace(std::move(*socket));
  const Micros now_us = host::Loop::clock_us();
  if (!players_[place]->begin(now_us, as_bytes_of(token.data(), token.size()))) {
    reports_.say("the session service sent an invalid connect token");
  }
  // Spread over a frame, like the clients of real players.
  schedule_.add_frame(now_us + frame_us * player / options_.players(), place);
  run_due();
}

void Crowd::refused(std::uint32_t player, const std::string& reason) {
  players_[share_.place(player)]->refuse();
  reports_.say("log-in refused: " + reason);
}

void Crowd::log_ins_over() {
  log_ins_over_ = true;
  look_for_hope();
}

void Crowd::look_for_hope() {
  const bool hope = std::ranges::any_of(players_, [](const auto& one) { return one->hopeful(); });
  if (log_ins_over_ && !hope && !std::exchange(hopeless_, true)) reports_.hopeless();
}

void Crowd::run_due() {
  woken_us_ = host::Loop::clock_us();
  schedule_.run(woken_us_, turn_entries_max, [this](const Schedule::Entry& entry, Packet* packet) {
    if (entry.what == Due::Up) {
      endpoints_[entry.bot].socket->send(packet->peer, packet->bytes());
    } else if (finished_) {
      return;
    } else if (entry.what == Due::Frame) {
      frame(entry.bot, entry.due_us);
    } else {
      players_[entry.bot]->receive(entry.due_us, packet->peer, packet->bytes());
    }
  });
  await_next();
}

// A large crowd has an event every few microseconds: a wake-up for each would cost more than the
// events.
void Crowd::await_next() {
  std::optional<Micros> next_us = schedule_.next_us();
  if (!next_us) return;
  if (players_.size() > sparse_players_max) *next_us = std::max(*next_us, woken_us_ + wake_us_min);
  if (armed_us_ == next_us) return;
  armed_us_ = next_us;
  due_.at(*next_us);
}

void Crowd::frame(std::uint32_t place, Micros due_us) {
  const Micros now_us = host::Loop::clock_us();
  Player& player = *players_[place];
  const std::uint32_t number = share_.player(place);
  const std::uint32_t avatars = player.avatars_changed();
  player.frame(now_us);
  if (player.avatars_changed() != avatars) say_avatar(number);
  if (reports_.outcomes && number < options_.bots) {
    const auto outcomes = static_cast<const Bot&>(player).client().outcomes();
    if (!outcomes.empty()) reports_.outcomes(number, outcomes);
  }
  send(place);
  if (player.phase() == Phase::Lost) {
    reports_.say(std::string("a bot lost its connection: ") + describe(player.transport().state()));
    return look_for_hope();
  }
  const Micros next_us = due_us + frame_us;
  const bool skips = now_us - next_us > hitch_us_max;
  if (skips) frames_skipped_ += static_cast<std::uint64_t>((now_us - next_us) / frame_us);
  schedule_.add_frame(skips ? now_us + frame_us : next_us, place);
}

void Crowd::say_avatar(std::uint32_t number) {
  const double unix_s = static_cast<double>(host::Loop::wall_us()) * 1e-6;
  std::string text;
  host::print(text, "bot %u has another avatar since %.3f", number, unix_s);
  reports_.say(text);
}

void Crowd::send(std::uint32_t place) {
  Endpoint& endpoint = endpoints_[place];
  while (const auto out = players_[place]->poll_send()) {
    hold_back(Due::Up, place, endpoint.up, host::Loop::clock_us(), out->to, out->datagram);
  }
}

void Crowd::on_datagrams(std::uint32_t place, std::span<const host::Datagram> datagrams) {
  if (finished_) return;
  if (!options_.link) {
    for (const host::Datagram& datagram : datagrams) {
      players_[place]->receive(datagram.received_us, datagram.from, datagram.bytes);
    }
    return;
  }
  Endpoint& endpoint = endpoints_[place];
  for (const host::Datagram& datagram : datagrams) {
    endpoint.down_us = std::max(endpoint.down_us, datagram.received_us);
    hold_back(Due::Down, place, endpoint.down, endpoint.down_us, datagram.from, datagram.bytes);
  }
  await_next();
}

void Crowd::hold_back(Due way, std::uint32_t place, LinkSimulator& link, Micros at_us,
                      const Address& peer, std::span<const std::byte> bytes) {
  if (!options_.link) return endpoints_[place].socket->send(peer, bytes);
  // Link time counts from the start, so that a seed gives the same impairments at the same seconds.
  const LinkSimulator::Fate fate = link.send(at_us - began_us_, bytes.size());
  for (const auto& arrives_us : {fate.arrives_us, fate.duplicate_us}) {
    if (!arrives_us) continue;
    if (!schedule_.add_packet(began_us_ + *arrives_us, way, place, peer, bytes)) ++held_back_lost_;
  }
}

Progress Crowd::each_second() {
  const Micros now_us = host::Loop::clock_us();
  for (const Bot* bot : bots_) {
    if (bot->phase() == Phase::Playing && bot->measured_s(now_us) > 0) samples_.take(*bot);
  }
  return progress_of(bots_, thin_, now_us);
}

std::optional<WorstCorrection> Crowd::worst_correction() {
  if (!options_.recorded_beyond_m) return std::nullopt;
  return corrections_.each_second(bots_);
}

// The players leave after their last inputs are applied, so that every input counts.
void Crowd::finish() {
  if (std::exchange(finished_, true)) return;
  const Micros now_us = host::Loop::clock_us();
  for (const auto& player : players_) player->end_gaps(now_us);
  goodbye_.at(now_us + rest_us);
}

void Crowd::leave() {
  due_.stop();
  // Disconnects do not pass through the impaired link: the process does not wait for them.
  options_.link.reset();
  for (std::uint32_t place = 0; place < players_.size(); ++place) {
    if (!players_[place]->connected()) continue;
    players_[place]->disconnect(host::Loop::clock_us());
    send(place);
  }
  reports_.left();
  loop_.stop();
}

}  // namespace perigee::bots
