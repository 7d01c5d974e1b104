#include "perigee/host/session_news.hpp"

#include <algorithm>

namespace perigee::host {
namespace {

std::uint64_t client_of(const SessionNews::Item& item) {
  return std::visit([](const auto& news) { return news.client_id; }, item);
}

}  // namespace

std::deque<SessionNews::Item>::iterator SessionNews::find(const Item& item) {
  return std::find_if(waiting_.begin(), waiting_.end(), [&](const Item& other) {
    return other.index() == item.index() && client_of(other) == client_of(item);
  });
}

bool SessionNews::append(const Item& item) {
  const bool full = waiting_.size() == waiting_max;
  if (full) waiting_.pop_front();
  waiting_.push_back(item);
  return !full;
}

bool SessionNews::add(const Item& item) {
  const auto older = find(item);
  if (older == waiting_.end()) return append(item);
  *older = item;
  return true;
}

bool SessionNews::put_back(const Item& item) {
  return find(item) != waiting_.end() || append(item);
}

std::optional<SessionNews::Item> SessionNews::take() {
  if (waiting_.empty()) return std::nullopt;
  const Item oldest = waiting_.front();
  waiting_.pop_front();
  return oldest;
}

}  // namespace perigee::host
