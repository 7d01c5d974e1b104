#include "perigee/worker/players/player_inputs.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace perigee::worker {
namespace {

constexpr double us_per_fine_tick = 1e6 / default_tick_rate_hz / 256;
// A client renders at most 250 ms behind the newest block that it has.
constexpr std::int32_t view_behind_ticks_max = 15;
constexpr double margin_us_max = 2e9;  // clients may name any tick; the wire has 32 bits for it

/// Whether the client's view has reached that tick.
bool has_seen(const ControlFrame& frame, Tick tick) {
  return static_cast<std::int32_t>(frame.view_sixteenths - (tick.count << 4)) >= 0;
}

}  // namespace

/// Real time per world time.
double PlayerInputs::real_per_world() const {
  return static_cast<double>(real_time_ppm) / needs_.cluster.map().time.of(needs_.next).rate_ppm;
}

void PlayerInputs::note_transit(FineTick sent, FineTick arrived) {
  // The two clocks may be off by up to 2 ms each. A transit time is never negative.
  const double transit_us =
      std::max(fine_between(sent, arrived), 0) * us_per_fine_tick * real_per_world();
  transits_.push_back(static_cast<float>(transit_us * 1e-6));
}

// Notifies the gateway, which would otherwise send these inputs here forever.
void PlayerInputs::refuse_unknown(SessionId session) {
  constexpr std::uint32_t again_ticks = 12, at_once = 2;
  needs_.counts.add(metric.drop_unknown_session);
  const GatewayEntry* gateway = needs_.cluster.gateway_of(session);
  if (gateway == nullptr || needs_.next.count % again_ticks >= at_once) return;
  needs_.fabric.add(gateway->fabric, RefusedRecord{session, RefuseReason::NotOwner});
}

void PlayerInputs::on_acknowledgement(const InputRecord& record) {
  ObserverState* found = needs_.observers.find(record.session);
  AcknowledgeFrame frame;
  if (found == nullptr) return needs_.counts.add(metric.drop_unknown_session);
  ChunkFrame chunks;
  if (read_chunks(record.frame, chunks)) return needs_.on_chunks(*found, chunks);
  if (!read_acknowledge(record.frame, frame)) return needs_.counts.add(metric.drop_malformed);
  const replication::Acknowledged said = found->observer.acknowledge(frame);
  if (said == replication::Acknowledged::NeverSent) needs_.counts.add(metric.drop_malformed);
  if (said != replication::Acknowledged::NewestBlock) return;
  const WorldTime& time = needs_.cluster.map().time;
  found->rate.note_round_trip(tick_start_us(time, needs_.next) -
                              tick_start_us(time, frame.newest_block));
}

void PlayerInputs::on_record(FineTick arrived, const InputRecord& record) {
  note_transit(record.received, arrived);
  if (record.stream == stream_of_worker(needs_.cluster.self())) return on_acknowledgement(record);
  const auto owner = worker_of_stream(record.stream);
  const bool of_another = record.stream != stream_owner;
  if (of_another && needs_.cluster.map().worker(owner) == nullptr)
    return needs_.counts.add(metric.drop_unknown_frame);
  Player* player = needs_.players.find(record.session);
  if (of_another && player == nullptr) {
    return needs_.on_other_owner(owner, record);
  }
  if (player == nullptr) {
    if (!needs_.forward(record)) refuse_unknown(record.session);
    return;
  }
  if (client_frame_kind(record.frame) == ClientFrame::Message) {
    return needs_.on_messages(*player, record.frame);
  }
  if (!read_control(record.frame, frame_, *needs_.settings.inputs.own))
    return needs_.counts.add(metric.drop_malformed);
  on_control(arrived, *player, frame_);
}

void PlayerInputs::note_margin(Player& player, FineTick arrived, Tick target) {
  const FineTick start{target.count << 8};
  const double exact_us = fine_between(arrived, start) * us_per_fine_tick;
  const double delay_s = player.inputs.delay_ticks() * seconds_per_tick;
  waits_.push_back(static_cast<float>((exact_us * 1e-6 + delay_s) * real_per_world()));
  const auto margin_us =
      static_cast<std::int32_t>(std::clamp(exact_us, -margin_us_max, margin_us_max));
  const double late_us = -exact_us - delay_s * 1e6;
  player.late_us = std::max(player.late_us, static_cast<Micros>(std::min(late_us, margin_us_max)));
  MarginReport& report = player.margins;
  if (report.any && report.margin_us <= margin_us) return;
  report.any = true;
  report.input = target;
  report.margin_us = margin_us;
}

/// The techniques in the newest packet apply from the next tick on.
void PlayerInputs::follow_techniques(Player& player, const ControlFrame& frame) {
  const Tick newest = frame.inputs[0].tick;
  const bool overtaken = player.newest_input && !before(*player.newest_input, newest);
  if (overtaken || ticks_between(needs_.next, newest) > needs_.settings.inputs.ahead_ticks_max)
    return;
  player.newest_input = newest;
  if (frame.techniques == player.inputs.techniques()) return;
  player.inputs.use(frame.techniques, needs_.next);
  needs_.counts.add(metric.technique_switches);
}

