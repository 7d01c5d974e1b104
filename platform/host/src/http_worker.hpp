/// Makes answers on a thread of its own, one at a time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "perigee/base/address.hpp"
#include "perigee/host/http_answer.hpp"
#include "perigee/host/http_request.hpp"

namespace perigee::host {

class HttpWorker {
 public:
  using Make = std::function<HttpAnswer(const HttpRequest& request, const Address& client)>;

  /// `made` is called on the worker's thread after each answer.
  HttpWorker(Make make, std::function<void()> made);
  ~HttpWorker() { stop(); }
  HttpWorker(const HttpWorker&) = delete;
  HttpWorker& operator=(const HttpWorker&) = delete;

  struct Job {
    std::uint64_t id = 0;
    HttpRequest request;
    Address client;
  };
  struct Made {
    std::uint64_t id = 0;
    HttpAnswer answer;
  };
  /// Waits for the answer that is being made. `made` is not called after this returns.
  void stop();
  /// False until the last job's answer was taken.
  bool idle() const;
  /// Call it only while idle.
  void begin(Job job);
  /// None: the answer is still being made.
  std::optional<Made> take();

 private:
  enum class State : std::uint8_t { Idle, Given, Ready };
  void run();

  const Make make_;
  const std::function<void()> made_;
  mutable std::mutex mutex_;
  std::condition_variable given_;
  State state_ = State::Idle;
  bool stopping_ = false;
  Job job_;
  Made answer_;
  std::thread thread_;
};

}  // namespace perigee::host
