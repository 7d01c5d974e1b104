/// The client library: packets and time in, entities to render out. No sockets, threads or clocks;
/// the caller owns all three. One object per player. (mission B1-B4, E4, E10, S14, K23-K30)
///
/// Per frame: receive() every datagram that arrived, advance(now), poll_send() until it returns
/// none, then render scene().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "perigee/client/entity_store.hpp"
#include "perigee/client/latency_log.hpp"
#include "perigee/client/prediction.hpp"
#include "perigee/client/projectiles.hpp"
#include "perigee/client/storm_breaker.hpp"
#include "perigee/client/telemetry_log.hpp"
#include "perigee/netcode/fabric.hpp"
#include "perigee/netcode/frames.hpp"
#include "perigee/netcode/lead_control.hpp"
#include "perigee/netcode/reliable_stream.hpp"
#include "perigee/netcode/techniques.hpp"
#include "perigee/netcode/time_map.hpp"
#include "perigee/netcode/wire_client.hpp"
#include "perigee/replay/flight_recorder.hpp"
#include "perigee/transport/client.hpp"
#include "perigee/world/game.hpp"

namespace perigee::client {

/// Called for one tick's controls, right before that tick is predicted. (K23)
class InputSampler {
 public:
  virtual ~InputSampler() = default;
  virtual PlayerInput sample(Tick tick) = 0;
};

struct Settings {
  LeadControl::Settings lead;
  TimeMap::Settings view;
  std::int32_t ticks_per_call_max = 30;  ///< ticks to catch up after a hitch, in one call
  Micros uncompared_us_max = 2'000'000;  ///< without a final state this long: restart (V6-V10)
  std::int32_t skip_ticks = 60;          ///< further behind: continue from the server's state (K30)
  /// Limit of the lead over the newest server tick, beyond which there is no prediction: a round
  /// trip of 3.7 s. The rest of Prediction::history_ticks is for the rollback window and for
  /// jitter.
  double lead_ticks_max = 220;
  /// Default: the techniques of the avatar's type, from the game.
  std::optional<Techniques> techniques;
  /// Lateness of inputs up to which a suggested tick may be used: the worker's P, 250 ms. (S3)
  double suggestion_late_ticks_max = 15;
  StormBreaker::Settings storm_breaker;
  /// Records the last seconds of the own avatar: see Client::recording().
  std::optional<replay::RecorderSettings> recorder;
  /// Timeout of a silent gateway, and duration of reconnection attempts.
  transport::ClientOptions transport;
};

/// An entity as it is to be rendered.
struct SceneEntity {
  Handle handle = no_entity;
  world::TypeId type = 0;
  Handle parent = no_entity;  ///< frame of `local`
  Pose local;
  Pose world;
  bool own = false;        ///< the predicted avatar
  bool smoothing = false;  ///< a correction is being blended out (E9) ...
  Vec3 smoothing_offset;   ///< ... remaining offset: rendered at true + this, in the parent's frame
  bool extrapolated = false;
};

/// Verdict on an effect that the client displayed at once.
struct EffectVerdict {
  Tick target;
  std::uint8_t index = 0;
  Verdict verdict = Verdict::Confirmed;
  CancelReason reason = CancelReason::None;
};

class Client final : private BlockVisitor {
 public:
  Client(const world::GameModule& game, const Settings& settings);
  ~Client() override;

  /// Connects with a token from the session service, and discards all state of an earlier session
  /// except the totals and samples of telemetry(). False: not a token.
  bool begin(Micros now_us, std::span<const std::byte> token);
  /// Handles one datagram, decrypting it in place.
  void receive(Micros now_us, const Address& from, std::span<std::byte> datagram);
  /// Runs the due ticks: samples, predicts, and queues one packet.
  void advance(Micros now_us, InputSampler& sampler);
  std::optional<transport::Client::Outgoing> poll_send() { return transport_.poll_send(); }
  void disconnect(Micros now_us);
  /// Switches techniques from now on; a correction that is being smoothed continues. (E9)
  void use(const Techniques& techniques);
  /// Number of orders of techniques from operators; techniques() has the result.
  std::uint32_t orders_obeyed() const { return orders_obeyed_; }
  const Techniques& techniques() const { return techniques_; }
  /// `lead` while the path is too long for the suggested timeline: see timeline_fallbacks(). (S3)
  Timeline timeline_in_use() const { return fell_back_ ? Timeline::Lead : techniques_.timeline; }
  std::uint32_t timeline_fallbacks() const { return timeline_fallbacks_; }
  /// Techniques that the worker uses for this client's inputs, as last received; none before the
  /// first own section.
  const std::optional<SharedTechniques>& worker_techniques() const { return worker_techniques_; }
  /// Delay of the client's inputs on the worker behind the ticks that they name.
  std::int32_t delay_ticks() const { return delay_ticks_; }
  /// The own avatar is rendered at the server's state, not at its prediction. (K46)
  bool animating() const { return animating_; }
  const StormBreaker& storm_breaker() const { return breaker_; }

