/// All events that can happen next.
#pragma once

#include <algorithm>
#include <functional>
#include <tuple>

#include "cluster.hpp"

namespace perigee::migration::checker {

/// Inserts into a sorted set, so that two paths to the same state give equal representations.
template <class T, class Less>
void insert_once(std::vector<T>& set, const T& value, Less less) {
  const auto place = std::lower_bound(set.begin(), set.end(), value, less);
  if (place == set.end() || less(value, *place)) set.insert(place, value);
}

inline auto key(const Message<Traits>& m) {
  return std::tie(m.kind, m.from, m.to, m.epoch, m.gver, m.effect.count, m.state);
}

template <const Rules& rules>
void Hands<rules>::send(const Message<Traits>& message) {
  const auto less = [](const auto& a, const auto& b) { return key(a) < key(b); };
  const auto& sent = *cluster_.sent;
  if (!std::binary_search(sent.begin(), sent.end(), message, less)) {
    insert_once(cluster_.sent.edit(), message, less);
  }
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
  static constexpr std::array names{"gets PREPARE", "gets READY", "gets FINAL",
                                    "gets ASK",     "gets TAKEN", "gets REFUSED"};
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
  // A worker: migrations.
  static bool wishes(const World& from, std::size_t index, const Found& found);
  static bool leaves(const World& from, std::size_t index, const Found& found);
  static bool settles_with_the_dead(const World& from, std::size_t index, const Found& found);
  static bool messages(const World& from, const Found& found);
  static void note_simulation(World& world, const Owner<rules>& owner);
  // A worker: its standby.
  static bool replicates(const World& from, std::size_t index, const Found& found);
  static bool reads_record(const World& from, std::size_t index, const Found& found);
  static bool streams(const World& from, const Found& found);
  static bool takes_over(const World& from, const Found& found);
  static void begin_sending(World& world, Owner<rules>& owner, WorkerId to);
  static void lose(World& world, Owner<rules>& owner, Hands<rules>& fx);
  static void on_answer(World& world, Owner<rules>& owner, LogIndex position, Hands<rules>& fx);
  static void on_record(World& world, Owner<rules>& owner, Hands<rules>& fx);
  static void report(World& world, Owner<rules>& owner);
  static bool followed(const World& world, const Owner<rules>& owner);
  // The directory.
  static bool reports(const World& from, const Found& found);
  static bool standbys(const World& from, const Found& found);
  static bool deaths(const World& from, const Found& found);
  static void end_without_successor(World& world, std::uint32_t region);
  // Faults.
  static bool failures(const World& from, const Found& found);
  static void declare_dead(World& world, WorkerId worker);
};

}  // namespace perigee::migration::checker

#include "steps_of_directory.hpp"
#include "steps_of_migration.hpp"
#include "steps_of_standby.hpp"
