/// The world store on its own thread, because it may block for seconds. Writes are queued here,
/// with limits; answers are posted to the loop.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "perigee/host/loop.hpp"
#include "perigee/world_keeper/keeper.hpp"

namespace perigee::store_thread {

using worker::CheckpointPart;
using worker::Journalled;
using worker::LastingRow;
using worker::OutcomeRow;
using worker::TakenProfile;
using worker::WholeCheckpoint;

class StoreThread {
 public:
  static constexpr Micros gather_us = 100'000;  ///< outcomes are written in batches
  static constexpr Micros retry_us = 1'000'000;
  static constexpr Micros tidy_us = 5'000'000;
  /// Of profiles and results in one transaction, about: a server may take seconds for more.
  static constexpr std::size_t lasting_batch_bytes = 4 << 20;
  /// Profiles that are taken in one transaction; those that wait, older questions are asked anew.
  static constexpr std::size_t taken_batch = 64, taken_waiting_max = 2'048;
  static constexpr std::size_t parts_max = 2;  ///< older ones are dropped and counted

  /// Called on the loop's thread, for the current incarnation only.
  struct Events {
    std::function<void()> begun;
    std::function<void(std::uint64_t number, Journalled became)> stored;
    std::function<void(std::optional<WholeCheckpoint>)> loaded;
    std::function<void(std::uint64_t number, Journalled became)> kept;
    std::function<void(std::uint64_t number, const TakenProfile&)> profile;
  };
  struct Status {
    std::size_t rows_waiting = 0;
    std::uint64_t rows_stored = 0;
    std::uint64_t parts_written = 0, parts_dropped = 0;
    std::optional<Tick> last_checkpoint;  ///< complete
    Counts<world_store::StoreFault> faults;
    /// The store has failed and not worked since. After a failed write, only a successful write
    /// clears this.
    bool behind = false;
    std::vector<Micros> parts_us;  ///< durations of writing a part, since the last call
  };

  StoreThread(host::Loop& loop, world_store::Store& store, const world::GameModule& game,
              Events events);
  /// Waits for the current call.
  ~StoreThread();
  StoreThread(const StoreThread&) = delete;
  StoreThread& operator=(const StoreThread&) = delete;

  // On the loop's thread.
  /// A new incarnation: drops everything queued by the former one.
  void begin(const world_keeper::Self& self);
  void store(const OutcomeRow& row);
  void store(CheckpointPart part);
  void store(const LastingRow& row);
  void take_profile(std::uint64_t number, std::uint64_t owner);
  void load(const ClusterMap& map);
  /// Fences incarnations that have ended according to the map, before anything is stored from now
  /// on.
  void fence(const ClusterMap& map);
  Status status();
  bool behind();

 private:
  using Lock = std::unique_lock<std::mutex>;
  void run();
  bool has_work() const;
  Result<Ok> turn(Lock& lock);
  Result<Ok> begin_now(Lock& lock);
  Result<Ok> fence_now(Lock& lock);
  Result<Ok> load_now(Lock& lock);
  Result<Ok> write_rows(Lock& lock);
  Result<Ok> write_lasting(Lock& lock);
  Result<Ok> take_profiles(Lock& lock);
  Result<Ok> write_part(Lock& lock);
  Result<Ok> tidy(Lock& lock);
  void note(const Result<Ok>& done);
  /// Posts an answer to the loop, unless another incarnation has begun meanwhile.
  template <class Call>
  void answer(Call call) {
    loop_.post([this, generation = generation_, call = std::move(call)]() mutable {
      if (generation == generation_of_loop_) call();
    });
  }

  host::Loop& loop_;
  world_store::Store& store_;
  world_keeper::Keeper keeper_;
  const Events events_;
  std::uint64_t generation_of_loop_ = 0;  ///< loop's thread only

  std::mutex mutex_;  // guards everything below
  std::condition_variable wake_;
  bool stopping_ = false;
  std::uint64_t generation_ = 0;
  std::optional<world_keeper::Self> self_;
  bool begun_ = false;
  std::optional<ClusterMap> load_, fence_;
  std::deque<OutcomeRow> rows_;
  std::deque<CheckpointPart> parts_;
  std::deque<LastingRow> lasting_;  ///< limited by the worker
  struct Question {
    std::uint64_t number = 0, owner = 0;
  };
  std::deque<Question> profiles_;  ///< to be taken; limited
  Micros tidy_at_us_ = 0;
  bool write_failed_ = false;  ///< the last write failed
  Status status_;

  std::thread thread_;
};

}  // namespace perigee::store_thread
