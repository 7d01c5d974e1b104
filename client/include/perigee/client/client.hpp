/// The client library: packets and time in, entities to render out. No sockets, threads or clocks;
/// the caller owns all three. One object per player.
///
/// Per frame: receive() every datagram that arrived, advance(now), poll_send() until it returns
/// none, then render scene().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "perigee/base/impaired_path.hpp"
#include "perigee/client/block_applier.hpp"
#include "perigee/client/gateway_connection.hpp"
#include "perigee/client/messages.hpp"
#include "perigee/client/scene.hpp"
#include "perigee/client/settings.hpp"
#include "perigee/client/technique_control.hpp"

namespace perigee::client {

class Client final {
 public:
  Client(const world::GameModule& game, const Settings& settings);

  /// Connects with a token from the session service, and discards all state of an earlier session
  /// except the totals and samples of telemetry(). False: not a token.
  bool begin(Micros now_us, std::span<const std::byte> token);
  /// Handles one datagram, decrypting it in place. With use_link() a copy of it arrives later.
  void receive(Micros now_us, const Address& from, std::span<std::byte> datagram);
  /// Runs the due ticks: samples, predicts, and queues one packet.
  void advance(Micros now_us, InputSampler& sampler);
  std::optional<transport::Client::Outgoing> poll_send();
  /// Sends and receives over a simulated path from now on, for trying a game under bad conditions;
  /// none: no longer. Datagrams then move once per frame: in advance() and poll_send().
  void use_link(Micros now_us, const std::optional<LinkPair>& link, std::uint64_t seed);
  /// Also ends use_link(), so that poll_send() has the packets for it at once.
  void disconnect(Micros now_us);
  /// Switches techniques from now on; a correction that is being smoothed continues.
  void use(const Techniques& techniques) { techniques_.use(techniques); }
  /// Number of orders of techniques from operators; techniques() has the result.
  std::uint32_t orders_obeyed() const { return techniques_.orders_obeyed(); }
  const Techniques& techniques() const { return techniques_.techniques(); }
  /// `lead` while the path is too long for the suggested timeline: see timeline_fallbacks().
  Timeline timeline_in_use() const { return clocks_.timeline_in_use(); }
  std::uint32_t timeline_fallbacks() const { return clocks_.timeline_fallbacks(); }
  /// Techniques that the worker uses for this client's inputs, as last received; none before the
  /// first own section.
  const std::optional<SharedTechniques>& worker_techniques() const {
    return own_state_.worker_techniques();
  }
  /// Delay of the client's inputs on the worker behind the ticks that they name.
  std::int32_t delay_ticks() const { return clocks_.delay_ticks(); }
  /// The own avatar is rendered at the server's state, not at its prediction.
  bool animating() const { return display_.animating(); }
  const StormBreaker& storm_breaker() const { return corrections_.breaker(); }

  bool connected() const { return transport().connected(); }
  /// Connected, or reconnecting while the silent gateway may still answer: it plays on.
  bool in_session() const { return transport().in_session(); }
  transport::ClientState transport_state() const { return transport().state(); }
  /// In the world and predicting.
  bool playing() const {
    return prediction_.running() && prediction_.next() != inputs_.first_tick();
  }
  const transport::Client& transport() const { return connection_.transport(); }
  /// The gateway fell silent or disconnected; the client is reconnecting to the same avatar.
  bool reconnecting() const { return transport().reconnecting(); }
  /// Number of own sections received, each newer than the one before.
  std::uint64_t snapshots() const { return own_state_.snapshots(); }

