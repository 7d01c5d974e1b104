/// Interface of the two engines: named statements with values, and transactions. The engines differ
/// below it; the store's contract is implemented above it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perigee/base/result.hpp"
#include "perigee/world_store/store.hpp"
#include "statements.hpp"

namespace perigee::world_store {

using Bytes = std::vector<std::byte>;
/// A value to bind; bytes are read before the call returns.
using Value = std::variant<std::int64_t, std::span<const std::byte>>;
using Values = std::vector<Value>;

/// The result of one statement.
struct Answer {
  using Cell = std::variant<std::int64_t, Bytes>;
  std::vector<std::vector<Cell>> rows;
  std::uint64_t changed = 0;

  std::int64_t number(std::size_t row, std::size_t column) const {
    return std::get<std::int64_t>(rows[row][column]);
  }
  Bytes& bytes(std::size_t row, std::size_t column) { return std::get<Bytes>(rows[row][column]); }
};

class Database {
 public:
  virtual ~Database() = default;
  /// Also reconnects if necessary.
  virtual Result<Ok> begin(Intent intent) = 0;
  virtual Result<Ok> commit() = 0;
  /// Leaves no transaction open after any failure.
  virtual void rollback() = 0;
  /// Runs the statement once for each of `calls`, in order; returns the result of each.
  virtual Result<std::vector<Answer>> run_each(Sql sql, std::span<const Values> calls) = 0;
  /// The failed transaction would succeed if repeated: it conflicted with others.
  virtual bool worth_repeating() const = 0;

  Result<Answer> run(Sql sql, const Values& values);
  const Counts<StoreFault>& faults() const { return faults_; }

 protected:
  /// One sentence about the store `name`, counted.
  Error fault(StoreFault kind, std::string_view name, std::string_view what,
              std::string_view remedy);

 private:
  Counts<StoreFault> faults_;
};

Error sentence(std::string_view name, std::string_view what, std::string_view remedy);
/// Rejects a schema of a newer program. The next version of the format will read this one, too.
Result<Ok> check_version(std::string_view name, std::int64_t version);

}  // namespace perigee::world_store
