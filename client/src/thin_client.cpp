#include "perigee/client/thin_client.hpp"

#include <algorithm>
#include <array>

#include "perigee/base/fabric.hpp"
#include "perigee/base/wire_voxels.hpp"

namespace perigee::client {

ThinClient::ThinClient(const world::GameModule& game, const Settings& settings)
    : game_(game),
      settings_(settings),
      techniques_({.telemetry = telemetry_,
                   .on_change = [this](const Techniques&) { clocks_.on_techniques(); },
                   .inject_desync = [](const Vec3&) {}},
                  settings.techniques),
      clocks_(
          {.settings = settings_, .techniques = techniques_.techniques(), .telemetry = telemetry_}),
      inputs_({.techniques = techniques_.techniques(),
               .clocks = clocks_,
               .latency = latency_,
               .telemetry = telemetry_,
               .own = game.input_layout()}),
      pace_({.settings = settings_, .clocks = clocks_, .telemetry = telemetry_}),
      streams_({.handler = *this, .telemetry = telemetry_}),
      connection_({.telemetry = telemetry_,
                   .on_new_session = [this](Micros now_us) { on_new_session(now_us); },
                   .on_order = [this](auto bytes) { techniques_.on_order(bytes); }},
                  settings.transport) {}

bool ThinClient::begin(Micros now_us, std::span<const std::byte> token) {
  streams_.begin();
  forget_world();
  techniques_.forget_session();
  clocks_.begin(now_us);
  last_advance_us_ = now_us;
  return connection_.begin(now_us, token);
}

void ThinClient::on_new_session(Micros now_us) {
  streams_.on_new_session(now_us);
  techniques_.forget_session();
  chunks_due_.reports.clear();
}

void ThinClient::forget_world() {
  avatar_.stop();
  clocks_.forget_world();
  latency_.forget_inputs();
  inputs_.forget_world();
  pace_.forget_world();
  strangers_.clear();
  chunks_due_.reports.clear();
}

void ThinClient::receive(Micros now_us, const Address& from, std::span<std::byte> datagram) {
  clocks_.set_now(now_us);
  const auto payload = connection_.receive(now_us, from, datagram);
  if (!payload) return;
  FrameReader frames(payload->bytes);
  while (const auto frame = frames.next()) {
    if (frame->stream == stream_gateway) {
      connection_.on_frame(now_us, frame->bytes);
    } else if (is_worker_stream(frame->stream)) {
      streams_.on_block(frame->stream, frame->bytes);
    } else {
      telemetry_.count_malformed();
    }
  }
  if (!frames.ok()) telemetry_.count_malformed();
}

void ThinClient::on_own(const BlockSource& from, const OwnSection& own) {
  ++snapshots_;
  clocks_.on_own(from.tick, own);
  inputs_.heard(own, clocks_.now_us());
  clocks_.on_margin(own, pace_.settled());
  verdicts_.late += own.late;
  verdicts_.guessed += own.guessed;
  if (avatar_.on_own(own)) inputs_.restart(avatar_.next(), own);
  for (const auto& [handle, type] : strangers_) {
    if (handle == own.avatar) choose_techniques(type);
  }
  strangers_.clear();
  chunks_due_.reports.clear();
  chunks_due_.stream_epoch = streams_.epoch_of(from.stream);
  chunks_stream_ = from.stream;
  for (const ChunkVersion& listed : own.chunks) chunks_due_.reports.push_back({listed, false});
}

// The game chooses techniques by the avatar's type, which only its spawn names.
void ThinClient::on_event(const BlockSource&, const WorldEvent& event) {
  const auto* spawn = std::get_if<SpawnEvent>(&event);
  if (spawn == nullptr) return;
  if (spawn->handle == avatar_.handle()) return choose_techniques(spawn->type);
  if (!avatar_.running()) strangers_.push_back({spawn->handle, spawn->type});
}

void ThinClient::choose_techniques(world::TypeId type) {
  if (type < game_.types().size()) techniques_.suggest(game_.types()[type].techniques);
}

void ThinClient::advance(Micros now_us, InputSampler& sampler) {
  const Micros pause_us = now_us - last_advance_us_;
  last_advance_us_ = now_us;
  clocks_.set_now(now_us);
  connection_.advance(now_us, pause_us);
  streams_.advance(now_us);
  clocks_.advance(static_cast<double>(std::max<Micros>(pause_us, 0)) * ticks_per_us);
  if (in_session()) {
    run_ticks(now_us, sampler);
    send_packet(now_us);
  }
  telemetry_.advance(now_us);
}

void ThinClient::run_ticks(Micros now_us, InputSampler& sampler) {
  if (!pace_.hears(avatar_.running(), avatar_.finals())) avatar_.stop();
  if (!avatar_.running() || !clocks_.time().ready()) return;
  const auto due = pace_.due(now_us, avatar_.next(), !playing());
  if (!due) return;
  if (due->astray) return avatar_.stop();
  for (std::int32_t i = 0; i < due->ticks; ++i) {
    const Tick tick = avatar_.next();
    PlayerInput input = sampler.sample(tick);
    input.tick = tick;
    game_.input_layout().confine(input.own);
    if (due->too_late_to_send(i)) input = inputs_.at_rest(tick);
    inputs_.add(input);
    latency_.on_sampled(tick, now_us);
    clocks_.lead().sampled(tick, due->late_ticks - i);
    avatar_.advance();
  }
}

void ThinClient::send_packet(Micros now_us) {
  if (!inputs_.take_turn(now_us)) return;
  std::array<std::byte, frames_bytes_max> payload;
  FrameWriter frames(payload);
  inputs_.write(frames, avatar_.claim(), now_us);
  streams_.write_acknowledgements(frames);
  write_chunk_report(frames);
  connection_.write_answer(frames);
  techniques_.write_answer(frames);
  if (auto report = telemetry_.report(now_us)) {
    latency_.fill(*report);
    std::array<std::byte, 512> bytes;
    frames.add(stream_gateway, write_telemetry(*report, bytes));
  }
  if (!frames.empty()) connection_.send(now_us, frames.payload());
}

void ThinClient::write_chunk_report(FrameWriter& frames) {
  if (chunks_due_.reports.empty()) return;
  std::array<std::byte, 128> bytes;
  frames.add(chunks_stream_, write_chunks(chunks_due_, bytes));
  chunks_due_.reports.clear();
}

std::optional<transport::Client::Outgoing> ThinClient::poll_send() {
  const auto outgoing = connection_.poll_send();
  if (outgoing) telemetry_.on_sent(outgoing->datagram.size());
  return outgoing;
}

ThinClient::Verdicts ThinClient::verdicts() const {
  Verdicts out = verdicts_;
  out.hard_resets = avatar_.hard_resets() - hard_resets_before_;
  return out;
}

void ThinClient::restart_totals() {
  telemetry_.restart_totals();
  verdicts_ = {};
  hard_resets_before_ = avatar_.hard_resets();
}

}  // namespace perigee::client
