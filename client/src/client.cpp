#include "perigee/client/client.hpp"

#include <algorithm>
#include <array>

#include "perigee/base/fabric.hpp"

namespace perigee::client {
namespace {

/// A token opens one session, so no other conversation has this name.
std::uint32_t conversation_of(std::span<const std::byte> token) {
  StateHash hash;
  for (const std::byte byte : token) hash.add(byte);
  const auto name = static_cast<std::uint32_t>(hash.value());
  return name != 0 ? name : 1;
}

bool is_message(std::span<const std::byte> frame) {
  return !frame.empty() && frame[0] == std::byte{worker_message_kind};
}

}  // namespace

// A function that is called later may use a component that is built later.
Client::Client(const world::GameModule& game, const Settings& settings)
    : game_(game),
      settings_(settings),
      entities_(game.types()),
      techniques_({.telemetry = telemetry_,
                   .on_change =
                       [this](const Techniques& techniques) {
                         prediction_.use(techniques);
                         clocks_.on_techniques();
                       },
                   .inject_desync =
                       [this](const Vec3& meters) {
                         if (prediction_.running()) prediction_.inject_desync(meters);
                       }},
                  settings.techniques),
      prediction_(entities_, game, techniques_.techniques()),
      projectiles_(entities_, game),
      heard_cues_(entities_),
      clocks_(
          {.settings = settings_, .techniques = techniques_.techniques(), .telemetry = telemetry_}),
      recorder_(
          {.game = game, .settings = settings_, .entities = entities_, .prediction = prediction_}),
      display_({.entities = entities_,
                .prediction = prediction_,
                .clocks = clocks_,
                .telemetry = telemetry_,
                .latency = latency_}),
      scene_({.entities = entities_,
              .prediction = prediction_,
              .clocks = clocks_,
              .display = display_}),
      inputs_({.techniques = techniques_.techniques(),
               .clocks = clocks_,
               .latency = latency_,
               .telemetry = telemetry_,
               .own = game.input_layout()}),
      ticks_({.game = game,
              .settings = settings_,
              .clocks = clocks_,
              .prediction = prediction_,
              .projectiles = projectiles_,
              .display = display_,
              .inputs = inputs_,
              .recorder = recorder_,
              .latency = latency_,
              .telemetry = telemetry_,
              .search_hits = [this] { search_hits(false); }}),
      corrections_({.clocks = clocks_,
                    .entities = entities_,
                    .prediction = prediction_,
                    .display = display_,
                    .telemetry = telemetry_},
                   settings.storm_breaker),
      own_state_({.clocks = clocks_,
                  .entities = entities_,
                  .prediction = prediction_,
                  .projectiles = projectiles_,
                  .display = display_,
                  .inputs = inputs_,
                  .ticks = ticks_,
                  .recorder = recorder_,
                  .corrections = corrections_,
                  .suggest_techniques =
                      [this](const Techniques& techniques) { techniques_.suggest(techniques); },
                  .search_hits_again = [this] { search_hits(true); }}),
      applier_({.clocks = clocks_,
                .entities = entities_,
                .prediction = prediction_,
                .projectiles = projectiles_,
                .heard_cues = heard_cues_,
                .display = display_,
                .recorder = recorder_,
                .own_state = own_state_,
                .telemetry = telemetry_,
                .forget_world = [this] { forget_world(); },
                .search_hits = [this] { search_hits(false); }}),
      streams_({.handler = applier_, .telemetry = telemetry_}),
      connection_({.telemetry = telemetry_,
                   .on_new_session = [this](Micros now_us) { on_new_session(now_us); },
                   .on_order = [this](auto bytes) { techniques_.on_order(bytes); }},
                  settings.transport) {}

bool Client::begin(Micros now_us, std::span<const std::byte> token) {
  streams_.begin();
  forget_world();
  techniques_.forget_session();
  own_state_.forget_session();
  clocks_.begin(now_us);
  messages_.begin(conversation_of(token));
  last_advance_us_ = now_us;
  return connection_.begin(now_us, token);
}

void Client::on_new_session(Micros now_us) {
  streams_.on_new_session(now_us);
  techniques_.forget_session();
  own_state_.forget_session();
  messages_.greet_again();
}

void Client::forget_world() {
  entities_.clear();
  prediction_.start_over();
  projectiles_.clear();
  heard_cues_.forget_world();
  clocks_.forget_world();
  latency_.forget_inputs();
  recorder_.forget_world();
  display_.forget_world();
  inputs_.forget_world();
  ticks_.forget_world();
  corrections_.forget_world();
  own_state_.forget_world();
  applier_.forget_world();
  messages_.greet_again();
}

void Client::receive(Micros now_us, const Address& from, std::span<std::byte> datagram) {
  if (!down_.engaged()) return on_datagram(now_us, from, datagram);
  down_.send(now_us, from, datagram);
}

void Client::on_datagram(Micros now_us, const Address& from, std::span<std::byte> datagram) {
  clocks_.set_now(now_us);
  const auto payload = connection_.receive(now_us, from, datagram);
  if (!payload) return;
  FrameReader frames(payload->bytes);
  while (const auto frame = frames.next()) {
    if (frame->stream == stream_gateway) {
      connection_.on_frame(now_us, frame->bytes);
    } else if (is_worker_stream(frame->stream)) {
      on_worker_frame(*frame);
    } else {
      telemetry_.count_malformed();
    }
  }
  if (!frames.ok()) telemetry_.count_malformed();
}

void Client::on_worker_frame(const Frame& frame) {
  if (!is_message(frame.bytes)) return streams_.on_block(frame.stream, frame.bytes);
  if (!messages_.on_frame(frame.bytes)) telemetry_.count_malformed();
}

void Client::advance(Micros now_us, InputSampler& sampler) {
  const Micros pause_us = now_us - last_advance_us_;
  const double elapsed_ticks = static_cast<double>(std::max<Micros>(pause_us, 0)) * ticks_per_us;
  last_advance_us_ = now_us;
  while (const auto arrival = down_.receive(now_us)) {
    on_datagram(arrival->at_us, arrival->peer, arrival->datagram);
  }
  clocks_.set_now(now_us);
  applier_.begin_frame();
  prediction_.cues().begin_frame();
  connection_.advance(now_us, pause_us);
  streams_.advance(now_us);
  clocks_.advance(elapsed_ticks);
  const double rate = time().rate();
  entities_.advance(elapsed_ticks * rate);
  corrections_.advance(now_us);
  if (in_session()) {
    const bool predicts = ticks_.run(now_us, sampler);
    if (!predicts || animating()) telemetry_.on_animated();
    send_packet(now_us);
  }
  const bool animate =
      !techniques().prediction || (techniques().storm_breaker && storm_breaker().open());
  // Rendered motion follows the rate of the world's time.
  display_.advance(now_us, elapsed_ticks * time().rate() * seconds_per_tick, animate);
  if (time().ready()) heard_cues_.advance(display_.seen(), prediction_.avatar());
  telemetry_.advance(now_us);
  applier_.end_frame();
  prediction_.cues().end_frame();
}

// Others' projectiles against the own avatar; while the prediction is not rendered, the server
// reports hits.
void Client::search_hits(bool again) {
  if (!prediction_.running() || animating()) return;
  projectiles_.search_hits(prediction_, again, clocks_.delay_ticks(), prediction_.cues());
}

void Client::send_packet(Micros now_us) {
  if (!inputs_.take_turn(now_us)) return;
  std::array<std::byte, frames_bytes_max> payload;
  FrameWriter frames(payload);
  inputs_.write(frames, {prediction_.parent(), prediction_.state().position}, now_us);
  streams_.write_acknowledgements(frames);
  own_state_.write_chunk_report(frames, streams_);
  connection_.write_answer(frames);
  techniques_.write_answer(frames);
  if (auto report = telemetry_.report(now_us)) {
    latency_.fill(*report);
    std::array<std::byte, 512> bytes;
    frames.add(stream_gateway, write_telemetry(*report, bytes));
    display_.count_extrapolated();
  }
  send_messages(frames, now_us);
}

/// Sends the frames, and messages that are due: in a payload of their own if the first has no room.
void Client::send_messages(FrameWriter& frames, Micros now_us) {
  const bool due = playing() && messages_.due(now_us, telemetry_.rtt_us());
  const bool fits = due && messages_.write(frames, now_us, telemetry_.rtt_us());
  if (!frames.empty()) connection_.send(now_us, frames.payload());
  if (!due || fits) return;
  std::array<std::byte, frames_bytes_max> payload;
  FrameWriter rest(payload);
  const bool written = messages_.write(rest, now_us, telemetry_.rtt_us());
  PERIGEE_ASSERT(written, "a payload must have room for a frame of messages");
  connection_.send(now_us, rest.payload());
}

std::optional<transport::Client::Outgoing> Client::poll_send() {
  const Micros now_us = clocks_.now_us();
  while (const auto outgoing = connection_.poll_send()) {
    telemetry_.on_sent(outgoing->datagram.size());
    if (!up_.engaged()) return outgoing;
    up_.send(now_us, outgoing->to, outgoing->datagram);
  }
  const auto arrival = up_.receive(now_us);
  if (!arrival) return std::nullopt;
  return transport::Client::Outgoing{arrival->peer, arrival->datagram};
}

void Client::disconnect(Micros now_us) {
  use_link(now_us, std::nullopt, 0);
  connection_.disconnect(now_us);
}

void Client::use_link(Micros now_us, const std::optional<LinkPair>& link, std::uint64_t seed) {
  const auto path = [&](const LinkProfile LinkPair::* way, std::uint32_t direction) {
    return link ? std::optional<LinkSimulator>(std::in_place, *link.*way, seed, 0, direction)
                : std::nullopt;
  };
  up_.use(now_us, path(&LinkPair::up, 0));
  down_.use(now_us, path(&LinkPair::down, 1));
}

std::string_view Client::player_name(Handle actor) const {
  const ClientEntity* entity = entities_.find(actor);
  return entity == nullptr ? std::string_view() : text_of(entity->name);
}

const world::GameStateCodec* Client::state_codec_of(world::TypeId type) const {
  if (type >= game_.types().size()) return nullptr;
  const world::EntityType& row = game_.types()[type];
  return row.kind == world::EntityKind::Actor ? &game_.state_codec() : row.state;
}

std::optional<world::GameState> Client::world_state() const {
  const world::EntityType* row = world::find_world_row(game_.types());
  const auto& known = entities_.world_state();
  world::GameState state;
  if (row == nullptr || !known ||
      !row->state->read(known->game, row->state->initial, world::SeenBy::Everybody, state)) {
    return std::nullopt;
  }
  return state;
}

std::optional<world::GameState> Client::game_state(Handle entity) const {
  if (prediction_.running() && entity == prediction_.avatar()) return prediction_.game_state();
  const ClientEntity* known = entities_.find(entity);
  const world::GameStateCodec* codec = known != nullptr ? state_codec_of(known->type) : nullptr;
  world::GameState state;
  if (codec == nullptr ||
      !codec->read(known->game, codec->initial, world::SeenBy::Everybody, state)) {
    return std::nullopt;
  }
  return state;
}

bool Client::solid(Handle patch, const world::Cell& cell) const {
  const world::VoxelPatch* voxels = entities_.voxels(patch);
  if (voxels == nullptr || !voxels->plan().contains(cell)) return false;
  const OwnEdits::OfPatch own = prediction_.own_edits().of(patch);
  const std::uint32_t index = voxels->plan().index_of(cell);
  for (std::size_t i = own.size(); i-- > 0;) {
    if (own[i].cell == index) return own[i].solid;
  }
  return voxels->solid(cell, voxels->newest());
}

std::uint64_t Client::ground_version(Handle patch) const {
  const world::VoxelPatch* voxels = entities_.voxels(patch);
  if (voxels == nullptr) return 0;
  StateHash hash;
  for (std::uint16_t chunk = 0; chunk < voxels->plan().chunks(); ++chunk) {
    hash.add(voxels->version(chunk));
  }
  for (const world::VoxelEdit& edit : prediction_.own_edits().of(patch)) {
    hash.add(edit.tick.count).add(edit.cell).add(edit.solid);
  }
  return hash.value();
}

}  // namespace perigee::client