  bool connected() const { return transport_.connected(); }
  transport::ClientState transport_state() const { return transport_.state(); }
  /// In the world and predicting.
  bool playing() const { return prediction_.running() && prediction_.next() != first_tick_; }
  const transport::Client& transport() const { return transport_; }
  /// The gateway fell silent or disconnected; the client is reconnecting to the same avatar.
  bool reconnecting() const { return transport_.reconnecting(); }
  /// Number of own sections received, each newer than the one before.
  std::uint64_t snapshots() const { return snapshots_; }

  /// All known entities as rendered at `now_us`. Parents before children; valid until the next
  /// advance.
  std::span<const SceneEntity> scene(Micros now_us);
  /// All projectiles as rendered at `now_us`; valid until the next call. (B6)
  std::span<const DrawnFlight> flights(Micros now_us);
  /// The own avatar alone, for a camera. None if there is none to render.
  std::optional<SceneEntity> own(Micros now_us) const;
  /// The client's recording of the seconds up to the correction `of`; none without a recorder, or
  /// before playing. `build` is the version of the program.
  std::optional<replay::Recording> recording(const Correction& of, std::string_view build) const;
  /// The newest correction that was displayed, and the number of all displayed ones.
  const Correction& last_correction() const { return last_correction_; }
  std::uint64_t corrections_shown() const { return corrections_shown_; }
  /// Interpolation of the rendered prediction from the state before its last step (0) to the one
  /// after (1).
  double shown_part(Micros now_us) const;
  /// The own actor's predicted game state, or the public part of another actor's. None if not
  /// known.
  std::optional<world::GameState> game_state(Handle actor) const;
  const EntityStore& entities() const { return entities_; }
  const Prediction& prediction() const { return prediction_; }
  Prediction& prediction() { return prediction_; }
  const TimeMap& time() const { return time_map_; }
  const LeadControl& lead() const { return lead_; }
  const TelemetryLog& telemetry() const { return telemetry_; }
  const LatencyLog& latency() const { return latency_; }
  /// Inputs sent, not counting repetitions.
  std::uint64_t inputs_sent() const { return inputs_sent_; }
  void restart_totals() { telemetry_.restart_totals(), latency_.restart_samples(); }
  /// Tick of the newest received final state, as the client's inputs name ticks.
  const std::optional<Tick>& final_tick() const { return final_tick_; }
  ViewPoint view() const { return view(now_us_); }
  ViewPoint view(Micros now_us) const;
  /// The view on the screen since the last frame. A sampler that aims uses this one, because the
  /// player aims at what is on the screen. (B5)
  const ViewPoint& seen() const { return seen_; }
  /// Verdicts on actions that arrived since the last call of advance().
  std::span<const EffectVerdict> verdicts() const { return verdicts_; }
  /// Cues of the own actor to play or to cancel. Read them after each advance().
  std::span<const CueNews> cues() const { return prediction_.cues().news(); }
  /// Whether that cell of a patch is solid, as predicted, for rendering; false if it is not a
  /// patch.
  bool solid(Handle patch, const world::Cell& cell) const;
  /// Changes whenever a cell of the patch may have changed.
  std::uint64_t ground_version(Handle patch) const;
  /// Committed outcomes that concern the own actor. Read them after each advance(). (S11)
  std::span<const OutcomeEvent> outcomes() const { return outcomes_; }

 private:
  struct Stream {
    bool known = false;
    bool former = false;  ///< of the previous session: its next block restarts the stream
    std::uint16_t epoch = 0;
    EventReceiver<WorldEvent> events;
    Tick newest;
    bool owed = false;  ///< an acknowledgement must be sent
  };
  struct Sent {
    std::uint64_t sequence = 0;
    Micros at_us = 0;
  };

