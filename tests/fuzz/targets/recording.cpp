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
  static const skiff::Skiff game;
  const Bytes bytes = sealed(input);
  const auto recording = read_recording(bytes);
  if (!recording) {
    PERIGEE_ASSERT(!recording.error().message.empty(), "a refusal has a reason");
    return;
  }
  const auto again = read_recording(write_recording(*recording));
  PERIGEE_ASSERT(again.ok() && again->ticks.size() == recording->ticks.size(),
                 "what is read can be written");
  const Rerun first = rerun(game, *recording);
  PERIGEE_ASSERT(rerun(game, *again).bits_otherwise == first.bits_otherwise, "and runs the same");
  if (const auto parting = where_parted(*recording, *again)) {
    why_parted(game, *recording, *again, *parting);
  }
  if (recording->ticks.empty()) return;
  const Halves halves{&*recording, &*again};
  const auto report = report_flight(game, halves, {.explained_max = 2});
  PERIGEE_ASSERT(!report || report->ends_with('}'), "a report is whole, or refused");
}

/// A flight above that shape, or above a crate.
Bytes flight_above(const world::ShapePtr& ground) {
  const skiff::Skiff game;
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
    world::play_tick(game, types[2].actor, step, i == 0 ? step.before : step.after, game_state);
    game_state = step.game_after;
    recorder.note(step);
  }
  recorder.note_final({Tick{103}, Tick{101}, no_entity, step.before});
  recorder.note_change({Tick{102}, {9, Tick{110}, 1, 2}});
  recorder.note_claim({Tick{102}, no_entity, {0, 1.5F, 0.25F}});
  recorder.note_correction({Tick{103}, CorrectionCause::Residual, 0.25});
  const Recording recording =
      recorder.recording({.game = "skiff", .build = "seed", .avatar = 1, .type = 2},
                         [](Handle h) { return std::optional(Recording::Thing{h, 0, false}); });
  const Bytes bytes = write_recording(recording);
  return {bytes.begin() + frame_bytes, bytes.end() - sum_bytes};
}

std::vector<Bytes> seeds() {
  world::HeightfieldSource hill{.columns = 4, .rows = 3};
  hill.heights = {0, 5, 0, 0, 20, 90, 7, 0, 0, 5, 0, 0};
  hill.cells = {0, 1, world::Heightfield::hole, 0, 0, 1};
  hill.materials = {{1, 0.5F}, {2, 1}};
  return {flight_above(nullptr),
          flight_above(world::make_shape(world::Heightfield::make(hill).value()))};
}

}  // namespace

const Target target{run, seeds, 2000};

}  // namespace perigee::fuzz
