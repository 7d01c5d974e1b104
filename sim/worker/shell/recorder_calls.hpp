/// Sim.ArmRecorder, ListRecordings and FetchRecording. The loop's thread arms recorders, and copies
/// one of them between two ticks; a thread of its own writes the recording's bytes, one at a time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "perigee/host/loop.hpp"
#include "perigee/host/open_calls.hpp"
#include "perigee/worker/core.hpp"
#include "sim.pb.h"

namespace perigee::worker {

class RecorderCalls {
 public:
  static constexpr std::size_t files_max = 64;

  /// `flight_dir`: empty if there is none.
  RecorderCalls(host::Loop& loop, const world::GameModule& game, std::string worker,
                std::uint32_t recorders, std::filesystem::path flight_dir);
  ~RecorderCalls() { stop(); }
  RecorderCalls(const RecorderCalls&) = delete;
  RecorderCalls& operator=(const RecorderCalls&) = delete;

  /// Called with the outcome of an act that was made, before the caller learns of it. The writer's
  /// thread, because it may write to a disk.
  using Ended = std::function<void(const grpc::Status&)>;

  // gRPC's threads.
  grpc::ServerUnaryReactor* arm(grpc::CallbackServerContext& context,
                                const sim::v1::ArmRecorderRequest& request,
                                sim::v1::ArmRecorderReply& reply, Ended ended);
  grpc::ServerUnaryReactor* list(grpc::CallbackServerContext& context,
                                 sim::v1::ListRecordingsReply& reply);
  /// `ended`: for a file; may be null for an armed player.
  grpc::ServerUnaryReactor* fetch(grpc::CallbackServerContext& context,
                                  const sim::v1::FetchRecordingRequest& request,
                                  sim::v1::FetchRecordingReply& reply, Ended ended);

  // The loop's thread.
  /// `recordings` returns those of the present core; null: there is none yet.
  void use(std::function<FlightRecordings*()> recordings) { recordings_ = std::move(recordings); }
  /// Copies at most one recorder, between two ticks. Called ten times a second.
  void copy_next();
  /// Ends all calls. The loop has ended.
  void stop();

  struct Counts {
    std::uint32_t in_use = 0;
    std::uint64_t armed = 0, refused = 0;  ///< calls
    std::uint64_t sent = 0;                ///< recordings
  };
  Counts counts() const;
  /// How long the last copies held up the loop; none twice.
  std::vector<Micros> take_copies() { return std::exchange(copies_us_, {}); }

 private:
  using Job = std::function<grpc::Status()>;
  struct Waiting {
    host::OpenCalls::Handle call;
    std::uint64_t client_id = 0;
    sim::v1::FetchRecordingReply* reply = nullptr;
  };
  grpc::Status arm(const sim::v1::ArmRecorderRequest& request, sim::v1::ArmRecorderReply& reply);
  void add_armed(sim::v1::ListRecordingsReply& reply) const;
  void add_files(sim::v1::ListRecordingsReply& reply) const;
  grpc::Status read_file(const std::string& name, sim::v1::FetchRecordingReply& reply) const;
  /// Runs on the writer's thread, and then ends the call.
  void write_later(const host::OpenCalls::Handle& call, Job job);
  void run_writer();
  /// Of the loop's world; the writer's thread waits for it. None: the worker is stopping.
  std::optional<std::vector<replay::Recording::Thing>> things(std::vector<Handle> handles);

  host::Loop& loop_;
  const std::string worker_;
  const std::uint32_t recorders_;
  const std::filesystem::path flight_dir_;
  std::function<FlightRecordings*()> recordings_ = [] { return nullptr; };
  std::deque<Waiting> waiting_;
  std::vector<Micros> copies_us_;
  std::uint64_t armed_ = 0, refused_ = 0;
  std::atomic<std::uint64_t> sent_{0};
  std::atomic<bool> copy_in_use_{false};
  replay::FlightRecorder copy_;  ///< the writer's while copy_in_use_

  host::OpenCalls calls_{16};
  std::mutex mutex_;
  std::condition_variable woken_;
  bool stopping_ = false;                                     // guarded by mutex_
  std::deque<std::pair<host::OpenCalls::Handle, Job>> jobs_;  // guarded by mutex_
  std::thread writer_;
};

}  // namespace perigee::worker
