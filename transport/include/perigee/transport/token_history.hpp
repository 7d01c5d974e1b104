/// Every connect token this server has seen and that has not expired: pending while addresses race
/// for it, consumed once one of them got its session. A consumed token never opens a second one,
/// because both would start their sequences at 0 under the same keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perigee/netcode/address.hpp"
#include "perigee/netcode/ring.hpp"
#include "perigee/transport/fixed_table.hpp"

namespace perigee::transport {

class TokenHistory {
 public:
  /// Whoever sniffs a request may present it first from elsewhere, so the owner must be able to
  /// stand beside the thief; the thief cannot answer the challenge.
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

  /// The token's entry, made if it is new. Null: full of unexpired tokens, which are never evicted.
  Entry* remember(const Tag& tag, std::uint64_t expire_time_s);
  Entry* find(const Tag& tag);
  /// Forgets expired tokens for which nobody stands any more.
  void forget_expired(std::uint64_t unix_s);
  std::size_t size() const { return index_.size(); }

 private:
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;
  FixedTable<Tag> index_;
};

}  // namespace perigee::transport