/// Maximum age of a view, in 1/16 ticks: a client cannot render a view that is older than the
/// newest block it had by then. If a client acknowledges late to raise this limit, its events are
/// late, too.
std::int32_t PlayerInputs::view_age_max(const Player& player, Tick newest) const {
  const ObserverState* found = needs_.observers.find(player.session);
  if (found == nullptr || !found->observer.received) {
    return std::numeric_limits<std::uint16_t>::max();
  }
  if (player.newest_input) newest = later_of(newest, *player.newest_input);
  const std::int32_t unheard = ticks_between(*found->observer.received, newest);
  constexpr std::int32_t sent_ticks_max = std::numeric_limits<std::uint16_t>::max() / 16;
  return 16 * (std::clamp(unheard, 0, sent_ticks_max) + view_behind_ticks_max);
}

/// How far the client was ahead of the newest block that it had. Events count as soon as their
/// block arrives, and the view lags behind by the view delay. Packets that overtake the one with
/// the acknowledgement know more than it says: then the view is the better bound.
std::int32_t PlayerInputs::ahead_of_heard(const Player& player, const ControlFrame& frame) const {
  const Tick newest = frame.inputs[0].tick;
  const std::int32_t of_view =
      static_cast<std::int32_t>((newest.count << 4) - frame.view_sixteenths) / 16;
  const ObserverState* found = needs_.observers.find(player.session);
  if (found == nullptr || !found->observer.received) return of_view;
  return std::min(of_view, ticks_between(*found->observer.received, newest));
}

void PlayerInputs::note_claim(Player& player, const ControlFrame& frame) {
  const Tick claimed = frame.inputs[0].tick + player.inputs.delay_ticks() + 1;
  if (player.far_off_since && !has_seen(frame, *player.far_off_since)) return;
  const std::int32_t claim_ahead = ticks_between(needs_.next, claimed);
  if (claim_ahead >= -needs_.settings.inputs.window_ticks &&
      claim_ahead <= needs_.settings.claim_ahead_ticks) {
    player.claims.claim(claimed) = {frame.claimed_parent, frame.claimed_position};
  }
}

void PlayerInputs::on_control(FineTick arrived, Player& player, const ControlFrame& frame) {
  if (frame.reset_epoch != player.reset_epoch) return needs_.counts.add(metric.inputs_old_epoch);
  player.received = needs_.next;
  const Tick newest = frame.inputs[0].tick;
  if (player.newest_input && not_after(frame.inputs.back().tick, *player.newest_input)) {
    player.repeated = needs_.next;
  }
  follow_techniques(player, frame);
  player.inputs.on_packet(newest, needs_.next);
  note_claim(player, frame);
  const std::int32_t delay = player.inputs.delay_ticks();
  const std::int32_t ahead_ticks = ahead_of_heard(player, frame);
  player.ahead.note(needs_.next,
                    std::clamp(ahead_ticks + delay, 0, needs_.settings.announce_ticks_max));

  const std::int32_t oldest_view = view_age_max(player, newest);
  for (std::size_t i = frame.inputs.size(); i-- > 0;) {  // oldest first
    PlayerInput input = frame.inputs[i];
    if (refuses(player, input)) {
      needs_.counts.add(metric.inputs_refused);
      continue;
    }
    const bool boasts = input.view_age > oldest_view;
    if (boasts) input.view_age = static_cast<std::uint16_t>(oldest_view);
    const InputOffer became = offer(player, input);
    // Each packet that repeats a refused early input offers it again: only the first arrival tells
    // about the path.
    const bool repeated = became == InputOffer::TooEarly && i > 0;
    if (became != InputOffer::Duplicate && !repeated) note_margin(player, arrived, input.tick);
    if (boasts && became <= InputOffer::Rewind) needs_.counts.add(metric.views_clamped);
  }
}

bool PlayerInputs::refuses(Player& player, const PlayerInput& input) const {
  constexpr std::int32_t resend_ticks = 128;
  if (!player.inputs_from) return false;
  if (ticks_between(*player.inputs_from, needs_.next) > resend_ticks) player.inputs_from.reset();
  return player.inputs_from && before(input.tick, *player.inputs_from);
}

InputOffer PlayerInputs::offer(Player& player, const PlayerInput& input) {
  const InputOffer offer = player.inputs.offer(input, needs_.next);
  const auto late = [&](Count what) {
    needs_.counts.add(what);
    if (player.margins.late < 255) ++player.margins.late;
  };
  switch (offer) {
    case InputOffer::Waiting:
      break;
    case InputOffer::Rewind: {
      late(metric.inputs_late);
      // The guesses for later ticks were derived from the replaced one.
      for (Tick t = input.tick + player.inputs.delay_ticks(); before(t, needs_.next); ++t) {
        if (!player.mark_wrong(t, needs_.next) || player.reread.has(t)) continue;
        player.reread.add(t);
        player.lateness.spend_tick();
      }
      break;
    }
    case InputOffer::Duplicate:
      needs_.counts.add(metric.inputs_duplicate);
      return offer;
    case InputOffer::EdgesKept:
      late(metric.inputs_edges_kept);
      break;
    case InputOffer::TooLate:
      needs_.counts.add(player.moved_about(input.tick + player.inputs.delay_ticks(),
                                           needs_.settings.inputs.window_ticks)
                            ? metric.inputs_too_late_moved
                            : metric.inputs_too_late);
      break;
    case InputOffer::TooEarly:
      needs_.counts.add(metric.inputs_too_early);
      break;
  }
  return offer;
}

}  // namespace perigee::worker
