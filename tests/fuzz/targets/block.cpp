// A worker's block, as a client reads it.
#include "fuzz/fuzz.hpp"
#include "perigee/base/wire_world.hpp"
#include "track_records.hpp"

namespace perigee::fuzz {
namespace {

/// Whatever a difference builds on, here it is this.
TrackBasis some_basis(const GroupFrame& frame, const TrackRecord& record) {
  Track track{.curve = static_cast<TrackCurve>(record.basis_ticks % 4),
              .turn = TrackTurn::Full,
              .position = {3, -20, 100},
              .velocity = {7, 0.2, -3},
              .acceleration = {1, 2, -9}};
  track.rotation = rotation_by({1, 0.3, 0});
  track.angular_velocity = {0.5, 0, 2};
  if ((record.basis_ticks & 4) != 0 && track.curve != TrackCurve::Still) {
    track.angular_acceleration = {1, 0, 0};
  }
  return {frame, record.track.tick - record.basis_ticks, steps_of(track, frame.precision, 2)};
}

bool is_finite(const Vec3& v) { return length_squared(v * 1e-150) < 1e10; }

/// Writes a copy of the block that it visits.
struct Copyist final : BlockVisitor {
  Bytes space;
  BlockWriter writer;
  std::optional<GroupFrame> group;
  Bytes records;   // rotations are rounded, so comparisons use these values
  OwnBasis basis;  // of each section that has one

