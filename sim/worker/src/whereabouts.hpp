/// Where is the avatar of a client that comes back? Ships carry people to other workers while they
/// are away, so whoever is to begin anew with a client asks all others first.
#pragma once

#include <bitset>
#include <map>

#include "perigee/worker/core.hpp"

namespace perigee::worker {

class Core::Whereabouts {
 public:
  /// Who lives and has not answered by then is late, or has gone on with somebody who died since.
  static constexpr std::int32_t ask_again_ticks = 30;
  /// For a client that tries again, also after its gateway gave up (8 s).
  static constexpr std::int32_t kept_ticks = 1200;
  static constexpr std::size_t questions_max = 4096;

  explicit Whereabouts(Core& core) : core_(core) {}

  /// Nobody else has the client's avatar. False: that is not known yet, and once it is, the join is
  /// answered, here or by whoever has it.
  bool nowhere_else(const JoinRecord& join, const Address& gateway);
  void on_question(WorkerSlot from, std::span<const std::byte> bytes);
  /// Of a worker that has no world: nobody's avatar, but for what a cut may still bring.
  static void answer_without_world(Core& core, WorkerSlot from, std::span<const std::byte> bytes);
  void on_answer(WorkerSlot from, std::span<const std::byte> bytes);
  void after_tick();
  /// It has left before anybody could answer, who shall not begin with it then.
  void on_leave(SessionId session);

 private:
  struct Question {
    JoinRecord join;
    Address gateway;
    Tick since;
    Tick asked;                        ///< of the others, lately
    bool again = false;                ///< somebody was not sure
    bool left = false;                 ///< nobody is there who could be answered
    std::bitset<workers_max> waiting;  ///< for these
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
