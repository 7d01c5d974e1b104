/// A wrapper of SQLite's C interface: statements bound by position and read by column.
#pragma once

#include <sqlite3.h>

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "perigee/base/assert.hpp"

namespace perigee::session {

/// One prepared statement; reset after each use.
class Statement {
 public:
  Statement() = default;
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  int prepare(sqlite3* db, const char* sql) {
    return sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement_, nullptr);
  }
  /// Binds in the order of the question marks. Views are copied.
  template <class... Values>
  Statement& with(const Values&... values) {
    sqlite3_reset(statement_);
    int at = 0;
    (bind(++at, values), ...);
    return *this;
  }
  /// SQLITE_ROW, SQLITE_DONE, or an error code.
  int step() { return sqlite3_step(statement_); }
  /// Call it after the last step(); ends the statement's read or write.
  void reset() { sqlite3_reset(statement_); }

  std::uint64_t number(int column) const {
    return std::bit_cast<std::uint64_t>(std::int64_t{sqlite3_column_int64(statement_, column)});
  }
  std::string text(int column) const {
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return data == nullptr
               ? std::string()
               : std::string(data,
                             static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
  }

 private:
  void bind(int at, std::uint64_t value) {
    check(sqlite3_bind_int64(statement_, at, std::bit_cast<std::int64_t>(value)));
  }
  void bind(int at, std::string_view value) {
    const char* data = value.empty() ? "" : value.data();  // a null pointer would be NULL
    check(
        sqlite3_bind_text(statement_, at, data, static_cast<int>(value.size()), SQLITE_TRANSIENT));
  }
  void bind(int at, std::span<const std::byte> value) {
    check(sqlite3_bind_blob(statement_, at, value.data(), static_cast<int>(value.size()),
                            SQLITE_TRANSIENT));
  }
  static void check(int code) {
    PERIGEE_ASSERT(code == SQLITE_OK, "binding a value failed: more values than parameters?");
  }
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace perigee::session
