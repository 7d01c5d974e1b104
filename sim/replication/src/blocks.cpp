// The blocks of one observer: the tracks that it lacks, after its own section and its events.
#include <algorithm>
#include <array>

#include "perigee/base/gateway_frame.hpp"
#include "perigee/replication/publisher.hpp"

namespace perigee::replication {
namespace {

/// About the headers of UDP, IPv4 and the sealed payload, which a path carries with each block.
constexpr std::uint32_t packet_header_bytes = 28 + 29;

bool is_hull(const Published& entity) {
  constexpr double hull_radius_m = 20;
  return entity.radius_m >= hull_radius_m;
}

}  // namespace

// A lost track is missed for a round trip. Meanwhile the observer's prediction may collide with the
// entity, and the bow of a hull that turns is drawn far from its place. So the tracks of near
// entities, and of hulls in the near lane, are sent twice. Near ones are in the first ring.
bool Publisher::is_sent_twice(const Observer& observer, std::uint32_t slot,
                              Precision wanted) const {
  constexpr double touchable_m = 8;
  if (!observer.sent.sent_a_slot_ago(slot, now_)) return false;
  const Published& entity = shown_[slot];
  return is_hull(entity) || (wanted == Precision::Finest &&
                             distance_to(entity.bounds, observer.position) <= touchable_m);
}

// One comparison ends a look, if the track was compared with the entity in this tick already.
std::span<const Hit> Publisher::without_current(const Observer& observer,
                                                std::span<const Hit> hits) {
  constexpr std::size_t ahead = 8;
  const TrackHolders::Notes notes = tracks_.holders().notes_of(observer.column);
  if (looked_at_.size() < hits.size()) looked_at_.resize(hits.size());
  Hit* const out = looked_at_.data();
  std::size_t left = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (i + ahead < hits.size()) notes.prefetch(slot_of(hits[i + ahead]));
    out[left] = hits[i];
    left += notes.has_checked(slot_of(hits[i]), ring_of(hits[i])) ? 0U : 1U;
  }
  counters_.looks += hits.size() - left;
  return std::span(looked_at_).first(left);
}

// The track may have arrived since the last look.
bool Publisher::has_current(Observer& observer, std::uint32_t slot, Precision wanted) {
  const TrackVersion has = observer.sent.of(slot, now_);
  if (has.version == 0 || has.precision > wanted || observer.sent.is_adopted(slot)) return false;
  if (packed(has) != tracks_.checked(slot)[static_cast<std::size_t>(has.precision)]) return false;
  if (observer.sent.has_all(slot)) {
    tracks_.holders().note(slot, observer.column, has.precision);
    return true;
  }
  return has.precision < wanted || !is_sent_twice(observer, slot, wanted);
}

// An observer that has a finer track than it needs keeps it, as long as that tells enough.
bool Publisher::add_if_due(Observer& observer, std::uint32_t slot, Precision wanted) {
  const Published& entity = shown_[slot];
  const TrackVersion has = observer.sent.of(slot, now_);
  if (observer.sent.is_refused(slot)) spawn_again(observer, slot);
  if (has.version != 0 && has.precision < wanted &&
      version_of(tracks_.shared(slot, has.precision)) == has &&
      tracks_.tells(slot, has.precision, wanted, entity)) {
    if (!observer.sent.is_adopted(slot)) return false;
    const Tick began = tracks_.shared(slot, has.precision).track.tick;
    if (ticks_between(began, now_) < track_ticks_max / 2) {  // else current() has a younger one
      repeat(observer, slot, has);
      return false;
    }
  }
  const SharedTrack& track = tracks_.current(slot, wanted, entity, past_of);
  const TrackVersion current = version_of(track);
  if (has == current) {
    if (observer.sent.is_adopted(slot)) {
      repeat(observer, slot, has);
    } else if (!observer.sent.is_unproven(slot) && is_sent_twice(observer, slot, wanted)) {
      if (observer.sent.has_track(slot)) {
        due_.add_heading(slot, track);
      } else {
        due_.add(slot, track,
                 tracks_.difference(slot, wanted, entity.handle,
                                    observer.sent.basis(slot, wanted, now_)));
      }
    }
    return false;
  }
  const bool heading_only =
      has.version == current.version && has.precision == wanted && observer.sent.has_track(slot);
  if (heading_only) {
    note_heading_sent(observer, slot, current.heading);
    due_.add_heading(slot, track);
  } else {
    const HeldBasis basis = observer.sent.basis(slot, wanted, now_);
    note_sent(observer, slot, current);
    due_.add(slot, track, tracks_.difference(slot, wanted, entity.handle, basis));
  }
  return true;
}

// The client takes an entity for that of the worker that sent its last record. If that worker's
// stream starts over, the client forgets the entity. So the new owner of an entity sends a record
// of it, even if there is nothing new to say.
void Publisher::repeat(Observer& observer, std::uint32_t slot, const TrackVersion& has) {
  note_sent(observer, slot, has);
  due_.add_repeated(slot, tracks_.shared(slot, has.precision));
}

