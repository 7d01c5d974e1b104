/// The world store on a thread of its own, for it may block for seconds. What is to be written
/// waits here, bounded; answers come on the loop.
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

namespace perigee::worker {

class StoreThread {
 public:
  static constexpr Micros gather_us = 100'000;  ///< outcomes are written together
  static constexpr Micros retry_us = 1'000'000;
  static constexpr Micros tidy_us = 5'000'000;
  static constexpr std::size_t parts_max = 2;  ///< older ones are not written, and counted

  /// On the loop's thread, of the present self only.
  struct Events {
    std::function<void()> begun;
    std::function<void(std::uint64_t number, Journalled became)> stored;
    std::function<void(std::optional<WholeCut>)> loaded;
  };
  struct Status {
    std::size_t rows_waiting = 0;
    std::uint64_t rows_stored = 0;
    std::uint64_t parts_written = 0, parts_dropped = 0;
    std::optional<Tick> last_cut;  ///< complete
    Counts<world_store::StoreFault> faults;
    bool behind = false;           ///< it failed, and has not worked since: a write by a write
    std::vector<Micros> parts_us;  ///< since the last call: how long writing a part took
  };

  StoreThread(host::Loop& loop, world_store::Store& store, const world::GameModule& game,
              Events events);
  /// Waits for the call that is under way.
  ~StoreThread();
  StoreThread(const StoreThread&) = delete;
  StoreThread& operator=(const StoreThread&) = delete;

  // On the loop's thread.
  /// Another life: what waits of the former one is forgotten.
  void begin(const world_keeper::Self& self);
  void store(const OutcomeRow& row);
  void store(CutPart part);
  void load(const ClusterMap& map);
  /// Before anything else that is stored from now on.
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
  Result<Ok> write_part(Lock& lock);
  Result<Ok> tidy(Lock& lock);
  void note(const Result<Ok>& done);
  /// For who it was asked by, if that is still us.
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

  std::mutex mutex_;  // guards all that follows
  std::condition_variable wake_;
  bool stopping_ = false;
  std::uint64_t generation_ = 0;
  std::optional<world_keeper::Self> self_;
  bool begun_ = false;
  std::optional<ClusterMap> load_, fence_;
  std::deque<OutcomeRow> rows_;
  std::deque<CutPart> parts_;
  Micros tidy_at_us_ = 0;
  bool write_failed_ = false;  ///< the last one
  Status status_;

  std::thread thread_;
};

}  // namespace perigee::worker
