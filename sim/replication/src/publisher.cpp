#include "perigee/replication/publisher.hpp"

#include <algorithm>
#include <array>

namespace perigee::replication {
namespace {

// Relative distance bins of the near lane; the radius is the largest bin edge that keeps near_max.
constexpr std::size_t near_bins = 10;
constexpr int parents_depth_max = 4;

}  // namespace

Publisher::Publisher(const ReplicationSettings& settings, std::size_t entities_max)
    : settings_(settings) {
  by_handle_.reserve(entities_max);
  classes_.reserve(entities_max);
  encoded_.reserve(entities_max * entity_record_bytes);
  is_encoded_.reserve(entities_max);
  due_.reserve(entities_max);
}

bool Publisher::sends_at(const ReplicationSettings& settings, Tick now) {
  return now.count % static_cast<std::uint32_t>(settings.own_slot_ticks) == 0;
}

void Publisher::begin(Tick now, const Publication& publication) {
  now_ = now;
  publication_ = &publication;
  by_handle_.clear();
  classes_.clear();
  for (std::uint32_t i = 0; i < publication.size(); ++i) {
    by_handle_.emplace_back(publication[i].handle, i);
    classes_.push_back(static_cast<std::uint8_t>(phase_class(publication[i].identity)));
  }
  std::sort(by_handle_.begin(), by_handle_.end());
  encoded_.resize(publication.size() * entity_record_bytes);
  is_encoded_.assign(publication.size(), false);
}

const Published* Publisher::find(Handle handle) const {
  const auto found = std::lower_bound(by_handle_.begin(), by_handle_.end(),
                                      std::pair<Handle, std::uint32_t>{handle, 0});
  if (found == by_handle_.end() || found->first != handle) return nullptr;
  return &(*publication_)[found->second];
}

bool Publisher::tell(Observer& observer, const Published& entity, int depth) {
  if (observer.known.contains(entity.handle)) return true;
  const Published* parent = depth < parents_depth_max ? find(entity.parent) : nullptr;
  if (parent != nullptr && !tell(observer, *parent, depth + 1)) return false;
  SpawnEvent spawn{entity.handle, entity.identity, entity.type, entity.life};
  spawn.parent = entity.parent;
  spawn.goal = entity.goal;
  spawn.pose = entity.local;
  std::size_t wanted = 1;  // all or nothing: a door without its whole log would stay wrong
  if (timeline_of) timeline_of(entity.handle, [&](const TimelineEvent&) { ++wanted; });
  const bool fits = observer.events.unacknowledged() + wanted <= EventSender<WorldEvent>::window;
  if (!fits || !observer.known.add(entity.handle)) {
    ++observer.events_deferred;  // the sweep comes by again
    ++counters_.events_deferred;
    return false;
  }
  observer.events.push(spawn, false);
  if (timeline_of) {
    timeline_of(entity.handle,
                [&](const TimelineEvent& change) { observer.events.push(change, true); });
  }
  return true;
}

void Publisher::update_known(Observer& observer) {
  if (observer.avatar != no_entity) {
    if (const Published* avatar = find(observer.avatar)) tell(observer, *avatar, 0);
  }
  // A class a slot: everything is looked at once in 15 slots, as the far lane does it.
  const std::uint32_t h = send_slot(now_) % phase_classes;
  for (std::uint32_t i = 0; i < classes_.size(); ++i) {
    const Published& entity = (*publication_)[i];
    const double reach = std::min<double>(entity.visible_m, observer.radius_m);
    if (classes_[i] != h && reach > settings_.near_m * 2) continue;
    if (distance_to(entity.bounds, observer.position) <= reach) tell(observer, entity, 0);
  }
  if (send_slot(now_) % phase_classes != 0) return;
  FixedVector<Handle, 64> gone;  // the next sweep takes the rest
  for (const Handle handle : observer.known.all()) {
    const Published* entity = find(handle);
    const bool out =
        entity == nullptr ||
        distance_to(entity->bounds, observer.position) >
            std::min<double>(entity->visible_m, observer.radius_m) * settings_.leave_factor;
    if (out && handle != observer.avatar && !gone.push_back(handle)) break;
  }
  for (const Handle handle : gone) {
    if (observer.events.push(DespawnEvent{handle, 0}, false)) observer.known.remove(handle);
  }
}

bool Publisher::due(const Observer& observer, const Published& entity, std::uint32_t h,
                    double distance_m) const {
  const double radius = due_radius_m(settings_.rings, send_slot(now_), h);
  if (entity.resting) return radius >= settings_.rings.radius_m[interest_rings - 1];
  if (distance_m <= observer.near_radius_m) return true;
  return distance_m * observer.stretch <= radius;
}

void Publisher::collect_due(Observer& observer) {
  due_.clear();
  std::array<std::uint32_t, near_bins> within{};
  for (std::uint32_t i = 0; i < classes_.size(); ++i) {
    const Published& entity = (*publication_)[i];
    if (!entity.streams) continue;
    const double d = distance_to(entity.bounds, observer.position);
    if (d > std::min<double>(entity.visible_m, observer.radius_m)) continue;
    if (d < settings_.near_m) {
      ++within[static_cast<std::size_t>(d / settings_.near_m * near_bins)];
    }
    if (due(observer, entity, classes_[i], d)) due_.push_back({i, d, frame_of(entity)});
  }
  std::uint32_t total = 0;
  std::size_t bin = 0;
  while (bin < near_bins && total + within[bin] <= settings_.near_max) total += within[bin++];
  observer.near_radius_m = settings_.near_m * static_cast<double>(bin) / near_bins;
  observer.due_in_period += static_cast<std::uint32_t>(due_.size());
}

std::span<const std::byte> Publisher::encoded(std::uint32_t index) {
  const auto bytes = std::span(encoded_).subspan(index * entity_record_bytes, entity_record_bytes);
  if (!is_encoded_[index]) {
    ByteWriter writer(bytes);
    write_record(writer, record_of((*publication_)[index]));
    is_encoded_[index] = true;
  }
  return bytes;
}

// Copies records of due_[first..] into groups until the block is full; answers where it stopped.
std::size_t Publisher::write_records(BlockWriter& writer, std::size_t first) {
  std::size_t i = first;
  GroupFrame frame;
  bool open = false;
  for (; i < due_.size(); ++i) {
    const std::uint32_t index = due_[i].index;
    const GroupFrame& wanted = due_[i].frame;
    if (!open || !(wanted == frame)) {
      if (!writer.begin_group(wanted)) return i;
      frame = wanted;
      open = true;
    }
    if (!writer.encoded_record(encoded(index))) {
      open = false;
      if (!writer.begin_group(wanted) || !writer.encoded_record(encoded(index))) return i;
      open = true;
    }
    ++counters_.records;
    std::size_t ring = 0;
    while (ring + 1 < interest_rings && due_[i].distance_m > settings_.rings.radius_m[ring]) ++ring;
    ++counters_.records_by_ring[ring];
  }
  return i;
}

void Publisher::write_blocks(Observer& observer, BlockHeader header, const OwnSection* own,
                             const BlockSink& sink) {
  const bool slot = now_.count % send_slot_ticks == 0;
  due_.clear();
  if (slot) {
    update_known(observer);
    collect_due(observer);
    // Frames together, so that groups are long; nearest frames first.
    std::sort(due_.begin(), due_.end(), [&](const Due& a, const Due& b) {
      const GroupFrame& fa = a.frame;
      const GroupFrame& fb = b.frame;
      return std::tuple(fa.parent == no_entity, fa.parent, fa.cell.x, fa.cell.y, fa.cell.z,
                        a.index) < std::tuple(fb.parent == no_entity, fb.parent, fb.cell.x,
                                              fb.cell.y, fb.cell.z, b.index);
    });
  }
  header.stream_epoch = observer.stream_epoch;
  std::array<std::byte, block_bytes_max> buffer;
  std::size_t written = 0;
  for (std::uint8_t part = 0; part < 8; ++part) {  // 8 kB a slot is twice the budget: backstop
    BlockWriter writer(buffer, header);
    if (part == 0) {
      if (own != nullptr) {
        const bool fits = writer.own(*own);
        PERIGEE_ASSERT(fits, "the own section is bounded below a block's size");
      }
      observer.events.send_due(now_, settings_.resend_ticks,
                               [&](Sequence sequence, const WorldEvent& event) {
                                 return writer.event(sequence, event);
                               });
    }
    written = write_records(writer, written);
    if (writer.empty()) break;
    sink(observer.session, part == 0 && own != nullptr ? 0 : 1, writer.bytes());
    ++counters_.blocks;
    counters_.bytes += writer.bytes().size();
    if (written >= due_.size()) break;
  }
}

void Publisher::choose_stretch(Observer& observer) const {
  // due_in_period covers 60 ticks: one second at the nominal rate.
  const double bytes = static_cast<double>(observer.due_in_period) * entity_record_bytes;
  const double load = bytes / settings_.client_budget_bytes_per_s;
  observer.due_in_period = 0;
  if (load > 1) {
    observer.stretch = static_cast<float>(std::min(observer.stretch * 1.25, 32.0));
  } else if (load < 0.7) {
    observer.stretch = static_cast<float>(std::max(observer.stretch / 1.1, 1.0));
  }
}

std::uint32_t Publisher::broadcast(std::span<Observer* const> observers, Handle object,
                                   const WorldEvent& event, bool urgent) const {
  std::uint32_t full = 0;
  for (Observer* observer : observers) {
    if (!observer->known.contains(object)) continue;
    if (observer->events.push(event, urgent)) continue;
    observer->known.remove(object);  // told anew, with its whole log, as soon as there is room
    ++full;
  }
  return full;
}

}  // namespace perigee::replication
