// Flight recordings from any sender: a recording that can be read can be written again, and
// replayed.
#include "fuzz/fuzz.hpp"
#include "perigee/replay/flight_recorder.hpp"
#include "perigee/replay/flight_report.hpp"
#include "perigee/replay/rerun.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee::fuzz {
namespace {

using namespace replay;

constexpr std::size_t frame_bytes = 16 + 2;  // start of a file
constexpr std::size_t sum_bytes = 8;

struct Controls {
  std::int16_t lean = 0;
  std::uint8_t slot = 1;
  std::uint8_t emote = 0;
  static void fields(auto&& field, auto& controls) {
    field(controls.lean, "lean", {.low = -100, .high = 100});
    field(controls.slot, "slot", {.low = 1, .high = 5, .missing = WhenMissing::Kept});
    field(controls.emote, "emote", {.high = 6, .missing = WhenMissing::Momentary});
  }
};

/// A game with input fields, which relies on their ranges.
class Relying final : public skiff::Skiff {
 public:
  const InputLayout& input_layout() const override { return inputs_; }
  void step(world::ActorContext& context, world::GameState& state) const override {
    PERIGEE_ASSERT(!inputs_.unusable(context.input().own), "steps have values in their ranges");
    Skiff::step(context, state);
  }

 private:
  InputLayout inputs_ = input_layout_of<Controls>();
};

/// The game of the recording: with input fields, or without.
const skiff::Skiff& game_of(const Recording& recording) {
  static const skiff::Skiff plain;
  static const Relying relying;
  return recording.header.input_fields.empty() ? plain : relying;
}

/// Corrects the checksum, as an attacker would: the fuzzer cannot guess it.
Bytes sealed(Input body) {
  static const Bytes begin = [] {
    Recording none;
    none.types = recorded_types(skiff::Skiff().types().first(1));
    return write_recording(none);
  }();
  Bytes out(begin.begin(), begin.begin() + frame_bytes);
  append(out, body);
  StateHash hash;
  for (const std::byte b : out) hash.add(b);
  append(out, hash.value());
  return out;
}

void run(Input input) {
  const Bytes bytes = sealed(input);
  const auto recording = read_recording(bytes);
  if (!recording) {
    PERIGEE_ASSERT(!recording.error().message.empty(), "a refusal has a reason");
    return;
  }
  const auto again = read_recording(write_recording(*recording));
  PERIGEE_ASSERT(again.ok() && again->ticks.size() == recording->ticks.size(),
                 "what is read can be written");
  const skiff::Skiff& game = game_of(*recording);
  const Halves halves{&*recording, &*again};
  if (const auto why = unplayable(game, *recording)) {
    PERIGEE_ASSERT(!why->message.empty(), "a refusal has a reason");
    PERIGEE_ASSERT(!report_flight(game, halves).ok(), "no half of a report is stepped either");
    return;
  }
  const Rerun first = rerun(game, *recording);
  PERIGEE_ASSERT(rerun(game, *again).bits_otherwise == first.bits_otherwise, "and runs the same");
  if (const auto parting = where_parted(*recording, *again)) {
    why_parted(game, *recording, *again, *parting);
  }
  if (recording->ticks.empty()) return;
  const auto report = report_flight(game, halves, {.explained_max = 2});
  PERIGEE_ASSERT(!report || report->ends_with('}'), "a report is whole, or refused");
}

/// A flight above that shape, or above a crate.
/// The last tick gets these controls, if any, without being played.
Bytes flight_above(const world::ShapePtr& ground, const skiff::Skiff& game,
                   std::optional<Controls> last = std::nullopt) {
  const auto rows = game.types().subspan(skiff::crate_row, 3);  // crate, border, character
  std::vector<world::EntityType> types(rows.begin(), rows.end());
  if (ground) types[0].shape = ground;
  FlightRecorder recorder(types);
  world::StepRecord step;
  step.frame.gravity = world::unbounded_gravity({0, -9.81, 0});
  step.before.position = {0, 1.5, 0};
  const Pose below{{0, -0.5, 0}, {}};
  insert_by_id(step.neighbours,
               make_neighbour(7, world::NeighbourKind::Solid, *types[0].shape, below, below));
  world::GameState game_state;
  for (std::uint32_t i = 0; i < 4; ++i) {
    step.tick = Tick{100 + i};
    step.input.tick = step.tick;
    step.input.forward = 127;
    if (i == 2) step.input.samples.push_back({.pressed = button_jump});
    if (i == 3) step.switched_from = Motion{};
    if (!game.input_layout().empty()) {
      step.input.own.set(Controls{.lean = -100, .slot = 5, .emote = static_cast<std::uint8_t>(i)});
    }
    world::play_tick(game, types[2].actor, step, i == 0 ? step.before : step.after, game_state);
    game_state = step.game_after;
    recorder.note(step);
  }
  recorder.note_final({Tick{103}, Tick{101}, no_entity, step.before});
  recorder.note_change({Tick{102}, {9, Tick{110}, 1, 2}});
  recorder.note_claim({Tick{102}, no_entity, {0, 1.5F, 0.25F}});
  recorder.note_correction({Tick{103}, CorrectionCause::Residual, 0.25});
  Recording recording =
      recorder.recording({.game = "skiff",
                          .build = "seed",
                          .avatar = 1,
                          .type = 2,
                          .input_fields = recorded_input_fields(game.input_layout())},
                         [](Handle h) { return std::optional(Recording::Thing{h, 0, false}); });
  if (last) recording.ticks.back().input.own.set(*last);
  const Bytes bytes = write_recording(recording);
  return {bytes.begin() + frame_bytes, bytes.end() - sum_bytes};
}

std::vector<Bytes> seeds() {
  world::HeightfieldSource hill{.columns = 4, .rows = 3};
  hill.heights = {0, 5, 0, 0, 20, 90, 7, 0, 0, 5, 0, 0};
  hill.cells = {0, 1, world::Heightfield::hole, 0, 0, 1};
  hill.materials = {{1, 0.5F}, {2, 1}};
  const skiff::Skiff plain;
  return {flight_above(nullptr, plain),
          flight_above(world::make_shape(world::Heightfield::make(hill).value()), plain),
          flight_above(nullptr, Relying()), flight_above(nullptr, Relying(), Controls{.slot = 9})};
}

}  // namespace

const Target target{run, seeds, 2000};

}  // namespace perigee::fuzz