  /// All known entities as rendered at `now_us`. Parents before children; valid until the next
  /// advance.
  std::span<const SceneEntity> scene(Micros now_us) { return scene_.draw(now_us); }
  /// All projectiles as rendered at `now_us`; valid until the next call.
  std::span<const DrawnProjectile> projectiles(Micros now_us) {
    return projectiles_.draw(display_.projectile_viewer(now_us));
  }
  /// The own avatar alone, for a camera. None if there is none to render.
  std::optional<SceneEntity> own(Micros now_us) const { return scene_.own(now_us); }
  /// The client's recording of the seconds up to the correction `of`; none without a recorder, or
  /// before playing. `build` is the version of the program.
  std::optional<replay::Recording> recording(const Correction& of, std::string_view build) const {
    return recorder_.recording(of, build);
  }
  /// Replaces Settings::recorder from now on; none ends the recording.
  void record(const std::optional<replay::RecorderSettings>& settings) { recorder_.use(settings); }
  /// The newest correction that was displayed, and the number of all displayed ones.
  const Correction& last_correction() const { return corrections_.last_shown(); }
  std::uint64_t corrections_shown() const { return corrections_.shown(); }
  /// Interpolation of the rendered prediction from the state before its last step (0) to the one
  /// after (1).
  double shown_part(Micros now_us) const { return display_.shown_part(now_us); }
  /// The own actor's predicted game state, or the public part of another entity's. None if the
  /// entity is not known, or its type has no state.
  std::optional<world::GameState> game_state(Handle entity) const;
  /// The public part of the world's state, the same for all clients at any place, some ticks after
  /// a change. None: the game has none, or it is not known yet.
  std::optional<world::GameState> world_state() const;
  /// How states of that type are laid out; null: there are none.
  const world::GameStateCodec* state_codec_of(world::TypeId type) const;
  /// Of the player of an actor; empty if it is not known. Valid until the next received payload.
  std::string_view player_name(Handle actor) const;
  const EntityStore& entities() const { return entities_; }
  const Prediction& prediction() const { return prediction_; }
  Prediction& prediction() { return prediction_; }
  const TimeMap& time() const { return clocks_.time(); }
  const LeadControl& lead() const { return clocks_.lead(); }
  const TelemetryLog& telemetry() const { return telemetry_; }
  const LatencyLog& latency() const { return latency_; }
  /// Inputs sent, not counting repetitions.
  std::uint64_t inputs_sent() const { return inputs_.inputs_sent(); }
  void restart_totals() { telemetry_.restart_totals(), latency_.restart_samples(); }
  /// Tick of the newest received final state, as the client's inputs name ticks.
  const std::optional<Tick>& final_tick() const { return own_state_.final_tick(); }
  ViewPoint view() const { return view(clocks_.now_us()); }
  ViewPoint view(Micros now_us) const { return display_.view(now_us); }
  /// The view on the screen since the last frame. A sampler that aims uses this one, because the
  /// player aims at what is on the screen.
  const ViewPoint& seen() const { return display_.seen(); }
  /// Verdicts on actions that arrived since the last call of advance().
  std::span<const EffectVerdict> verdicts() const { return applier_.verdicts(); }
  /// Cues of the own actor to play or to cancel. Read them after each advance().
  std::span<const CueNews> cues() const { return prediction_.cues().news(); }
  /// Cues of others, and those that the game ordered, to play in this frame: their entities are
  /// drawn at their ticks now. Read them after each advance().
  std::span<const HeardCue> heard() const { return heard_cues_.news(); }
  const HeardCues::Counts& heard_counts() const { return heard_cues_.counts(); }
  /// Whether that cell of a patch is solid, as predicted, for rendering. False if the entity is not
  /// a patch.
  bool solid(Handle patch, const world::Cell& cell) const;
  /// Changes whenever a cell of the patch may have changed.
  std::uint64_t ground_version(Handle patch) const;
  /// Committed outcomes that concern the own actor. Read them after each advance().
  std::span<const OutcomeEvent> outcomes() const { return applier_.outcomes(); }
  /// Sends a message to the game: GameModule::on_message is called with it once, after those sent
  /// before. It leaves when the client is playing.
  MessageRefusal send_message(std::span<const std::byte> message) {
    return messages_.send(message);
  }
  /// Messages that the game does not have for certain yet.
  std::size_t messages_waiting() const { return messages_.waiting(); }
  /// The next message from the game, once each, in their order. Take all after each advance(): of
  /// messages_waiting_max untaken ones the next ones wait at the server.
  std::optional<MessageBytes> take_message() { return messages_.take(); }

 private:
  void on_new_session(Micros now_us);
  void forget_world();
  void search_hits(bool again);
  void send_packet(Micros now_us);
  void send_messages(FrameWriter& frames, Micros now_us);
  void on_worker_frame(const Frame& frame);
  void on_datagram(Micros now_us, const Address& from, std::span<std::byte> datagram);

  // In the order in which the components need each other.
  const world::GameModule& game_;
  const Settings settings_;
  TelemetryLog telemetry_;
  LatencyLog latency_;
  EntityStore entities_;
  TechniqueControl techniques_;
  Prediction prediction_;
  Projectiles projectiles_;
  HeardCues heard_cues_;
  Clocks clocks_;
  Recorder recorder_;
  Display display_;
  Scene scene_;
  InputSender inputs_;
  TickRunner ticks_;
  CorrectionLog corrections_;
  OwnState own_state_;
  BlockApplier applier_;
  StreamReceiver streams_;
  Messages messages_;
  GatewayConnection connection_;
  ImpairedPath up_;
  ImpairedPath down_;
  Micros last_advance_us_ = 0;
};

}  // namespace perigee::client