  void on_own(const OwnSection& own) override;
  void on_event(Sequence sequence, const WorldEvent& event) override;
  void on_record(const GroupFrame& frame, const EntityRecord& record) override;
  void on_block(Micros now_us, std::uint8_t stream, std::span<const std::byte> bytes);
  void on_gateway_frame(Micros now_us, std::span<const std::byte> bytes);
  void on_resume(Micros now_us, std::span<const std::byte> bytes);
  void on_order(std::span<const std::byte> bytes);
  void keep_connected(Micros now_us);
  void notice_new_session(Micros now_us);
  void forget_former_streams();
  void apply(const WorldEvent& event, std::uint8_t stream);
  void forget(std::uint8_t stream);
  void forget_world();
  void forget_session();
  void answer_resume(FrameWriter& frames);
  void answer_order(FrameWriter& frames);
  void hear_of_surroundings();
  void note_correction(const std::optional<Correction>& correction);
  void report_chunks(FrameWriter& frames);
  void start_over(std::uint16_t incarnation);
  void watch_comparisons();
  void count_extrapolated();
  double local_ticks(Micros now_us) const;
  bool lead_is_astray(double local) const;
  void seed_lead(double local);
  void note_margin(const OwnSection& own);
  double predicted_ticks(Micros now_us) const;
  void run_ticks(Micros now_us, InputSampler& sampler);
  Vec3 shown_position(Micros now_us, const ViewPoint& at) const;
  void choose_what_is_shown(Micros now_us);
  void advance_helm(Micros now_us, double dt_s);
  FlightViewer flight_viewer(Micros now_us) const;
  void note_loop(const OwnSection& own);
  void note_shown(Micros now_us);
  void look_out(bool again);
  std::uint16_t view_age(Tick tick) const;
  void note_own_type(Handle avatar);
  void note_final(const OwnSection& own);
  void note_change(const TimelineEvent& event);
  void hear_of_switch(const ParentSwitchEvent& change);
  double spare_ticks_at_start() const;
  void advance_clocks(Micros now_us, double elapsed_ticks);
  bool suggestion_holds(double offset_ticks);
  bool send_is_due(Micros now_us);
  void write_inputs(ControlFrame& frame);
  void send_packet(Micros now_us);
  std::optional<SceneEntity> draw(const ClientEntity& entity, Micros now_us,
                                  const ViewPoint& at) const;
  std::optional<SceneEntity> draw_own(Micros now_us, const ViewPoint& at) const;
  std::optional<SceneEntity> draw_other(const ClientEntity& entity, const ViewPoint& at) const;

  const world::GameModule& game_;
  Settings settings_;
  Techniques techniques_;
  transport::Client transport_;
  EntityStore entities_;
  Prediction prediction_;
  Projectiles flights_;
  TimeMap time_map_;
  LeadControl lead_;
  TelemetryLog telemetry_;
  LatencyLog latency_;
  StormBreaker breaker_;
  std::unique_ptr<replay::FlightRecorder> recorder_;
  Correction last_correction_;
  std::uint64_t corrections_shown_ = 0;
  bool animating_ = false;
  Micros epoch_us_ = 0;  ///< zero of local ticks
  Micros now_us_ = 0;
  Micros last_advance_us_ = 0;
  bool stalled_ = false;  ///< the last frame came long after the previous one
  /// Incarnation of the cluster that the blocks come from, and the previous one: its late blocks
  /// are ignored.
  std::optional<std::uint16_t> incarnation_, former_incarnation_;
  std::uint64_t compared_ = 0;  ///< number of comparisons when ...
  Micros compared_at_us_ = 0;   ///< ... the last new one was noticed
  Tick first_tick_;
  Tick settled_;                 ///< margins of inputs up to here reflect the start, not the path
  std::vector<Stream> streams_;  ///< by worker slot
  TickRing<PlayerInput, 64> inputs_;
  std::optional<Tick> newest_input_;
  std::optional<Tick> echo_;  ///< newest input that the worker really applied
  std::uint8_t reset_epoch_ = 0;
  std::optional<SharedTechniques> worker_techniques_;
  std::int32_t delay_ticks_ = 0;
  std::optional<Tick> final_tick_;
  bool fell_back_ = false;
  std::uint32_t timeline_fallbacks_ = 0;
  std::uint32_t ticks_run_ = 0;
  std::optional<Tick> newest_sent_;
  std::optional<Tick> ever_sent_;  ///< likewise, but kept across hard resets
  std::uint64_t inputs_sent_ = 0;
  Micros next_send_us_ = 0;
  std::array<Sent, 256> sent_{};
  std::uint32_t sessions_ = 0;  ///< of the transport, as noticed here
  std::optional<Micros> former_since_us_;
  bool quit_ = false;
  std::optional<std::uint32_t> resume_owed_;  ///< number of a resume token to acknowledge
  std::uint32_t order_ = 0;                   ///< number of the session's newest order; 0: none yet
  bool order_owed_ = false;                   ///< an answer must be sent
  std::uint32_t orders_obeyed_ = 0;
  std::uint64_t snapshots_ = 0;
  std::vector<SceneEntity> scene_;
  std::vector<EffectVerdict> verdicts_;
  std::vector<OutcomeEvent> outcomes_;
  std::size_t outcomes_shown_ = 0;  ///< of these, in the previous frame
  ViewPoint seen_;
  std::optional<std::uint8_t> chunks_owed_;  ///< stream to send a report on its listed chunks to
  OwnSection told_;                          ///< the newest own section
  // While a block is read:
  std::uint8_t block_stream_ = 0;
  Tick block_tick_;
  bool block_is_news_ = false;
  bool block_has_own_ = false;
  bool ground_changed_ = false;
};

}  // namespace perigee::client
