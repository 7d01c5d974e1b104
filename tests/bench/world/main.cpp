// bench_world: the cost of the durable world in a file, and on a server if this machine has one.
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "bench/common/scheduling.hpp"
#include "bench/common/suite.hpp"
#include "perigee/world_store/store.hpp"
#include "postgres_server/postgres_server.hpp"

namespace perigee::bench {
namespace {

using namespace world_store;
namespace fs = std::filesystem;

constexpr ClusterId world = 1;
constexpr std::size_t payload_bytes = 64;
constexpr double ns_per_ms = 1e6, ns_per_s = 1e9, bytes_per_mb = 1e6;

/// One engine, with its measurements so far.
class Contender {
 public:
  static Result<std::unique_ptr<Contender>> make(std::string name,
                                                 Result<std::unique_ptr<Store>> store) {
    if (!store) return store.error();
    if (const auto adopted = store.value()->adopt(world); !adopted) return adopted.error();
    return std::make_unique<Contender>(std::move(name), std::move(store).value());
  }
  Contender(std::string name, std::unique_ptr<Store> store)
      : name_(std::move(name)), store_(std::move(store)) {}

  Result<Ok> round(const Run& run) {
    for (Batches& batches : batches_) {
      for (int i = 0; i < (run.quick ? 3 : 50); ++i) {
        if (const auto done = append(batches); !done) return done;
      }
    }
    return checkpoint(run.quick ? 4'000'000 : 100'000'000);
  }

  void report(Figures& figures) const {
    for (const Batches& batches : batches_) {
      const std::string rows = std::to_string(batches.rows);
      std::vector<double> ms = batches.ms;
      figures.add(name_ + "_append_ms_" + rows, median(ms), "ms");
      figures.add(name_ + "_append_p99_ms_" + rows, percentile(ms, 0.99), "ms");
    }
    const Batches& large = batches_.back();
    figures.add(name_ + "_rows_per_s_1000", large.rows * 1e3 / median(large.ms), "1/s");
    figures.add(name_ + "_cut_write_mb_per_s", median(write_mb_per_s_), "MB/s");
    figures.add(name_ + "_cut_read_mb_per_s", median(read_mb_per_s_), "MB/s");
  }

 private:
  struct Batches {
    std::uint32_t rows;
    std::vector<double> ms = {};
  };

  Result<Ok> append(Batches& batches) {
    std::vector<JournalRow> rows(batches.rows);
    for (JournalRow& row : rows) {
      row.id = {.target = ++targets_, .tick = Tick{tick_ + 1}};
      row.slot = WorkerSlot::at(1 + targets_ % 8);
      row.incarnation = Incarnation{1};
      row.payload.resize(payload_bytes);
    }
    const std::int64_t begin = now_ns();
    const auto became = store_->append(world, rows);
    if (!became) return became.error();
    batches.ms.push_back(static_cast<double>(now_ns() - begin) / ns_per_ms);
    return Ok{};
  }

  // A complete checkpoint: begun, written and read; then superseded data are deleted.
  Result<Ok> checkpoint(std::size_t size) {
    const WorkerSlot slot{1};
    const std::vector<std::byte> bytes(size, std::byte{0x5a});
    const auto mb_per_s = [&](std::int64_t begin) {
      return static_cast<double>(size) / bytes_per_mb /
             (static_cast<double>(now_ns() - begin) / ns_per_s);
    };
    tick_ += 900;
    const auto begun = store_->begin_checkpoint(world, Tick{tick_}, std::span(&slot, 1));
    if (!begun) return begun.error();
    const std::int64_t write_begin = now_ns();
    const auto written = store_->write_part(Tick{tick_}, {world, slot, Incarnation{1}}, bytes);
    if (!written) return written.error();
    write_mb_per_s_.push_back(mb_per_s(write_begin));
    const std::int64_t read_begin = now_ns();
    const auto read = store_->read_part(Tick{tick_}, slot);
    if (!read) return read.error();
    read_mb_per_s_.push_back(mb_per_s(read_begin));
    if (*read != bytes) return Error{name_ + ": a checkpoint is not what was written"};
    for (;;) {
      const auto gone = store_->forget(1'000);
      if (!gone) return gone.error();
      if (*gone == 0) return Ok{};
    }
  }

  std::string name_;
  std::unique_ptr<Store> store_;
  std::uint32_t targets_ = 0, tick_ = 0;
  std::vector<Batches> batches_{{10}, {100}, {1'000}};
  std::vector<double> write_mb_per_s_, read_mb_per_s_;
};

class Folder {
 public:
  Folder() : name_((fs::temp_directory_path() / "perigee-bench-XXXXXX").string()) {
    PERIGEE_ASSERT(mkdtemp(name_.data()) != nullptr, "a folder for files");
  }
  ~Folder() { fs::remove_all(name_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path file() const { return fs::path(name_) / "world.sqlite"; }

 private:
  std::string name_;
};

Result<Ok> world_suite(const Run& run, Figures& figures) {
  go_first();
  const Folder folder;
  std::unique_ptr<postgres_server::Server> server;
  std::vector<std::unique_ptr<Contender>> contenders;
  auto sqlite = Contender::make("sqlite", open_sqlite(folder.file()));
  if (!sqlite) return sqlite.error();
  contenders.push_back(std::move(sqlite).value());
  if (postgres_server::programs().empty()) {
    print_progress("no PostgreSQL on this machine: SQLite alone (apt-get install postgresql)");
  } else {
    auto made = postgres_server::Server::make();
    if (!made) return made.error();
    server = std::move(made).value();
    auto postgres = Contender::make("postgres", open_postgres(server->database("postgres")));
    if (!postgres) return postgres.error();
    contenders.push_back(std::move(postgres).value());
  }
  for (int round = 0; round < run.rounds(); ++round) {
    print_progress("round " + std::to_string(round + 1) + " of " + std::to_string(run.rounds()));
    for (const auto& contender : contenders) {
      if (const auto done = contender->round(run); !done) return done;
    }
  }
  for (const auto& contender : contenders) contender->report(figures);
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("world", argc, argv, perigee::bench::world_suite);
}
