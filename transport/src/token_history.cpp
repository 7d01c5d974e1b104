#include "perigee/transport/token_history.hpp"

namespace perigee::transport {

TokenHistory::TokenHistory(std::size_t capacity, std::uint64_t salt)
    : entries_(capacity), index_(capacity, salt) {
  free_.reserve(capacity);
  for (std::size_t i = capacity; i-- > 0;) free_.push_back(static_cast<std::uint32_t>(i));
}

TokenHistory::Entry* TokenHistory::find(const Tag& tag) {
  const std::uint32_t* at = index_.find(tag);
  return at ? &entries_[*at] : nullptr;
}

const TokenHistory::Entry* TokenHistory::find(const Tag& tag) const {
  const std::uint32_t* at = index_.find(tag);
  return at ? &entries_[*at] : nullptr;
}

TokenHistory::Entry* TokenHistory::remember(const Tag& tag, std::uint64_t expire_time_s) {
  if (Entry* known = find(tag)) return known;
  if (free_.empty()) return nullptr;
  const std::uint32_t at = free_.back();
  free_.pop_back();
  index_.insert(tag, at);
  entries_[at] = {.tag = tag, .expire_time_s = expire_time_s, .used = true};
  return &entries_[at];
}

void TokenHistory::forget_expired(std::uint64_t unix_s) {
  for (std::uint32_t at = 0; at < entries_.size(); ++at) {
    Entry& entry = entries_[at];
    // While it has candidates, the token could still open its session, and must do so only once.
    if (!entry.used || entry.expire_time_s > unix_s || !entry.candidates.empty()) continue;
    index_.erase(entry.tag);
    entry.used = false;
    free_.push_back(at);
  }
}

}  // namespace perigee::transport
