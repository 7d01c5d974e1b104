// bench_rooms: processor time, ticks and memory of a process of rooms, while thin players run in
// the first game over real sockets. The basis of docs/rooms.md.
#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "bench/common/fleet.hpp"
#include "bench/common/suite.hpp"
#include "process/child.hpp"
#include "process/patient_call.hpp"
#include "rooms.grpc.pb.h"

namespace perigee::bench {
namespace {

namespace v1 = perigee::rooms::v1;
using process_test::Child;

struct Case {
  const char* name;
  unsigned rooms, players;  ///< players of each
};
constexpr std::array cases{Case{"20x0", 20, 0}, Case{"20x4", 20, 4}, Case{"64x4", 64, 4},
                           Case{"5x16", 5, 16}};

/// A process of rooms, and the bots in it.
class Rooms {
 public:
  Rooms() : base_(process_test::free_port_base()), folder_(new_folder()) {
    process_ = std::make_unique<Child>(std::vector<std::string>{
        PERIGEE_ROOMS_BINARY, "--port-base", std::to_string(base_), "--state-dir", folder_,
        "--game", PERIGEE_GAME, "--rooms-clients-max", "300", "--rooms-unused-s", "0",
        "--rooms-end-s", "0"});
    stub_ =
        v1::Rooms::NewStub(grpc::CreateChannel(grpc_target(), grpc::InsecureChannelCredentials()));
  }
  ~Rooms() {
    bots_.reset();
    process_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Rooms(const Rooms&) = delete;
  Rooms& operator=(const Rooms&) = delete;

  /// None: it did not answer.
  std::optional<v1::Room> create() {
    process_test::PatientCall context;
    v1::Room room;
    if (!stub_->CreateRoom(&context, {}, &room).ok()) return std::nullopt;
    return room;
  }
  /// False: not all of them played within half a minute.
  bool play(const Case& of) {
    const unsigned players = of.rooms * of.players;
    bots_ = std::make_unique<Child>(std::vector<std::string>{
        PERIGEE_BOTS_BINARY, "--game", PERIGEE_GAME, "--rooms", grpc_target(), "--rooms-of",
        std::to_string(of.players), "--count", "0", "--thin", std::to_string(players), "--seconds",
        "600", "--log-ins-per-s", "50"});
    return Fleet::within(30, [&] { return seen().value("perigee_rooms_players") >= players; });
  }
  Seen seen() const {
    return {process_->pid(), process_test::http_get(base_ + 120, "/metrics", 2'000)};
  }
  /// The largest of all rooms, of the last ten seconds.
  double tick_p99_ms() {
    process_test::PatientCall context;
    v1::ListRoomsRequest request;
    request.set_open_only(true);
    v1::ListRoomsReply reply;
    double largest = 0;
    if (!stub_->ListRooms(&context, request, &reply).ok()) return -1;
    for (const v1::Room& room : reply.rooms()) largest = std::max(largest, room.tick_p99_ms());
    return largest;
  }

 private:
  std::string grpc_target() const { return "127.0.0.1:" + std::to_string(base_ + 81); }
  static std::string new_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "bench-rooms-XXXXXX").string();
    PERIGEE_ASSERT(mkdtemp(name.data()) != nullptr, "the folder for temporary files is writable");
    return name;
  }

  unsigned base_;
  std::string folder_;
  std::unique_ptr<Child> process_, bots_;
  std::unique_ptr<v1::Rooms::Stub> stub_;
};

struct Instant {
  explicit Instant(const Rooms& rooms)
      : seen(rooms.seen()), cpu_ns(static_cast<double>(cpu_time_ns(seen.pid))) {}
  double of(const char* series) const { return seen.value(series); }
  Seen seen;
  double cpu_ns;
  std::chrono::steady_clock::time_point at = std::chrono::steady_clock::now();
};

/// The mean of a histogram between two moments, in microseconds.
double mean_us(const Instant& begin, const Instant& end, const std::string& family) {
  const auto passed = [&](const char* part) {
    const std::string series = family + part;
    return end.of(series.c_str()) - begin.of(series.c_str());
  };
  const double count = passed("_count");
  return count > 0 ? 1e6 * passed("_sum") / count : 0;
}

Result<Ok> measure(const Run& run, const Case& of, Figures& figures) {
  print_progress(of.name);
  Rooms rooms;
  if (of.players > 0 && !rooms.play(of)) {
    return Error{std::string(of.name) + " did not begin to play within 30 s"};
  }
  for (unsigned i = 0; of.players == 0 && i < of.rooms; ++i) {
    if (!rooms.create()) return Error{"perigee-rooms does not answer"};
  }
  std::this_thread::sleep_for(std::chrono::seconds(run.quick ? 1 : 5));
  const Instant begin(rooms);
  std::this_thread::sleep_for(std::chrono::seconds(run.quick ? 1 : 15));
  const Instant end(rooms);
  const double seconds = std::chrono::duration<double>(end.at - begin.at).count();
  const std::string prefix = std::string(of.name) + "_";
  figures.add(prefix + "cpu_ms_s", (end.cpu_ns - begin.cpu_ns) * 1e-6 / seconds, "ms/s");
  figures.add(prefix + "tick_us", mean_us(begin, end, "perigee_rooms_tick_seconds"), "us");
  figures.add(prefix + "late_us", mean_us(begin, end, "perigee_rooms_tick_late_seconds"), "us");
  figures.add(prefix + "tick_p99_us", 1e3 * rooms.tick_p99_ms(), "us");
  figures.add(prefix + "resident_mb", static_cast<double>(resident_bytes(end.seen.pid)) * 1e-6,
              "MB");
  if (of.players == 0) {
    const double began = end.of("perigee_rooms_create_seconds_count");
    figures.add("create_ms", 1e3 * end.of("perigee_rooms_create_seconds_sum") / began, "ms");
  }
  return Ok{};
}

Result<Ok> rooms(const Run& run, Figures& figures) {
  for (const Case& each : cases) {
    if (run.quick && each.rooms != 20) continue;
    if (auto done = measure(run, each, figures); !done) return done;
  }
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("rooms", argc, argv, perigee::bench::rooms);
}
