#include "perigee/client/client.hpp"

#include <algorithm>
#include <cmath>

#include "perigee/netcode/frames.hpp"

namespace perigee::client {
namespace {

constexpr std::int32_t settle_ticks = 6;
/// Limit of ticks from a final state to the present, on any path. For an older final state there is
/// no prediction: catching up could block a frame for ever, and no comparison would be possible.
constexpr std::int32_t start_ticks_max = Prediction::history_ticks;
/// If the lead has jumped back this far, waiting for the next due tick would freeze the own avatar:
/// prediction continues from the server's state instead.
constexpr double predicted_too_far_ticks = 30;

}  // namespace

Client::Client(const world::GameModule& game, const Settings& settings)
    : game_(game),
      settings_(settings),
      techniques_(settings.techniques.value_or(Techniques{})),
      transport_(settings.transport),
      entities_(game.types()),
      prediction_(entities_, game, techniques_),
      flights_(entities_, game),
      time_map_(settings.view),
      lead_(settings.lead),
      breaker_(settings.storm_breaker),
      streams_(workers_max) {
  if (settings.recorder) {
    recorder_ = std::make_unique<replay::FlightRecorder>(game.types(), *settings.recorder);
  }
  scene_.reserve(EntityStore::entities_max);
  verdicts_.reserve(64);
  outcomes_.reserve(64);
}

Client::~Client() = default;

double Client::local_ticks(Micros now_us) const {
  return static_cast<double>(now_us - epoch_us_) * ticks_per_us;
}

/// The tick to predict now, with fraction.
double Client::predicted_ticks(Micros now_us) const {
  return time_map_.rates().ticks(lead_.predicted_even(local_ticks(now_us)));
}

ViewPoint Client::view(Micros now_us) const {
  ViewPoint at{time_map_.origin(), time_map_.view_ticks(), 0, {}};
  if (!prediction_.running() || animating_ || !lead_.seeded()) return at;
  const double part = shown_part(now_us);
  const HelmPrediction& helm = prediction_.helm();
  if (helm.shown_body() != no_entity) {
    if (const auto shown = helm.shown(part, at)) {
      at.steered = shown->body;
      at.steered_pose = shown->pose;
    }
  }
  const auto frame = entities_.drawn_world(prediction_.parent(), at);
  if (!frame) return at;
  const Tick shown = prediction_.next() - 1 + delay_ticks_;
  at.ahead_ticks = ticks_between(at.origin, shown) + part - at.ticks;
  at.eye = transform(*frame, prediction_.true_position(part));
  return at;
}

// Restarts a prediction that no final state has confirmed for two seconds longer than the path
// takes.
void Client::watch_comparisons() {
  if (!prediction_.running() || prediction_.compared() != compared_) {
    compared_ = prediction_.compared();
    compared_at_us_ = now_us_;
  } else if (now_us_ - compared_at_us_ >
             settings_.uncompared_us_max + std::max<Micros>(telemetry_.lead_us(), 0)) {
    telemetry_.count_stall();
    compared_at_us_ = now_us_;  // the next final state may restart it before the next check
    prediction_.stop();
  }
}

// Called once a second, for the gateway's metrics.
void Client::count_extrapolated() {
  const ViewPoint at = view(now_us_);
  for (const auto& entity : entities_.all()) {
    const auto drawn = entities_.drawn(*entity, at);
    if (drawn && drawn->extrapolated) telemetry_.on_extrapolated();
  }
}

void Client::advance(Micros now_us, InputSampler& sampler) {
  now_us_ = now_us;
  verdicts_.clear();
  outcomes_.erase(outcomes_.begin(),
                  outcomes_.begin() + static_cast<std::ptrdiff_t>(outcomes_shown_));
  prediction_.cues().begin_frame();
  keep_connected(now_us);
  const double elapsed_ticks =
      static_cast<double>(std::max<Micros>(now_us - last_advance_us_, 0)) * ticks_per_us;
  last_advance_us_ = now_us;
  advance_clocks(now_us, elapsed_ticks);
  breaker_.advance(now_us);
  if (transport_.connected()) {
    watch_comparisons();
    const bool predicts = prediction_.running() && time_map_.ready();
    if (predicts) run_ticks(now_us, sampler);
    if (!predicts || animating_) telemetry_.on_animated();
    send_packet(now_us);
  }
  // Rendered motion follows the rate of the world's time.
  const double world_s = elapsed_ticks * time_map_.rate() * seconds_per_tick;
  advance_helm(now_us, world_s);
  choose_what_is_shown(now_us);
  outcomes_shown_ = outcomes_.size();
  prediction_.cues().end_frame();
  seen_ = view(now_us);
  prediction_.advance_display(world_s, shown_position(now_us, seen_));
  note_shown(now_us);
}

// The own avatar is rendered between two predicted states, or at V like other entities. (K22)
void Client::note_shown(Micros now_us) {
  if (!prediction_.running() || !time_map_.ready()) return;
  latency_.on_view_delay(time_map_.view_delay_ticks() / time_map_.rate());
  Tick shown = prediction_.next() - 1;
  if (animating_) {
    shown = seen_.origin + static_cast<std::int32_t>(std::floor(seen_.ticks)) - delay_ticks_;
  } else if (shown_part(now_us) >= 1) {
    ++shown;
  }
  latency_.on_shown(shown, now_us);
}

void Client::advance_helm(Micros now_us, double dt_s) {
  HelmPrediction& helm = prediction_.helm();
  if (!helm.running() && helm.shown_body() == no_entity) return;
  if (!helm.predicted() && helm.running()) telemetry_.on_animated();
  helm.advance_display(dt_s, shown_part(now_us), view(now_us));
}

/// Whether the lead is implausibly far from the newest server tick: the local clock or the server
/// stopped for a while, or the path was much longer before. The worker's reports would show it,
/// too, but only once all packets on the longer path have arrived.
bool Client::lead_is_astray(double local) const {
  const double ahead_ticks = lead_.predicted_even(local) - time_map_.fastest_even(local);
  const double round_trip_ticks =
      static_cast<double>(telemetry_.rtt_recent_us_max()) * ticks_per_us;
  return ahead_ticks < -settings_.skip_ticks || ahead_ticks > settings_.lead_ticks_max ||
         ahead_ticks > round_trip_ticks + settings_.lead.refused_early_ticks;
}

/// The newest received server tick is half a round trip old, and an input takes the other half.
/// (K29)
void Client::seed_lead(double local) {
  lead_ = LeadControl(settings_.lead);
  lead_.seed(local, time_map_.fastest_even(local) +
                        static_cast<double>(telemetry_.rtt_us()) * ticks_per_us +
                        spare_ticks_at_start());
}

void Client::run_ticks(Micros now_us, InputSampler& sampler) {
  const double local = local_ticks(now_us);
  const double even_now = time_map_.observed_even(local);
  if (!lead_.seeded() || lead_is_astray(local)) {
    if (!telemetry_.rtt_known()) return;  // the first echo has not arrived yet
    seed_lead(local);
  }
  telemetry_.on_lead(lead_.predicted_even(local) - even_now);
  const double owed_ticks =
      std::trunc(predicted_ticks(now_us)) - ticks_between(time_map_.origin(), prediction_.next());
  const bool starting = prediction_.next() == first_tick_;
  if (owed_ticks > (starting ? start_ticks_max : settings_.skip_ticks) ||
      owed_ticks < -predicted_too_far_ticks) {
    prediction_.stop();  // the skipped ticks are void
    return;
  }
  auto owed = static_cast<std::int32_t>(std::max(owed_ticks, 0.0));
  if (owed > settings_.ticks_per_call_max && !starting) {
    owed = settings_.ticks_per_call_max;
  }
  // The first inputs are created for ticks that have already run: their margins are meaningless.
  if (starting) settled_ = first_tick_ + owed + settle_ticks;
  for (std::int32_t i = 0; i < owed; ++i) {
    const Tick tick = prediction_.next();
    PlayerInput input = sampler.sample(tick);
    input.tick = tick;
    input.view_age = aims(input) ? view_age(tick) : std::uint16_t{0};
    if (starting && i + 2 < owed) input = neutral(input, tick);  // too late to be sent: as guessed
    if (!prediction_.step(input, view(now_us))) break;
    flights_.on_step(*prediction_.record(tick), delay_ticks_);
    if (recorder_) recorder_->note(*prediction_.record(tick));
    inputs_.claim(tick) = input;
    latency_.on_sampled(tick, now_us);
    newest_input_ = tick;
    lead_.sampled(tick, owed_ticks - i - 1);
    ++ticks_run_;
  }
  look_out(false);
}

// The age of the view that was aimed at: the worker needs it to rebuild the scene. (B5)
std::uint16_t Client::view_age(Tick tick) const {
  const double ticks = ticks_between(seen_.origin, tick) - seen_.ticks;
  return static_cast<std::uint16_t>(std::clamp(ticks * 16 + 0.5, 0.0, 65535.0));
}

void Client::send_packet(Micros now_us) {
  if (!send_is_due(now_us)) return;
  std::array<std::byte, transport::payload_bytes_max> payload;
  std::array<std::byte, 512> frame_bytes;
  FrameWriter frames(payload);
  const bool fresh = newest_input_ && ticks_run_ > 0;
  if (fresh) {
    ControlFrame frame;
    frame.reset_epoch = reset_epoch_;
    frame.techniques = techniques_.shared();
    frame.techniques.timeline = timeline_in_use();
    const auto view_ticks = static_cast<std::int64_t>(time_map_.view_ticks() * 16);
    frame.view_sixteenths =
        (time_map_.origin().count << 4) + static_cast<std::uint32_t>(view_ticks);
    frame.claimed_parent = prediction_.parent();
    frame.claimed_position = to_float(prediction_.state().position);
    write_inputs(frame);
    frames.add(stream_owner, write_control(frame, frame_bytes));
    latency_.on_sent(*newest_input_ - static_cast<std::int32_t>(ticks_run_ - 1), now_us);
    ticks_run_ = 0;
  }
  for (std::size_t slot = 0; slot < streams_.size(); ++slot) {
    Stream& stream = streams_[slot];
    if (!stream.owed) continue;
    const AcknowledgeFrame frame{stream.epoch, stream.events.acknowledgement(), stream.newest};
    if (!frames.add(stream_of_worker(static_cast<WorkerSlot>(slot)),
                    write_acknowledge(frame, frame_bytes))) {
      break;
    }
    stream.owed = false;
  }
  report_chunks(frames);
  answer_resume(frames);
  answer_order(frames);
  if (auto report = telemetry_.report(now_us)) {
    latency_.fill(*report);
    frames.add(stream_gateway, write_telemetry(*report, frame_bytes));
    count_extrapolated();
  }
  if (frames.empty()) return;
  if (const auto sequence = transport_.send_payload(now_us, frames.payload())) {
    sent_[*sequence % sent_.size()] = {*sequence, now_us};
  }
}

}  // namespace perigee::client