  Copyist(std::size_t size_max, const BlockHeader& header)
      : space(size_max), writer(space, header) {
    basis.tick = basis.final_tick = header.tick - 8;
    basis.final_state.position = {100, -3, 1e6};
    basis.final_state.velocity = {3, 0, -300};
    basis.final_game.resize(5);
    basis.near.push_back(7);
  }
  const OwnBasis* own_basis(Tick) const override { return &basis; }
  void on_own(const OwnSection& own) override {
    PERIGEE_ASSERT(writer.own(own), "what was read can be written");
  }
  void on_event(Sequence sequence, const WorldEvent& event) override {
    PERIGEE_ASSERT(writer.event(sequence, event), "what was read can be written");
  }
  void on_cue(const CueEvent& cue) override {
    PERIGEE_ASSERT(cue.entity != no_entity || cue.place, "a cue has an entity or a place");
    PERIGEE_ASSERT(!cue.place || is_finite(to_double(*cue.place)), "all numbers are bounded");
    PERIGEE_ASSERT(writer.cue(cue), "what was read can be written");
  }
  void on_record(const GroupFrame& frame, const TrackRecord& received) override {
    TrackRecord record = received;
    if (record.basis_ticks != 0 && !complete(record, some_basis(frame, record), 0.05)) return;
    const double limit_m = offset_limit_m(frame.precision);
    const Track& track = record.track;
    const Vec3 o = track.position;
    PERIGEE_ASSERT(record.handle != no_entity && handle_block(record.handle) == frame.block,
                   "a record names an entity of its group's block");
    PERIGEE_ASSERT(std::abs(o.x) <= limit_m && std::abs(o.y) <= limit_m && std::abs(o.z) <= limit_m,
                   "an offset is in its cell");
    PERIGEE_ASSERT(std::abs(dot(track.rotation, track.rotation) - 1) < 1e-9, "a unit quaternion");
    PERIGEE_ASSERT(is_finite(origin_of(frame)), "all numbers are bounded");
    for (const double ticks : {-16.0, 0.0, 60.0 * track_ticks_max}) {
      const TrackPoint point = point_at(track, ticks);
      PERIGEE_ASSERT(is_finite(point.pose.position) && is_finite(point.velocity),
                     "a track can be evaluated at any time");
    }
    append(records, record.handle);
    append(records, track.tick);
    append(records, track.position);
    const EncodedTrack bytes = encode_track(record, frame.precision, 1);
    if (group == frame && writer.record(bytes, track.tick)) return;
    group = frame;
    PERIGEE_ASSERT(writer.begin_group(frame) && writer.record(bytes, track.tick),
                   "what was read can be written");
  }
};

void run(Input input) {
  const auto header = read_block_header(input);
  if (!header) {
    Copyist nobody(64, {});
    PERIGEE_ASSERT(!read_block(input, nobody) && nobody.writer.empty(),
                   "no header, no block, and nothing reported");
    return;
  }
  const std::size_t size_max = 4 * input.size() + 128;
  Copyist first(size_max, *header);
  if (!read_block(input, first)) {
    PERIGEE_ASSERT(first.writer.empty(), "nothing of a malformed block is reported");
    return;
  }
  const Input copy = first.writer.bytes();
  Copyist second(size_max, *header);
  PERIGEE_ASSERT(read_block(copy, second), "our own bytes can be read");
  // Not equal to the first: a reader also accepts the lowest offset, -2^17 steps, which we never
  // write.
  Copyist third(size_max, *header);
  PERIGEE_ASSERT(read_block(second.writer.bytes(), third) && third.records == second.records,
                 "a copy of our own bytes says the same");
}

OwnSection full_own() {
  OwnSection own;
  own.avatar = 1'048'577;
  own.has_echo = own.has_margin = true;
  own.margin_us = -5000;
  own.final_state.position = {1, 2, 3};
  own.final_state.ground = 5;
  own.near.push_back(7);
  own.parents.push_back({7, Tick{4990}, {{{10, 20, 30}, {}}, {1, 0, 0}, {}, {}, {}}});
  own.versions.push_back({8, 9});
  own.chunks.push_back({10, 11, 12});
  return own;
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  const BlockHeader header{7, 100, Tick{5000}};
  const auto add = [&](auto&& fill) {
    Bytes space(1200);
    BlockWriter writer(space, header);
    fill(writer);
    out.push_back(bytes_of(writer.bytes()));
  };
  add([](BlockWriter&) {});
  add([](BlockWriter& w) { w.own({}); });
  add([](BlockWriter& w) { w.own(full_own()); });
  add([](BlockWriter& w) {
    w.event({1}, SpawnEvent{.handle = 5, .identity = 6, .type = 1, .parent = 4, .pose = {}});
    w.event({2}, DespawnEvent{5, 1});
    w.event({3}, ParentSwitchEvent{5, 4, Tick{5010}, 2});
    w.event({4}, TimelineEvent{6, Tick{5010}, 1, 3});
    w.event({5}, EffectEvent{Tick{4990}, 1, Verdict::Cancelled, CancelReason::TooFar});
    w.event({6}, VoxelEvent{10, 600, 2, Tick{4990}, 5, 8, false, true});
    w.event({7}, ChunkEvent{{10, 11, 12}, {0xff, 0, 0x81}});
    w.event({8}, LostEvent{5});
  });
  add([](BlockWriter& w) {
    w.cue({5, Tick{4999}, 1});
    w.cue({6, Tick{4940}, 2, 3, 5, Vec3f{1, -2, 3.5F}});
    w.cue({no_entity, Tick{5000}, 4, 0, no_entity, Vec3f{}});
  });
  for (std::size_t i = 0; i < precisions; ++i) {
    const auto precision = static_cast<Precision>(i);
    add([&](BlockWriter& w) {
      w.own(full_own());
      w.begin_group({.cell = {1, -2, 3}, .precision = precision, .block = 1});
      TrackRecord turning = test::straight(1'048'577, Tick{5000}, {1, -2, 100}, {3, 0, -0.06});
      turning.track.curve = TrackCurve::Circle;
      turning.track.acceleration = {0, 0, 1};
      turning.track.rotation = {0, 0.6, 0, 0.8};
      turning.track.angular_velocity = {0, 0.3, 0};
      test::write(w, turning, precision);
      test::write(w, test::straight(1'048'578, Tick{4000}, {}, {500, 0, 0}), precision);
      TrackRecord person = test::straight(1'048'579, Tick{5000}, {1, 0, 0}, {0, 4, 0});
      person.track.curve = TrackCurve::Parabola;
      person.track.turn = TrackTurn::Yaw;
      person.track.acceleration = {0, -10, 0};
      test::write(w, person, precision);
    });
  }
  add([](BlockWriter& w) {
    w.begin_group({.parent = 9});
    test::write(w, test::straight(12, Tick{4990}, {1, 1, 1}));
    // Differences to the bases of all kinds.
    for (std::int32_t ago = 1; ago < 8; ++ago) {
      TrackRecord record{.handle = 13, .basis_ticks = ago};
      record.track.tick = Tick{4995};
      const TrackBasis basis = some_basis({.parent = 9}, record);
      const TrackSteps steps =
          steps_of(track_of(basis.steps, Precision::Finest), Precision::Finest, 2, ago % 4);
      const EncodedDifference bytes =
          encode_difference(13, steps, record.track.tick, basis, 0.05, track_record_bytes_max);
      w.record(bytes, record.track.tick);
    }
  });
  return out;
}

}  // namespace

const Target target{run, seeds, 20'000};

}  // namespace perigee::fuzz
