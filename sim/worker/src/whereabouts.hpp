/// Avatar locator: finds the avatar of a client that comes back. Ships carry disconnected players'
/// avatars to other workers, so a worker queries all others before it spawns a new avatar.
#pragma once

#include <bitset>
#include <map>

#include "perigee/worker/core.hpp"

namespace perigee::worker {

class Core::Whereabouts {
 public:
  /// A living worker without an answer by then is late, or has taken over another worker since.
  static constexpr std::int32_t ask_again_ticks = 30;
  /// Lifetime of a query, for a client that tries again even after its gateway gave up (8 s).
  static constexpr std::int32_t kept_ticks = 1200;
  static constexpr std::size_t questions_max = 4096;

  explicit Whereabouts(Core& core) : core_(core) {}

  /// Whether no other worker has the client's avatar. False: not known yet; as soon as it is known,
  /// the join is answered, here or by the worker with the avatar.
  bool nowhere_else(const JoinRecord& join, const Address& gateway);
  void on_question(WorkerSlot from, std::span<const std::byte> bytes);
  /// Answers for a worker without a world: it has no avatars, except those that a checkpoint may
  /// restore.
  static void answer_without_world(Core& core, WorkerSlot from, std::span<const std::byte> bytes);
  void on_answer(WorkerSlot from, std::span<const std::byte> bytes);
  void after_tick();
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
  static std::optional<JoinRecord> read_question(Core& core, WorkerSlot from,
                                                 std::span<const std::byte> bytes);
  static void answer(Core& core, WorkerSlot to, const JoinRecord& asked, std::uint8_t has);
  bool may_come(std::uint64_t client_id) const;
  bool patient(const Question& question) const;
  void ask(Question& question);

  Core& core_;
  std::map<std::uint64_t, Question> questions_;  ///< by client
};

}  // namespace perigee::worker
