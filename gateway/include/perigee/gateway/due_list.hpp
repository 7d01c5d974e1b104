/// A FIFO over the numbers 0 .. capacity-1, each at most once, with removal from the middle: the
/// clients with data to send, the longest waiting first.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace perigee::gateway {

class DueList {
 public:
  explicit DueList(std::uint32_t capacity) : links_(capacity) {}

  bool contains(std::uint32_t n) const { return links_[n].in; }
  std::optional<std::uint32_t> front() const {
    return first_ == none ? std::nullopt : std::optional(first_);
  }
  void push_back(std::uint32_t n) {
    if (links_[n].in) return;
    links_[n] = {last_, none, true};
    (last_ == none ? first_ : links_[last_].next) = n;
    last_ = n;
  }
  void remove(std::uint32_t n) {
    if (!links_[n].in) return;
    const Link link = links_[n];
    (link.previous == none ? first_ : links_[link.previous].next) = link.next;
    (link.next == none ? last_ : links_[link.next].previous) = link.previous;
    links_[n].in = false;
  }

 private:
  static constexpr std::uint32_t none = 0xffff'ffff;
  struct Link {
    std::uint32_t previous = none;
    std::uint32_t next = none;
    bool in = false;
  };
  std::vector<Link> links_;
  std::uint32_t first_ = none;
  std::uint32_t last_ = none;
};

}  // namespace perigee::gateway
