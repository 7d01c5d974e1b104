/// All unexpired connect tokens that this server has received. A token is pending while several
/// addresses compete for it, and consumed once one of them has got its session. A consumed token
/// never opens a second session, because both sessions would start their sequences at 0 under the
/// same keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/transport/fixed_table.hpp"

namespace perigee::transport {

class TokenHistory {
 public:
  /// Limit of addresses per token. An attacker that sniffs a request may present it first, from
  /// another address, so the owner's address must fit in besides; the attacker cannot answer the
  /// challenge.
  static constexpr std::size_t candidates_max = 4;
  using Candidates = FixedVector<Address, candidates_max>;

  struct Entry {
    Tag tag{};
    std::uint64_t expire_time_s = 0;
    bool used = false;
    bool consumed = false;
    Candidates candidates;  ///< oldest first
  };

  TokenHistory(std::size_t capacity, std::uint64_t salt);

  /// The token's entry, created if it is new. Null: full of unexpired tokens, which are never
  /// evicted.
  Entry* remember(const Tag& tag, std::uint64_t expire_time_s);
  Entry* find(const Tag& tag);
  const Entry* find(const Tag& tag) const;
  /// Removes expired tokens without candidates.
  void forget_expired(std::uint64_t unix_s);
  std::size_t size() const { return index_.size(); }

 private:
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;
  FixedTable<Tag> index_;
};

}  // namespace perigee::transport
