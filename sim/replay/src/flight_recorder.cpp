#include "perigee/replay/flight_recorder.hpp"

#include <algorithm>

#include "perigee/replay/step_codec.hpp"

namespace perigee::replay {
namespace {

constexpr std::size_t changes_max = 256;  // of scheduled objects
constexpr std::size_t corrections_max = 256;

}  // namespace

FlightRecorder::FlightRecorder(std::span<const world::EntityType> types,
                               const RecorderSettings& settings)
    : types_(types), bytes_(std::max(settings.bytes, 2 * step_bytes_max)) {
  PERIGEE_ASSERT(settings.ticks > 0 && settings.ticks <= Recording::ticks_max,
                 "settings.ticks must be 1 to Recording::ticks_max");
  for (const world::EntityType& type : types) shapes_.push_back(type.shape);
  steps_.slots.resize(settings.ticks);
  finals_.slots.resize(settings.ticks);
  changes_.slots.resize(changes_max);
  claims_.slots.resize(settings.ticks);
  corrections_.slots.resize(corrections_max);
}

void FlightRecorder::clear() {
  steps_.clear();
  finals_.clear();
  changes_.clear();
  claims_.clear();
  corrections_.clear();
  next_at_ = 0;
}

// Steps are stored one after the other. A step that would cross the end is stored at the front.
void FlightRecorder::make_room(std::uint32_t at, std::uint32_t size) {
  while (steps_.size > 0) {
    const Place& oldest = steps_[0];
    const bool apart = oldest.at >= at + size || oldest.at + oldest.size <= at;
    if (apart) return;
    steps_.drop();
  }
}

void FlightRecorder::note(const world::StepRecord& step) {
  if (const auto last = newest()) {
    const auto most = static_cast<std::int32_t>(steps_.slots.size());
    const std::int32_t later = ticks_between(*last, step.tick);
    if (later >= most || later <= -most) clear();
    while (steps_.size > 0 && !before(steps_[steps_.size - 1].tick, step.tick)) {
      next_at_ = steps_[--steps_.size].at;
    }
    while (steps_.size > 0 && ticks_between(steps_[0].tick, step.tick) >= most) steps_.drop();
  }
  std::array<std::byte, step_bytes_max> room;
  ByteWriter writer(room);
  // A state far outside of any game is not recorded: it would not help.
  if (!walk_step(writer, step, shapes_)) return clear();
  const auto size = static_cast<std::uint32_t>(writer.size());
  if (next_at_ + size > bytes_.size()) {
    make_room(next_at_, static_cast<std::uint32_t>(bytes_.size()) - next_at_);
    next_at_ = 0;
  }
  make_room(next_at_, size);
  std::copy_n(room.begin(), size, bytes_.data() + next_at_);
  steps_.push({step.tick, next_at_, size});
  next_at_ += size;
}

void FlightRecorder::note_final(const ReceivedFinal& final) { finals_.push(final); }
void FlightRecorder::note_change(const ReceivedChange& change) { changes_.push(change); }
void FlightRecorder::note_correction(const NotedCorrection& correction) {
  corrections_.push(correction);
}
void FlightRecorder::note_claim(const ReceivedClaim& claim) {
  if (claims_.size > 0 && !before(claims_[claims_.size - 1].tick, claim.tick)) return;
  if (length_squared(to_double(claim.position)) < number_max * number_max) claims_.push(claim);
}

std::optional<Tick> FlightRecorder::newest() const {
  return steps_.size == 0 ? std::nullopt : std::optional(steps_[steps_.size - 1].tick);
}

std::size_t FlightRecorder::bytes_used() const {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < steps_.size; ++i) sum += steps_[i].size;
  return sum;
}

Recording FlightRecorder::recording(FlightHeader header, const ThingOf& thing_of) const {
  Recording out = without_things(std::move(header));
  for (const Handle handle : handles_of(out)) {
    if (const auto thing = thing_of(handle)) out.things.push_back(*thing);
  }
  return out;
}

std::vector<Handle> handles_of(const Recording& recording) {
  std::vector<Handle> handles;
  for (const world::StepRecord& step : recording.ticks) {
    handles.push_back(step.parent);
    for (const world::Neighbour& neighbour : step.neighbours) handles.push_back(neighbour.id);
  }
  std::sort(handles.begin(), handles.end());
  handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
  return handles;
}

Recording FlightRecorder::without_things(FlightHeader header) const {
  Recording out;
  out.types = recorded_types(types_);
  header.tunables_hash = tunables_hash(out.types);
  out.header = std::move(header);
  for (std::size_t i = 0; i < steps_.size; ++i) {
    const Place& place = steps_[i];
    ByteReader reader{std::span(bytes_).subspan(place.at, place.size)};
    world::StepRecord& step = out.ticks.emplace_back();
    const bool readable = walk_step(reader, step, shapes_);
    PERIGEE_ASSERT(readable, "a recorded step must be readable");
    step.actor = out.header.avatar;
  }
  const Tick oldest = out.ticks.empty() ? Tick{} : out.ticks.front().tick;
  for (std::size_t i = 0; i < finals_.size; ++i) {
    if (not_after(oldest, finals_[i].final_tick)) out.finals.push_back(finals_[i]);
  }
  for (std::size_t i = 0; i < changes_.size; ++i) out.changes.push_back(changes_[i]);
  for (std::size_t i = 0; i < claims_.size; ++i) {
    if (not_after(oldest, claims_[i].tick)) out.claims.push_back(claims_[i]);
  }
  for (std::size_t i = 0; i < corrections_.size; ++i) {
    if (not_after(oldest, corrections_[i].at)) out.corrections.push_back(corrections_[i]);
  }
  return out;
}

}  // namespace perigee::replay