std::span<const Hit> Publisher::possibly_due(Observer& observer, std::span<const Hit> hits) {
  constexpr std::size_t ahead = 8;
  const std::uint32_t avatar = slots_.find(observer.avatar);
  std::size_t left = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (i + ahead < hits.size()) {
      const std::uint32_t later = slot_of(hits[i + ahead]);
      observer.sent.prefetch(later);
      tracks_.prefetch_slot(later);
    }
    const Hit hit = hits[i];
    const std::uint32_t slot = slot_of(hit);
    Seen& seen = seen_[slot];
    const bool known = observer.known.contains(slot);
    if (known && !seen.streams) continue;
    if (std::exchange(seen.collection, collection_) == collection_) continue;
    if (!known && (!slots_.alive(slot) || !in_reach(observer, shown_[slot], 1) ||
                   !make_known(observer, slot, 0))) {
      continue;
    }
    if (!seen.streams || slot == avatar) continue;
    ++counters_.looks;
    if (!has_current(observer, slot, wanted_of(hit))) looked_at_[left++] = hit;
  }
  return std::span(looked_at_).first(left);
}

void Publisher::prefetch_ahead(std::span<const Hit> hits) const {
  constexpr std::size_t far = 8, near = 4;
  if (hits.size() > far) {
    const std::uint32_t slot = slot_of(hits[far]);
    tracks_.prefetch_track(slot, wanted_of(hits[far]));
    prefetch_lines<1>(&shown_[slot]);
  }
  if (hits.size() > near) tracks_.prefetch_history(slot_of(hits[near]), wanted_of(hits[near]));
}

void Publisher::collect_due(Observer& observer) {
  ++collection_;
  // An observer's memory was used last in its previous slot.
  observer.known.prefetch(slots_.used_end());
  observer.sent.prefetch_index(slots_.used_end());
  const std::span<const Hit> hits =
      possibly_due(observer, without_current(observer, index_.due(view_of(observer))));
  for (std::size_t i = 0; i < hits.size(); ++i) {
    prefetch_ahead(hits.subspan(i));
    if (add_if_due(observer, slot_of(hits[i]), wanted_of(hits[i]))) {
      ++counters_.records_by_ring[ring_of(hits[i])];
    }
  }
  due_.arrange();
  observer.bytes_in_period += static_cast<std::uint32_t>(due_.bytes());
  observer.other_bytes_in_period += static_cast<std::uint32_t>(due_.repeated_bytes());
}

void Publisher::note_left_out(Observer& observer, std::size_t written) {
  counters_.records += written;
  counters_.records_over_limit += due_.size() - written;
  for (std::size_t i = written; i < due_.size(); ++i) {
    observer.sent.note_left_out(due_.slot(i));
    tracks_.holders().forget(due_.slot(i), observer.column);
  }
}

void Publisher::write_news(Observer& observer, const OwnUpdate* own, BlockWriter& writer) {
  const std::size_t header_bytes = writer.bytes().size();
  if (own != nullptr) {
    const bool fits = writer.own(own->section, own->basis);
    PERIGEE_ASSERT(fits, "the own section must be smaller than a block");
  }
  const std::size_t own_bytes = writer.bytes().size();
  observer.events.send_due(
      now_, {observer.received, observer.narrow_path},
      [&](Sequence sequence, const WorldEvent& event) { return writer.event(sequence, event); });
  counters_.bytes_own += own_bytes - header_bytes;
  counters_.bytes_events += writer.bytes().size() - own_bytes;
}

// In the rest of a tick's last block, which is sent anyway: a cue never takes the place of a record
// or an event.
void Publisher::write_cues(Observer& observer, BlockWriter& writer) {
  constexpr std::uint32_t narrow_share = 8;
  const std::uint32_t budget = settings_.cue_budget_bytes_per_s;
  // Workers beside the avatar's owner know of a narrow path by the stretch alone.
  const bool beside = observer.avatar == no_entity;
  const bool narrow = observer.narrow_path || (beside && observer.stretch > 1);
  counters_.bytes_cues +=
      observer.cues.write({.now = now_,
                           .sent = observer.sent,
                           .budget_bytes_per_s = narrow ? budget / narrow_share : budget,
                           .narrow = narrow},
                          writer, counters_.cues);
}

void Publisher::write_blocks(Observer& observer, BlockHeader header, const OwnUpdate* own,
                             const BlockSink& sink) {
  make_room(observer);
  due_.clear();
  const bool slot_turn = observer.turn(now_, send_slot_ticks);
  if (slot_turn) {
    update_known(observer);
    collect_due(observer);
  } else if (own == nullptr && !serves(observer)) {
    return;
  }
  const bool listens = slot_turn && (observer.known.size() > 0 || !observer.cues.empty());
  header.stream_epoch = observer.stream_epoch;
  constexpr std::size_t header_and_tag_bytes_max = 12;
  static_assert(header_and_tag_bytes_max + own_section_bytes_max <= block_bytes_max);
  std::array<std::byte, block_bytes_max> buffer;
  std::size_t written = 0;
  for (header.part = 0; header.part < block_parts_max; ++header.part) {
    BlockWriter writer(buffer, header);
    if (header.part == 0) write_news(observer, own, writer);
    const std::size_t news_bytes = writer.bytes().size();
    written = due_.write(writer, written);
    const std::size_t track_bytes = writer.bytes().size() - news_bytes;
    counters_.bytes_tracks += track_bytes;
    if (writer.empty() && !listens) break;
    const bool more = written < due_.size() && header.part + 1 < block_parts_max;
    if (more) writer.more_follow();
    if (!more) write_cues(observer, writer);
    observer.sent.note_block(now_);
    sink(observer.session, header.part == 0 && own != nullptr ? 0 : 1, writer.bytes());
    ++counters_.blocks;
    counters_.bytes += writer.bytes().size();
    observer.other_bytes_in_period +=
        static_cast<std::uint32_t>(writer.bytes().size() - track_bytes) + packet_header_bytes;
    if (!more) break;
  }
  note_left_out(observer, written);
}

}  // namespace perigee::replication
