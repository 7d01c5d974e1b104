/// Avatar locator: finds the avatar of a client that comes back. Ships carry disconnected players'
/// avatars to other workers, so a worker queries all others before it spawns a new avatar.
#pragma once

#include <bitset>
#include <functional>
#include <map>
#include <optional>
#include <span>

#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/outputs.hpp"

namespace perigee::worker {

class AvatarLocator {
 public:
  /// A living worker that has not answered by then is late, or has taken over another worker since.
  static constexpr std::int32_t ask_again_ticks = 30;
  /// Lifetime of a query, for a client that tries again even after its gateway gave up (8 s).
  static constexpr std::int32_t kept_ticks = 1200;
  static constexpr std::size_t questions_max = 4096;

  struct Link {
    const ClusterView& cluster;
    const WorkerOutputs& outputs;
    Counts<Count>& counts;
  };
  struct Needs {
    /// A worker that has been unreachable for this long has dropped the clients from which it
    /// received nothing.
    std::int32_t silence_ticks_max = 0;
    /// Answers the gateway if the client's avatar is here. False: it is not.
    std::function<bool(const JoinRecord&, const Address& gateway)> resume;
    /// The client's avatar was just migrated to another worker, or may belong to a dying one; or
    /// what the world store has of the player is about to change.
    std::function<bool(const JoinRecord&)> may_come;
    /// All workers have answered, and none has the avatar.
    std::function<void(const JoinRecord&, const Address& gateway)> join;
  };
  AvatarLocator(Link link, Needs needs) : link_(link), needs_(std::move(needs)) {}

  /// Whether no other worker has the client's avatar. False: not known yet. As soon as it is known,
  /// this worker or the one with the avatar answers the join.
  bool nowhere_else(const JoinRecord& join, const Address& gateway, Tick now);
  void on_question(WorkerSlot from, std::span<const std::byte> bytes);
  /// Answers for a worker without a world: it has no avatars, except those that a checkpoint may
  /// restore.
  static void answer_without_world(const Link& link, WorkerSlot from,
                                   std::span<const std::byte> bytes, bool awaits_checkpoint);
  void on_answer(WorkerSlot from, std::span<const std::byte> bytes, Tick now);
  void after_tick(Tick now);
  /// The client disconnected during the lookup: do not spawn an avatar.
  void on_leave(SessionId session);

 private:
  struct Question {
    JoinRecord join;
    Address gateway;
    Tick since;
    Tick asked;                        ///< time of the newest query to the others
    bool again = false;                ///< an answer was inconclusive
    bool left = false;                 ///< the client has left
    std::bitset<workers_max> waiting;  ///< the workers with an outstanding answer
  };
  static std::optional<JoinRecord> read_question(const Link& link, WorkerSlot from,
                                                 std::span<const std::byte> bytes);
  void ask(Question& question, Tick now);

  Link link_;
  Needs needs_;
  std::map<std::uint64_t, Question> questions_;  ///< by client
};

}  // namespace perigee::worker
