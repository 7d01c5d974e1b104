#include <algorithm>
#include <string_view>

#include "perigee/coordination/store.hpp"

namespace perigee::coordination {
namespace {

Error too_much(const std::string& what, std::size_t is, std::size_t most) {
  return Error{what + ": " + std::to_string(is) + ", at most " + std::to_string(most) +
               "; split the transaction or the value"};
}

}  // namespace

Result<Ok> check(const Txn& txn) {
  const std::size_t changes = txn.puts.size() + txn.erases.size();
  if (txn.compares.size() > ops_max) return too_much("compares", txn.compares.size(), ops_max);
  if (changes > ops_max) return too_much("puts and erases", changes, ops_max);
  std::vector<std::string_view> keys;
  keys.reserve(txn.compares.size() + changes);
  std::size_t bytes = 0;
  for (const auto& compare : txn.compares) keys.push_back(compare.key);
  for (const auto& put : txn.puts) {
    keys.push_back(put.key);
    bytes += put.value.size();
    if (put.value.size() > value_bytes_max) {
      return too_much("bytes in the value of " + put.key, put.value.size(), value_bytes_max);
    }
  }
  keys.insert(keys.end(), txn.erases.begin(), txn.erases.end());
  for (const std::string_view key : keys) {
    if (key.empty()) return Error{"a key of a transaction is empty; name it"};
    if (key.size() > key_bytes_max) return too_much("bytes in a key", key.size(), key_bytes_max);
    bytes += key.size();
  }
  if (bytes > txn_bytes_max) return too_much("bytes in a transaction", bytes, txn_bytes_max);
  const auto changed = keys.begin() + static_cast<std::ptrdiff_t>(txn.compares.size());
  std::sort(changed, keys.end());
  const auto twice = std::adjacent_find(changed, keys.end());
  if (twice != keys.end()) {
    return Error{"a transaction changes " + std::string(*twice) + " twice; change each key once"};
  }
  return Ok{};
}

}  // namespace perigee::coordination
