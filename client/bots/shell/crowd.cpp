#include "crowd.hpp"

#include <unistd.h>

#include <algorithm>

#include "perigee/base/bytes.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/host/output.hpp"
#include "perigee/host/print.hpp"

namespace perigee::bots {
namespace {

/// For one bot's traffic: 60 packets/s in each direction and a burst.
constexpr host::UdpOptions socket_options{.kernel_buffer_bytes = 256 << 10,
                                          .send_queue_datagrams = 64};
constexpr std::size_t samples_max = 1'000'000;
constexpr const char* clear_line = "\r\x1b[K";

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

Crowd::Crowd(host::Loop& loop, const world::GameModule& game, const CrowdOptions& options)
    : loop_(loop),
      options_(options),
      schedule_(options.log_in.count),
      samples_(std::min<std::size_t>(samples_max,
                                     std::size_t{options.log_in.count} * (options.seconds + 60))),
      began_us_(host::Loop::clock_us()),
      terminal_(isatty(STDERR_FILENO) == 1),
      due_(loop, [this] { run_due(); }),
      goodbye_(loop, [this] { leave(); }),
      second_(loop, [this] { each_second(); }) {
  const LinkPair link = options_.link.value_or(LinkPair{});
  client::Settings client_settings{.techniques = options_.techniques};
  if (options_.flights) client_settings.recorder.emplace();
  for (std::uint32_t i = 0; i < options_.log_in.count; ++i) {
    bots_.push_back(std::make_unique<Bot>(game, client_settings,
                                          mix64(options_.seed, std::uint64_t{i}), options_.voyage_m,
                                          options_.temper, options_.gap_us));
    endpoints_.push_back({.socket = std::nullopt,
                          .up = LinkSimulator(link.up, options_.seed, i, 0),
                          .down = LinkSimulator(link.down, options_.seed, i, 1)});
  }
  second_.every(1'000'000);
  log_ins_.emplace(
      loop_, options_.log_in,
      LogIns::Events{.admitted = [this](auto bot, const auto& token,
                                        const auto& gateway) { admitted(bot, token, gateway); },
                     .refused = [this](auto bot, const auto& reason) { refused(bot, reason); }});
}

Crowd::~Crowd() = default;

void Crowd::log(const std::string& text) {
  host::write_output(host::Stream::Error, (terminal_ ? clear_line : "") + text);
}

void Crowd::log_once(const std::string& sentence) {
  if (!logged_.insert(sentence).second) return;
  log("perigee-bots: " + sentence + "\n");
}

void Crowd::admitted(std::uint32_t number, const std::string& token, const std::string& gateway) {
  const auto address = parse_address(gateway);
  if (!address) return refused(number, address.error().message);
  Endpoint& endpoint = endpoints_[number];
  endpoint.gateway = *address;
  const Address any{address->family, 0, {}};
  auto socket = host::UdpSocket::open(loop_, any, socket_options, [this, number](auto datagrams) {
    on_datagrams(number, datagrams);
  });
  if (!socket) return refused(number, socket.error().message);
  endpoint.socket.emplace(std::move(*socket));
  const Micros now_us = host::Loop::clock_us();
  if (!bots_[number]->begin(now_us, as_bytes_of(token.data(), token.size()))) {
    log_once("the session service sent an invalid connect token");
  }
  // Spread over a frame, like the clients of real players.
  schedule_.add_frame(now_us + frame_us * number / options_.log_in.count, number);
  settled();
  run_due();
}

void Crowd::refused(std::uint32_t number, const std::string& reason) {
  bots_[number]->refuse();
  log_once("log-in refused: " + reason);
  settled();
}

void Crowd::settled() {
  if (++settled_ < bots_.size()) return;
  ends_us_ = host::Loop::clock_us() + Micros{options_.seconds} * 1'000'000;
  finish_if_hopeless();
  await_next();
}

void Crowd::finish_if_hopeless() {
  const bool log_ins_over = settled_ == bots_.size();
  const bool any_hope =
      std::any_of(bots_.begin(), bots_.end(), [](const auto& bot) { return bot->hopeful(); });
  if (log_ins_over && !any_hope) finish();
}

void Crowd::run_due() {
  schedule_.run(host::Loop::clock_us(), turn_entries_max,
                [this](const Schedule::Entry& entry, Packet* packet) {
                  if (entry.what == Due::Up) {
                    endpoints_[entry.bot].socket->send(packet->peer, packet->bytes());
                  } else if (finished_) {
                    return;
                  } else if (entry.what == Due::Frame) {
                    frame(entry.bot, entry.due_us);
                  } else {
                    bots_[entry.bot]->receive(entry.due_us, packet->peer, packet->bytes());
                  }
                });
  const Micros now_us = host::Loop::clock_us();
  if (ends_us_ && now_us >= *ends_us_) finish();
  await_next();
}

// The end is due even if no bot has any event left.
void Crowd::await_next() {
  std::optional<Micros> next_us = schedule_.next_us();
  if (ends_us_ && !finished_ && (!next_us || *ends_us_ < *next_us)) next_us = ends_us_;
  if (next_us) due_.at(*next_us);
}

void Crowd::frame(std::uint32_t number, Micros due_us) {
  const Micros now_us = host::Loop::clock_us();
  Bot& bot = *bots_[number];
  const std::uint32_t avatars = bot.avatars_changed();
  bot.frame(now_us);
  if (bot.avatars_changed() != avatars) log_avatar(number);
  if (options_.outcomes != nullptr) options_.outcomes->add(number, bot.client().outcomes());
  send(number);
  if (bot.phase() == Phase::Lost) {
    log_once(std::string("a bot lost its connection: ") + describe(bot.client().transport_state()));
    return finish_if_hopeless();
  }
  const Micros next_us = due_us + frame_us;
  schedule_.add_frame(now_us - next_us > hitch_us_max ? now_us + frame_us : next_us, number);
}

void Crowd::log_avatar(std::uint32_t number) {
  const double unix_s = static_cast<double>(host::Loop::wall_us()) * 1e-6;
  std::string text;
  host::print(text, "perigee-bots: bot %u has another avatar since %.3f\n", number, unix_s);
  log(text);
}

void Crowd::send(std::uint32_t number) {
  Endpoint& endpoint = endpoints_[number];
  while (const auto out = bots_[number]->poll_send()) {
    hold_back(Due::Up, number, endpoint.up, host::Loop::clock_us(), out->to, out->datagram);
  }
}

void Crowd::on_datagrams(std::uint32_t number, std::span<const host::Datagram> datagrams) {
  if (finished_) return;
  Endpoint& endpoint = endpoints_[number];
  for (const host::Datagram& datagram : datagrams) {
    if (!options_.link) {
      bots_[number]->receive(datagram.received_us, datagram.from, datagram.bytes);
      continue;
    }
    endpoint.down_us = std::max(endpoint.down_us, datagram.received_us);
    hold_back(Due::Down, number, endpoint.down, endpoint.down_us, datagram.from, datagram.bytes);
  }
  await_next();
}

void Crowd::hold_back(Due way, std::uint32_t number, LinkSimulator& link, Micros at_us,
                      const Address& peer, std::span<const std::byte> bytes) {
  if (!options_.link) return endpoints_[number].socket->send(peer, bytes);
  // Link time counts from the start, so that a seed gives the same impairments at the same seconds.
  const LinkSimulator::Fate fate = link.send(at_us - began_us_, bytes.size());
  for (const auto& arrives_us : {fate.arrives_us, fate.duplicate_us}) {
    if (!arrives_us) continue;
    if (!schedule_.add_packet(began_us_ + *arrives_us, way, number, peer, bytes)) ++held_back_lost_;
  }
}

void Crowd::each_second() {
  const Micros now_us = host::Loop::clock_us();
  std::uint64_t bytes = 0;
  for (const auto& bot : bots_) {
    bytes += bot->bytes_received();
    if (bot->phase() == Phase::Playing && bot->measured_s(now_us) > 0) samples_.take(*bot);
  }
  std::vector<double> rtts_ms;
  std::vector<double> jitters_ms;
  for (const auto& bot : bots_) {
    if (bot->phase() != Phase::Playing) continue;
    rtts_ms.push_back(static_cast<double>(bot->client().telemetry().rtt_us()) * 1e-3);
    jitters_ms.push_back(static_cast<double>(bot->client().telemetry().jitter_us()) * 1e-3);
  }
  const Figures all = sum_up(bots_, now_us);
  const Quantiles rtt = quantiles_of(rtts_ms);
  std::string line;
  host::print(
      line,
      "%4lld s  joined %u/%u  playing %u  rtt %.0f/%.0f ms  jitter %.1f ms  corrections "
      "%.1f/min (ground %.1f)  moving %.0f %%  %.1f kB/s per bot%s",
      static_cast<long long>((now_us - began_us_) / 1'000'000), all.joined, all.bots, all.playing,
      rtt.p50, rtt.p99, quantiles_of(jitters_ms).p50, all.per_minute(all.corrections),
      all.per_minute(all.corrections_static), all.moving_share() * 100,
      all.playing > 0 ? static_cast<double>(bytes - bytes_logged_) / 1e3 / all.playing : 0.0,
      terminal_ ? "" : "\n");
  log(line);
  bytes_logged_ = bytes;
  if (options_.flights) options_.flights->each_second(now_us, bots_);
}

// The bots leave after their last inputs are applied, so that every input counts.
void Crowd::finish() {
  if (std::exchange(finished_, true)) return;
  finished_us_ = host::Loop::clock_us();
  second_.stop();
  if (terminal_) host::write_output(host::Stream::Error, "\n");
  for (const auto& bot : bots_) bot->end_gaps(finished_us_);
  goodbye_.at(finished_us_ + rest_us);
}

void Crowd::leave() {
  due_.stop();
  // Disconnects do not pass through the impaired link: the process does not wait for them.
  options_.link.reset();
  for (std::uint32_t i = 0; i < bots_.size(); ++i) {
    if (bots_[i]->phase() != Phase::Connecting && bots_[i]->phase() != Phase::Playing) continue;
    bots_[i]->disconnect(host::Loop::clock_us());
    send(i);
  }
  loop_.stop();
}

Figures Crowd::figures() {
  Figures out = sum_up(bots_, finished_us_);
  out.full_loop_ms = quantiles_of(samples_.full_loop_ms);
  out.jitter_ms = quantiles_of(samples_.jitter_ms);
  out.lead_ms = quantiles_of(samples_.lead_ms);
  out.held_back_lost = held_back_lost_;
  out.stalled_ms = static_cast<double>(stalls_.longest_us()) * 1e-3;
  return out;
}

}  // namespace perigee::bots
