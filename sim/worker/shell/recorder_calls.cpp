#include "recorder_calls.hpp"

#include <algorithm>
#include <fstream>
#include <utility>

#include "perigee/flight_log/flight_log.hpp"

namespace perigee::worker {
namespace {

namespace fs = std::filesystem;
using Thing = replay::Recording::Thing;

constexpr std::uint32_t armed_s_max = ArmedRecorders::armed_ticks_max / 60;

grpc::Status not_found(const std::string& sentence) {
  return {grpc::StatusCode::NOT_FOUND, sentence};
}
grpc::Status no_world() {
  return {grpc::StatusCode::UNAVAILABLE, "this worker owns no region yet"};
}

/// A name that `list` could have given: it cannot leave the folder.
bool is_file_name(std::string_view name) {
  return name.ends_with(flight_log::ending) && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

std::int64_t unix_s(const fs::file_time_type& time) {
  const auto since = std::chrono::file_clock::to_sys(time).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(since).count();
}

}  // namespace

RecorderCalls::RecorderCalls(host::Loop& loop, const world::GameModule& game, std::string worker,
                             std::uint32_t recorders, fs::path flight_dir)
    : loop_(loop),
      worker_(std::move(worker)),
      recorders_(recorders),
      flight_dir_(std::move(flight_dir)),
      copy_(game.types(), replay::half_minute),
      writer_([this] { run_writer(); }) {}

grpc::ServerUnaryReactor* RecorderCalls::arm(grpc::CallbackServerContext& context,
                                             const sim::v1::ArmRecorderRequest& request,
                                             sim::v1::ArmRecorderReply& reply, Ended ended) {
  auto* reactor = context.DefaultReactor();
  if (const auto call = calls_.open(reactor)) {
    loop_.post([this, call, &request, &reply, ended = std::move(ended)] {
      write_later(call, [status = arm(request, reply), ended] {
        ended(status);
        return status;
      });
    });
  }
  return reactor;
}

grpc::Status RecorderCalls::arm(const sim::v1::ArmRecorderRequest& request,
                                sim::v1::ArmRecorderReply& reply) {
  FlightRecordings* recordings = recordings_();
  if (recordings == nullptr) return no_world();
  if (request.for_s() > armed_s_max) {
    return {grpc::StatusCode::INVALID_ARGUMENT,
            "for_s is at most " + std::to_string(armed_s_max) + "; arm it again later"};
  }
  const std::uint64_t client_id = request.client_id();
  const std::string player = "player #" + std::to_string(client_id);
  if (request.for_s() == 0) {
    if (!recordings->disarm(client_id)) return not_found("no recorder is armed for " + player);
  } else {
    const auto ticks = static_cast<std::int32_t>(request.for_s()) * 60;
    const auto became = recordings->arm(client_id, ticks);
    if (became == FlightRecordings::Arming::NoPlayer) {
      return not_found(player + " is not on this worker");
    }
    if (became == FlightRecordings::Arming::AllInUse) {
      ++refused_;
      return {grpc::StatusCode::RESOURCE_EXHAUSTED,
              "all " + std::to_string(recorders_) + " recorders of " + worker_ +
                  " are in use; stop recording another player, or raise sim.recorders"};
    }
    ++armed_;
  }
  reply.set_worker(worker_);
  reply.set_recorders(recorders_);
  reply.set_in_use(recordings->armed().in_use());
  return grpc::Status::OK;
}

grpc::ServerUnaryReactor* RecorderCalls::list(grpc::CallbackServerContext& context,
                                              sim::v1::ListRecordingsReply& reply) {
  auto* reactor = context.DefaultReactor();
  if (const auto call = calls_.open(reactor)) {
    add_files(reply);
    loop_.post([this, call, &reply] {
      add_armed(reply);
      calls_.finish(call, grpc::Status::OK);
    });
  }
  return reactor;
}

void RecorderCalls::add_armed(sim::v1::ListRecordingsReply& reply) const {
  reply.set_worker(worker_);
  reply.set_recorders(recorders_);
  const FlightRecordings* recordings = recordings_();
  if (recordings == nullptr) return;
  for (const ArmedRecorders::Slot& slot : recordings->armed().slots()) {
    if (!slot.used) continue;
    auto* armed = reply.add_armed();
    armed->set_client_id(slot.client_id);
    armed->set_avatar(slot.header.avatar);
    armed->set_ticks(static_cast<std::uint32_t>(slot.recorder.ticks()));
    armed->set_for_s(ticks_between(recordings->next(), slot.until) * seconds_per_tick);
    armed->set_left(!slot.here);
  }
}

void RecorderCalls::add_files(sim::v1::ListRecordingsReply& reply) const {
  if (flight_dir_.empty()) return;
  std::vector<sim::v1::FlightFile> found;
  std::error_code failure;
  for (fs::directory_iterator at(flight_dir_, failure), end; !failure && at != end;
       at.increment(failure)) {
    std::error_code gone;
    sim::v1::FlightFile file;
    file.set_name(at->path().filename().string());
    file.set_bytes(at->file_size(gone));
    file.set_changed_unix_s(unix_s(at->last_write_time(gone)));
    if (!gone && is_file_name(file.name())) found.push_back(std::move(file));
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.changed_unix_s() > b.changed_unix_s(); });
  if (found.size() > files_max) found.resize(files_max);
  for (auto& file : found) reply.add_files()->Swap(&file);
}

grpc::ServerUnaryReactor* RecorderCalls::fetch(grpc::CallbackServerContext& context,
                                               const sim::v1::FetchRecordingRequest& request,
                                               sim::v1::FetchRecordingReply& reply, Ended ended) {
  auto* reactor = context.DefaultReactor();
  const auto call = calls_.open(reactor);
  if (!call) return reactor;
  if (request.what_case() == sim::v1::FetchRecordingRequest::kFile) {
    write_later(call, [this, name = request.file(), &reply, ended = std::move(ended)] {
      grpc::Status status = read_file(name, reply);
      ended(status);
      return status;
    });
  } else {
    loop_.post([this, waiting = Waiting{call, request.client_id(), &reply}] {
      waiting_.push_back(waiting);
    });
  }
  return reactor;
}

grpc::Status RecorderCalls::read_file(const std::string& name,
                                      sim::v1::FetchRecordingReply& reply) const {
  if (flight_dir_.empty() || !is_file_name(name)) {
    return not_found("this worker has no recording " + name);
  }
  std::ifstream file(flight_dir_ / name, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? std::streamoff{file.tellg()} : -1;
  if (size < 0 || size > static_cast<std::streamoff>(replay::recording_bytes_max)) {
    return not_found("this worker has no recording " + name);
  }
  std::string& bytes = *reply.mutable_recording();
  bytes.resize(static_cast<std::size_t>(size));
  file.seekg(0);
  file.read(bytes.data(), size);
  return file ? grpc::Status::OK : not_found("cannot read " + name);
}

void RecorderCalls::copy_next() {
  if (waiting_.empty() || copy_in_use_) return;
  const Waiting next = std::move(waiting_.front());
  waiting_.pop_front();
  const FlightRecordings* recordings = recordings_();
  if (recordings == nullptr) return calls_.finish(next.call, no_world());
  const Micros began_us = host::Loop::clock_us();
  auto header = recordings->copy(next.client_id, flight_log::build_name(), copy_);
  if (!header) {
    return calls_.finish(
        next.call, not_found("no recorder is armed for player #" + std::to_string(next.client_id) +
                             ", or it has no tick yet"));
  }
  copies_us_.push_back(host::Loop::clock_us() - began_us);
  copy_in_use_ = true;
  write_later(next.call, [this, header = std::move(*header), reply = next.reply] {
    replay::Recording recording = copy_.without_things(header);
    copy_in_use_ = false;
    auto found = things(replay::handles_of(recording));
    if (!found) return host::OpenCalls::stopping();
    recording.things = std::move(*found);
    const auto bytes = replay::write_recording(recording);
    reply->set_recording(bytes.data(), bytes.size());
    ++sent_;
    return grpc::Status::OK;
  });
}

void RecorderCalls::write_later(const host::OpenCalls::Handle& call, Job job) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;  // stop() ends the call
  jobs_.emplace_back(call, std::move(job));
  woken_.notify_all();
}

void RecorderCalls::run_writer() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (jobs_.empty()) {
      woken_.wait(lock);
      continue;
    }
    const auto [call, job] = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    calls_.finish(call, job());
    lock.lock();
  }
}

std::optional<std::vector<Thing>> RecorderCalls::things(std::vector<Handle> handles) {
  struct Answer {
    std::vector<Thing> things;
    bool there = false;
  };
  const auto answer = std::make_shared<Answer>();  // guarded by mutex_
  loop_.post([this, answer, handles = std::move(handles)] {
    const FlightRecordings* recordings = recordings_();
    auto found = recordings != nullptr ? recordings->things(handles) : std::vector<Thing>();
    const std::lock_guard lock(mutex_);
    answer->things = std::move(found);
    answer->there = true;
    woken_.notify_all();
  });
  std::unique_lock lock(mutex_);
  woken_.wait(lock, [&] { return answer->there || stopping_; });
  if (!answer->there) return std::nullopt;
  return std::move(answer->things);
}

RecorderCalls::Counts RecorderCalls::counts() const {
  const FlightRecordings* recordings = recordings_();
  return {recordings != nullptr ? recordings->armed().in_use() : 0, armed_, refused_, sent_};
}

void RecorderCalls::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    jobs_.clear();
  }
  woken_.notify_all();
  if (writer_.joinable()) writer_.join();
  waiting_.clear();
  calls_.stop();
}

}  // namespace perigee::worker
