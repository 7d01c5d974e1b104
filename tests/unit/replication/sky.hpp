/// A few entities in empty space, a publisher, and observers that read their blocks.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "perigee/base/track_bases.hpp"
#include "perigee/replication/publisher.hpp"

namespace perigee::replication {

inline Published thing(Handle handle, const Vec3& at) {
  Published out;
  out.identity = handle * 7919ULL;
  out.handle = handle;
  out.streams = true;
  out.local.position = out.position = at;
  out.bounds = {at, at};
  out.visible_m = 3000;
  return out;
}

/// All contents of one observer's blocks, in order.
struct Received : BlockVisitor {
  struct Record {
    Tick tick;
    GroupFrame frame;
    TrackRecord record;
  };
  struct Event {
    Tick tick;
    Sequence sequence;
    WorldEvent event;
  };
  Tick tick;
  std::vector<Record> records;
  std::vector<Event> events;
  struct Cue {
    Tick at;  ///< the block's
    CueEvent cue;
  };
  std::vector<Cue> cues;
  std::vector<OwnSection> owns;
  std::vector<std::vector<std::byte>> blocks;
  std::vector<std::uint8_t> priorities;
  std::vector<BlockHeader> headers;
  std::size_t malformed = 0;
  std::map<Handle, TrackBases> bases;
  std::size_t differences = 0;  ///< of `records`
  std::size_t refused = 0;      ///< differences to what is not known

  void on_own(const OwnSection& own) override { owns.push_back(own); }
  void on_event(Sequence sequence, const WorldEvent& event) override {
    events.push_back({tick, sequence, event});
  }
  void on_record(const GroupFrame& frame, const TrackRecord& record) override {
    TrackRecord read = record;
    if (!bases[record.handle].complete(read, frame, 1, 0)) {
      ++refused;
      return;
    }
    if (record.basis_ticks != 0) ++differences;
    records.push_back({tick, frame, read});
  }
  void on_cue(const CueEvent& cue) override { cues.push_back({tick, cue}); }
  std::size_t spawns_of(Handle handle) const {
    return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [&](const auto& e) {
      const auto* spawn = std::get_if<SpawnEvent>(&e.event);
      return spawn != nullptr && spawn->handle == handle;
    }));
  }
  std::vector<Tick> ticks_of(Handle handle) const {
    std::vector<Tick> ticks;
    for (const Record& r : records) {
      if (r.record.handle == handle) ticks.push_back(r.tick);
    }
    return ticks;
  }
};

struct Sky {
  ReplicationSettings settings;
  std::vector<Published> publication;
  Publisher publisher{settings, 4096};
  Tick now{1200};  // a slot in which class 0 is due
  bool acknowledges = true;
  /// No track tells where these will be: all entities that move, unless a test says otherwise. They
  /// turn about in every tick.
  std::function<bool(const Published&)> restless = [](const Published& p) { return !p.resting; };

  explicit Sky(const ReplicationSettings& with = {}) : settings(with) {}

  Published& add(Handle handle, const Vec3& at) {
    publication.push_back(thing(handle, at));
    std::sort(publication.begin(), publication.end(),
              [](const auto& a, const auto& b) { return a.identity < b.identity; });
    return *std::find_if(publication.begin(), publication.end(),
                         [&](const auto& p) { return p.handle == handle; });
  }
  Published& at(Handle handle) {
    return *std::find_if(publication.begin(), publication.end(),
                         [&](const auto& p) { return p.handle == handle; });
  }
  void remove(Handle handle) {
    std::erase_if(publication, [&](const auto& p) { return p.handle == handle; });
  }
  /// One tick for one observer; blocks arrive at once.
  void tick(Observer& observer, Received& received, const OwnSection* own = nullptr) {
    publish();
    write(observer, received, own);
    ++now;
  }
  /// Publishes all entities, and removes those that no longer exist.
  void publish() {
    publisher.begin(now);
    std::set<Handle> here;
    for (const Published& entity : publication) here.insert(entity.handle);
    std::vector<Handle> gone;
    publisher.for_each([&](const Published& shown) {
      if (!here.contains(shown.handle)) gone.push_back(shown.handle);
    });
    for (const Handle handle : gone) publisher.remove(handle);
    for (Published& entity : publication) {
      if (restless(entity)) turn(entity);
      publisher.put(entity);
    }
    publisher.finish();
  }
  void turn(Published& entity) const {
    entity.radius_m = 10;
    entity.local.rotation = entity.world_rotation = yaw_rotation(now.count * 2.0 + entity.handle);
  }
  /// As the avatar's owner does once a second.
  void choose(Observer& observer, float least = 1) const {
    const Choice choice = publisher.choose({observer.stretch, observer.near_radius_m},
                                           publisher.take_tally(observer), {least, std::nullopt});
    observer.stretch = choice.stretch;
    observer.near_radius_m = choice.near_m;
  }
  void write(Observer& observer, Received& received, const OwnSection* own = nullptr) {
    if (!publisher.serves(observer)) return;
    received.tick = now;
    BlockHeader header;
    header.tick = now;
    const OwnSection none;
    const OwnUpdate update{own != nullptr ? *own : none};
    publisher.write_blocks(observer, header, own != nullptr ? &update : nullptr,
                           [&](SessionId, std::uint8_t priority, std::span<const std::byte> bytes) {
                             received.blocks.emplace_back(bytes.begin(), bytes.end());
                             received.priorities.push_back(priority);
                             const auto read = read_block(bytes, received);
                             if (read) {
                               received.headers.push_back(*read);
                             } else {
                               ++received.malformed;
                             }
                           });
    if (acknowledges) acknowledge(observer, received);
  }
  void acknowledge(Observer& observer, const Received& received) {
    if (received.headers.empty()) return;
    AcknowledgeFrame frame;
    frame.stream_epoch = observer.stream_epoch;
    for (bool more = true; more;) {
      more = false;
      for (const auto& e : received.events) {
        if (e.sequence == frame.events.next) more = frame.events.mark(e.sequence) || more;
      }
    }
    for (const auto& e : received.events) frame.events.mark(e.sequence);
    frame.newest_block = received.headers.back().tick;
    frame.complete.bits = 1;
    observer.acknowledge(frame);
  }
  void run(int ticks, Observer& observer, Received& received) {
    for (int i = 0; i < ticks; ++i) tick(observer, received);
  }
};

}  // namespace perigee::replication
