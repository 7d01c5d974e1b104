#include "perigee/coordination/embedded.hpp"

#include <set>

#include "embedded_engine.hpp"

namespace perigee::coordination {
namespace {

constexpr const char* owner = "perigee-directory";

}  // namespace

/// Passes requests to the engine and replies back. The engine may hold pointers to a side only
/// until the job that the side's destructor waits for.
class Embedded::Side final : public Store {
 public:
  Side(std::shared_ptr<Engine> engine, Engine::SideId id) : engine_(std::move(engine)), id_(id) {}
  ~Side() override;

  void poll(Micros) override { inbox_.run(); }
  void wake_by(std::function<void()> wake) override { inbox_.wake_by(std::move(wake)); }
  Result<Ok> ready() const override {
    if (refused_) return *refused_;
    return Ok{};
  }
  std::optional<std::uint64_t> store_id() const override { return engine_->store_id(); }

  void read(const std::string& prefix, std::function<void(Result<Snapshot>)> done) override {
    engine_->ask([this, prefix, done = std::move(done)] {
      inbox_.post([done, snapshot = engine_->read(prefix)] { done(snapshot); });
    });
  }
  void commit(Txn txn, std::function<void(const Outcome&)> done) override;
  WatchId watch(const std::string& prefix, Revision after, WatchEvents events) override;
  void unwatch(WatchId id) override;
  void campaign(LeadershipEvents events) override;
  void resign() override;

 private:
  const std::shared_ptr<Engine> engine_;
  const Engine::SideId id_;
  Inbox inbox_;
  std::size_t commits_ = 0;  // under way
  WatchId newest_watch_ = 0;
  std::set<WatchId> watches_;
  bool campaigns_ = false;
  std::uint32_t campaign_ = 0;  // replies to an earlier campaign are ignored
  std::optional<Revision> term_;
  std::optional<Error> refused_;  // why the election failed
};

Embedded::Side::~Side() {
  std::mutex mutex;
  std::condition_variable changed;
  bool forgotten = false;
  engine_->ask([&] {
    engine_->resign(id_);
    for (WatchId id = 1; id <= newest_watch_; ++id) engine_->unwatch(id_, id);
    const std::lock_guard lock(mutex);
    forgotten = true;
    changed.notify_one();
  });
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return forgotten; });
}

void Embedded::Side::commit(Txn txn, std::function<void(const Outcome&)> done) {
  std::optional<Outcome> refused;
  if (const auto fits = check(txn); !fits) refused = fits.error();
  if (campaigns_ && !term_) refused = NotLeader{};
  if (commits_ == commits_max) refused = Error{"too many pending commits; wait for some of them"};
  if (refused) {
    inbox_.post([done = std::move(done), outcome = *refused] { done(outcome); });
    return;
  }
  ++commits_;
  engine_->ask([this, guard = term_, txn = std::move(txn), done = std::move(done)] {
    inbox_.post([this, done, outcome = engine_->commit(id_, guard, txn)] {
      --commits_;
      done(outcome);
    });
  });
}

WatchId Embedded::Side::watch(const std::string& prefix, Revision after, WatchEvents events) {
  const WatchId id = ++newest_watch_;
  watches_.insert(id);
  // Changes in flight when unwatch() was called are not delivered.
  WatchEvents sent{
      [this, id, changed = std::move(events.changed)](std::span<const Change> changes) {
        if (watches_.contains(id)) changed(changes);
      },
      [this, id, behind = std::move(events.behind)](const std::string& why) {
        if (watches_.erase(id) != 0) behind(why);
      }};
  engine_->ask([this, id, prefix, after, sent = std::move(sent)] {
    engine_->watch(id_, id, prefix, after, inbox_, sent);
  });
  return id;
}

void Embedded::Side::unwatch(WatchId id) {
  watches_.erase(id);
  engine_->ask([this, id] { engine_->unwatch(id_, id); });
}

void Embedded::Side::campaign(LeadershipEvents events) {
  if (std::exchange(campaigns_, true)) return;
  const std::uint32_t number = ++campaign_;
  engine_->ask([this, number, leads = std::move(events.leads)] {
    const auto won = [this, number, leads](Revision term) {
      inbox_.post([this, number, leads, term] {
        if (!campaigns_ || number != campaign_) return;
        term_ = term;
        refused_.reset();
        leads(term);
      });
    };
    const auto failed = [this, number](const Error& why) {
      inbox_.post([this, number, why] {
        if (campaigns_ && number == campaign_) refused_ = why;
      });
    };
    engine_->campaign(id_, won, failed);
  });
}

void Embedded::Side::resign() {
  if (!std::exchange(campaigns_, false)) return;
  term_.reset();
  refused_.reset();
  engine_->ask([this] { engine_->resign(id_); });
}

Embedded::Embedded(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}
Embedded::~Embedded() = default;

Result<std::unique_ptr<Embedded>> Embedded::open(const EmbeddedOptions& options) {
  PERIGEE_ASSERT(options.drawn_store_id != 0, "the caller must draw the store id");
  auto lock = host::FileLock::take(options.state_dir / "coordination.lock", owner);
  if (!lock) return lock.error();
  const auto path = options.state_dir / "coordination.state";
  if (options.anew) {
    std::error_code nothing_there;
    std::filesystem::rename(path, path.string() + ".old", nothing_there);
  }
  auto state = read_state(path);
  if (!state) return state.error();
  if (state->revision == 0 || options.restored) {
    state->store_id = options.drawn_store_id;
    ++state->revision;
    if (const auto written = write_state(path, *state); !written) return written.error();
  }
  return std::unique_ptr<Embedded>(new Embedded(
      std::make_shared<Engine>(path, std::move(lock).value(), std::move(state).value())));
}

std::unique_ptr<Store> Embedded::connect() { return std::make_unique<Side>(engine_, ++sides_); }

}  // namespace perigee::coordination
