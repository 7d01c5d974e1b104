// Incoming data: payloads, blocks, events, the newest state of the own avatar.
#include "perigee/client/client.hpp"
#include "perigee/netcode/frames.hpp"

namespace perigee::client {

void Client::receive(Micros now_us, const Address& from, std::span<std::byte> datagram) {
  now_us_ = now_us;
  const std::size_t size = datagram.size();
  const auto payload = transport_.receive(now_us, from, datagram);
  notice_new_session(now_us);
  if (!payload) return;
  telemetry_.on_packet(payload->sequence, size);
  FrameReader frames(payload->bytes);
  while (const auto frame = frames.next()) {
    if (frame->stream == stream_gateway) {
      on_gateway_frame(now_us, frame->bytes);
    } else if (frame->stream > 0 && frame->stream <= workers_max) {
      on_block(now_us, frame->stream, frame->bytes);
    } else {
      telemetry_.count_malformed();
    }
  }
  if (!frames.ok()) telemetry_.count_malformed();
}

void Client::forget(std::uint8_t stream) {
  entities_.forget_stream(stream);
  streams_[stream - 1U] = Stream{};
}

// Ticks, handles and sequences of another incarnation of the cluster are unrelated to the known
// ones.
void Client::start_over(std::uint16_t incarnation) {
  former_incarnation_ = incarnation_;
  incarnation_ = incarnation;
  forget_world();
}

void Client::forget_world() {
  entities_.clear();
  for (Stream& stream : streams_) stream = Stream{};
  prediction_.start_over();
  flights_.clear();
  breaker_.clear();
  time_map_ = TimeMap(settings_.view);
  lead_ = LeadControl(settings_.lead);
  inputs_.clear();
  latency_.forget_inputs();
  newest_input_.reset();
  newest_sent_.reset();
  ever_sent_.reset();
  echo_.reset();
  worker_techniques_.reset();
  chunks_owed_.reset();
  told_ = {};
  delay_ticks_ = 0;
  final_tick_.reset();
  settled_ = Tick{};
  fell_back_ = false;
  animating_ = false;
  ticks_run_ = 0;
  seen_ = {};
  verdicts_.clear();
  outcomes_.clear();
  outcomes_shown_ = 0;
  if (recorder_) {
    recorder_ = std::make_unique<replay::FlightRecorder>(game_.types(), *settings_.recorder);
  }
}

void Client::on_block(Micros now_us, std::uint8_t stream, std::span<const std::byte> bytes) {
  // The header alone decides whether the stream is restarted, before any data is applied.
  const auto header = read_block_header(bytes);
  if (!header) return telemetry_.count_malformed();
  if (header->incarnation == former_incarnation_) return;
  if (incarnation_ != header->incarnation) start_over(header->incarnation);
  Stream& state = streams_[stream - 1U];
  if (state.former) {
    forget(stream);
  } else if (state.known && state.epoch != header->stream_epoch) {
    // Two epochs of a stream never overlap; epochs wrap every 18 minutes, ticks do not.
    if (not_after(header->tick, state.newest)) return;  // a late block of the former epoch
    forget(stream);
  }
  state.epoch = header->stream_epoch;
  block_stream_ = stream;
  block_tick_ = header->tick;
  block_is_news_ = !state.known || before(state.newest, header->tick);
  if (block_is_news_) state.newest = header->tick;
  state.known = true;
  state.owed = true;
  now_us_ = now_us;
  block_has_own_ = false;
  if (!read_block(bytes, *this)) telemetry_.count_malformed();
  if (block_has_own_ || ground_changed_ || prediction_.owes_replay()) hear_of_surroundings();
}

void Client::on_record(const GroupFrame& frame, const EntityRecord& record) {
  if (record.handle == prediction_.avatar()) return;  // its own section is more precise
  if (!entities_.record(block_tick_, frame, record, block_stream_)) {
    telemetry_.count_unknown_record();
  }
}

void Client::on_event(Sequence sequence, const WorldEvent& event) {
  EventReceiver<WorldEvent>& events = streams_[block_stream_ - 1U].events;
  if (!events.receive(sequence, event)) return;
  while (const auto next = events.take()) apply(*next, block_stream_);
}

void Client::apply(const WorldEvent& event, std::uint8_t stream) {
  if (const auto* spawn = std::get_if<SpawnEvent>(&event)) {
    if (entities_.spawn(*spawn, stream)) prediction_.hear_of_fixture(spawn->handle);
  } else if (const auto* despawn = std::get_if<DespawnEvent>(&event)) {
    entities_.despawn(despawn->handle);
  } else if (const auto* lost = std::get_if<LostEvent>(&event)) {
    entities_.doubt(lost->handle, stream);
  } else if (const auto* change = std::get_if<ParentSwitchEvent>(&event)) {
    hear_of_switch(*change);
  } else if (const auto* timeline = std::get_if<TimelineEvent>(&event)) {
    entities_.timeline(*timeline);
    prediction_.hear_of_fixture(timeline->object);
    note_change(*timeline);
  } else if (const auto* game = std::get_if<GameStateEvent>(&event)) {
    entities_.game_state(*game);
  } else if (const auto* flight = std::get_if<ProjectileEvent>(&event)) {
    flights_.on_event(*flight, flight_viewer(now_us_));
    look_out(false);
  } else if (const auto* met = std::get_if<FlightMetEvent>(&event)) {
    flights_.on_met(*met, delay_ticks_, prediction_.cues());
  } else if (const auto* outcome = std::get_if<OutcomeEvent>(&event)) {
    if (outcomes_.size() < outcomes_.capacity()) outcomes_.push_back(*outcome);
  } else if (const auto* voxel = std::get_if<VoxelEvent>(&event)) {
    entities_.voxel(*voxel, delay_ticks_);
    ground_changed_ = true;
  } else if (const auto* chunk = std::get_if<ChunkEvent>(&event)) {
    entities_.chunk(*chunk);
    ground_changed_ = true;
  } else if (const auto* effect = std::get_if<EffectEvent>(&event)) {
    prediction_.cues().on_verdict(*effect);
    flights_.on_verdict(*effect);
    if (effect->index < world::first_cue_index && verdicts_.size() < verdicts_.capacity()) {
      verdicts_.push_back({effect->target, effect->index, effect->verdict, effect->reason});
    }
  }
}

// Projectiles against the own avatar; while the prediction is not rendered, the server reports
// hits. (B8)
void Client::look_out(bool again) {
  if (!prediction_.running() || animating_) return;
  flights_.look(prediction_, again, delay_ticks_, prediction_.cues());
}

// The full loop: from sampling an input to learning that it was applied, minus the ticks on the
// worker since then. Each tick is measured once; guesses are never echoed. (K28)
void Client::note_loop(const OwnSection& own) {
  if (!own.has_echo || (echo_ && !before(*echo_, own.echo))) return;
  const std::int32_t told_of = echo_ ? ticks_between(*echo_, own.echo) : 1;
  echo_ = own.echo;
  const Micros* sampled = latency_.sampled_at_us(own.echo);
  if (sampled == nullptr) return;
  const double even_per_tick = 1 / time_map_.rate();
  latency_.on_published((own.echo_age_ticks + told_of - 1) * even_per_tick);
  const auto age_us = static_cast<Micros>(own.echo_age_ticks * even_per_tick / ticks_per_us);
  telemetry_.on_full_loop(now_us_ - *sampled - age_us);
}

void Client::note_margin(const OwnSection& own) {
  constexpr double slack_ticks = 2;  // of the newest server tick that could have arrived
  if (!own.has_margin || !before(settled_, own.margin_input)) return;
  const double margin_ticks = own.margin_us * ticks_per_us;
  const double due = time_map_.ticks_since_origin(own.margin_input);
  const RateMap& rates = time_map_.rates();
  const double local = local_ticks(now_us_);
  lead_.on_margin(own.margin_input, rates.even(due) - rates.even(due - margin_ticks),
                  time_map_.observed_even(local) - local - slack_ticks);
}

void Client::on_own(const OwnSection& own) {
  if (!block_is_news_) return;
  ++snapshots_;
  time_map_.on_block(local_ticks(now_us_), block_tick_, own.rate);
  flights_.settle(block_tick_, prediction_.cues());
  telemetry_.on_jitter(time_map_.jitter_ticks());
  for (const ParentMotion& parent : own.parents) entities_.parent_motion(block_tick_, parent);
  entities_.own_state(own, block_stream_);
  worker_techniques_ = own.techniques;
  delay_ticks_ = own.delay_ticks;
  note_own_type(own.avatar);
  note_loop(own);
  note_margin(own);
  const bool was_running = prediction_.running();
  const std::uint64_t resets = prediction_.hard_resets();
  told_ = own;
  told_.final_tick = own.final_tick - delay_ticks_;  // as the client's inputs name ticks
  final_tick_ = told_.final_tick;
  block_has_own_ = true;
  note_final(told_);
  const auto correction = prediction_.on_own(told_, view(now_us_));
  if (prediction_.running() && (!was_running || prediction_.hard_resets() != resets)) {
    first_tick_ = prediction_.next();
    reset_epoch_ = own.reset_epoch;
    newest_input_.reset();  // inputs of the old epoch are void (V8)
    newest_sent_.reset();
  }
  note_correction(correction);
}

void Client::note_correction(const std::optional<Correction>& correction) {
  if (!correction) return;
  look_out(true);
  breaker_.on_correction(now_us_, correction->meters, correction->storm);
  if (animating_) return;  // it was not displayed
  last_correction_ = *correction;
  ++corrections_shown_;
  const ClientEntity* parent = entities_.find(prediction_.parent());
  const bool on_static =
      parent == nullptr || entities_.type_of(*parent).kind == world::EntityKind::Static;
  telemetry_.on_correction(now_us_, correction->meters, correction->cause, on_static);
}

}  // namespace perigee::client
