/// Calls that take long, one in each turn of a loop: the work of the loop is done in between.
#pragma once

#include <deque>
#include <functional>
#include <utility>

namespace perigee::rooms {

class OneATurn {
 public:
  using Call = std::function<void()>;
  /// `post` runs a call in the next turn. This object outlives the loop's last turn.
  explicit OneATurn(std::function<void(Call)> post) : post_(std::move(post)) {}

  /// In order. The caller limits their number.
  void add(Call call) {
    calls_.push_back(std::move(call));
    if (calls_.size() == 1) post();
  }

 private:
  void post() {
    post_([this] { run(); });
  }
  void run() {
    calls_.front()();
    calls_.pop_front();
    if (!calls_.empty()) post();
  }

  std::function<void(Call)> post_;
  std::deque<Call> calls_;
};

}  // namespace perigee::rooms
