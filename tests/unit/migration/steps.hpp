/// All events that can happen next.
#pragma once

#include <algorithm>
#include <functional>

#include "cluster.hpp"

namespace perigee::migration::checker {

/// Inserts into a sorted set, so that two paths to the same state give equal representations.
template <class T, class Less = std::less<T>>
void insert_once(std::vector<T>& set, const T& value, Less less = {}) {
  const auto place = std::lower_bound(set.begin(), set.end(), value, less);
  if (place == set.end() || less(value, *place)) set.insert(place, value);
}

inline auto key(const Message<Traits>& m) {
  return std::tie(m.kind, m.from, m.to, m.epoch, m.asked, m.gver, m.effect.count, m.place,
                  m.left_for, m.state, m.outcomes);
}

template <const Rules& rules>
void Hands<rules>::send(const Message<Traits>& message) {
  const auto less = [](const auto& a, const auto& b) { return key(a) < key(b); };
  const auto& sent = *cluster_.sent;
  if (!std::binary_search(sent.begin(), sent.end(), message, less)) {
    insert_once(cluster_.sent.edit(), message, less);
  }
}
template <const Rules& rules>
void Hands<rules>::replicate(LogIndex, const Entry<Traits>& entry) {
  const auto& standby = cluster_.standbys[region_];
  Stream& stream = cluster_.streams[region_];
  if (standby && (*standby)->epoch == epoch_ && stream.whole) stream.under_way.push_back(entry);
}
template <const Rules& rules>
void Hands<rules>::journal(Epoch epoch, GroupId, const Traits::Outcome& outcome) {
  insert_once(cluster_.journal_requests, {region_, epoch, outcome, false});
}
template <const Rules& rules>
void Hands<rules>::tell(GroupId, const Traits::Outcome& outcome) {
  std::uint8_t& reported = cluster_.reported[outcome.id];
  if (reported != 0 && reported != outcome.by)
    cluster_.wrong = "two outcomes were told of one question";
  reported = outcome.by;
}
template <const Rules& rules>
void Hands<rules>::record(StandbyStatus state) {
  insert_once(cluster_.record_requests, {region_, epoch_, seen_, state});
}

enum class Nature : std::uint8_t {
  Progress,  ///< happens eventually
  Wish,      ///< a player, or the game, may request it
  Failure
};

/// One event; its text is formatted only on demand.
struct Happening {
  Nature nature = Nature::Progress;
  const char* what = "";
  int first = 0, second = 0;
};

inline const char* name_of(MessageKind kind) {
  static constexpr std::array names{"gets PREPARE", "gets READY",   "gets FINAL",  "gets ASK",
                                    "gets TAKEN",   "gets REFUSED", "gets CENSUS", "gets KNOWN"};
  return names[static_cast<std::size_t>(kind)];
}

template <const Rules& rules>
class Steps {
 public:
  using World = Cluster<rules>;
  using Found = std::function<bool(const Happening&, World&&)>;

  /// Calls `found` with each successor of `from`, until that returns false.
  static void each(const World& from, const Found& found);

 private:
  /// A copy in which owner `index` acts, and then sends the messages that wait for an
  /// acknowledgement.
  template <class Action>
  static World acts(const World& from, std::size_t index, Action&& action);
  static bool owners_wish(const World& from, std::size_t index, const Found& found);
  static bool owners_progress(const World& from, std::size_t index, const Found& found);
  static bool messages(const World& from, const Found& found);
  static bool streams(const World& from, const Found& found);
  static bool records(const World& from, const Found& found);
  static bool journals(const World& from, const Found& found);
  static bool successions(const World& from, const Found& found);
  static bool restorations(const World& from, const Found& found);
  static bool failures(const World& from, const Found& found);
  static void note_simulation(World& world, const Owner<rules>& owner);
  static void declare_dead(World& world, WorkerId worker);
  static void end_stream(World& world, RegionId region);
  static std::uint8_t next_serial(World& world) { return ++world.serials; }
};

}  // namespace perigee::migration::checker

#include "steps_impl.hpp"
