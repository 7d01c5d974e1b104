// SQLite: a file, one writer at a time.
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sql_store.hpp"

namespace perigee::world_store {
namespace {

/// Waits this long for another transaction; one step of a part takes a fraction of it.
constexpr int busy_ms_max = 2'000;
/// Retries every millisecond. SQLite's own busy handler retries ever more rarely, and starves
/// beside a process that writes all the time.
int wait_for_others(void*, int waited_ms) {
  usleep(1'000);
  return waited_ms < busy_ms_max ? 1 : 0;
}

/// journal_size_limit truncates the write-ahead log's file after a large part.
constexpr const char* settings[] = {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
                                    "PRAGMA journal_size_limit = 67108864"};

constexpr Dialect dialect{.number = "INTEGER",
                          .bytes = "BLOB",
                          .options = " WITHOUT ROWID",
                          .lock_shared = "",
                          .lock = ""};

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};

void bind(sqlite3_stmt* statement, const Values& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int at = static_cast<int>(i) + 1;
    int code = SQLITE_OK;
    if (const auto* number = std::get_if<std::int64_t>(&values[i])) {
      code = sqlite3_bind_int64(statement, at, *number);
    } else {
      const auto bytes = std::get<std::span<const std::byte>>(values[i]);
      const void* data = bytes.empty() ? "" : static_cast<const void*>(bytes.data());
      code = sqlite3_bind_blob64(statement, at, data, bytes.size(), SQLITE_STATIC);
    }
    PERIGEE_ASSERT(code == SQLITE_OK, "binding a value failed: more values than parameters?");
  }
}

std::vector<Answer::Cell> read_row(sqlite3_stmt* statement) {
  std::vector<Answer::Cell> cells;
  for (int column = 0; column < sqlite3_column_count(statement); ++column) {
    if (sqlite3_column_type(statement, column) == SQLITE_INTEGER) {
      cells.emplace_back(std::int64_t{sqlite3_column_int64(statement, column)});
    } else {
      const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      cells.emplace_back(size == 0 ? Bytes() : Bytes(data, data + size));
    }
  }
  return cells;
}

class SqliteDatabase final : public Database {
 public:
  Result<Ok> open(const std::filesystem::path& path);

  Result<Ok> begin(Intent intent) override {
    return execute(intent == Intent::Write ? "BEGIN IMMEDIATE" : "BEGIN");
  }
  Result<Ok> commit() override { return execute("COMMIT"); }
  // A full disk rolls back by itself; a transaction left open would block all later ones.
  void rollback() override {
    if (sqlite3_get_autocommit(db_.get()) == 0) {
      sqlite3_exec(db_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
  }
  Result<std::vector<Answer>> run_each(Sql sql, std::span<const Values> calls) override;
  bool worth_repeating() const override { return false; }  // it has waited already

 private:
  Result<Ok> execute(const char* sql);
  Result<Ok> set(const char* setting);
  Result<std::int64_t> number_of(const char* sql);
  Result<Ok> make_schema();
  Error error(int code);

  std::string name_;
  // Declared before the statements: it is closed after they are finalized.
  std::unique_ptr<sqlite3, Close> db_;
  std::array<Statement, enum_count<Sql>> statements_;
};

Error SqliteDatabase::error(int code) {
  const char* what = sqlite3_errmsg(db_.get());
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return fault(StoreFault::Locked, name_, what,
                   "another program has it open for writing: stop that program");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return fault(StoreFault::Other, name_, what,
                   "restore a backup, or move it away to begin a new world");
    case SQLITE_IOERR:  // quotas and file size limits appear as this error
      if (sqlite3_extended_errcode(db_.get()) != SQLITE_IOERR_WRITE) break;
      [[fallthrough]];
    case SQLITE_FULL:
      return fault(StoreFault::DiskFull, name_, what,
                   "make room on that disk; then the store recovers by itself");
    default:
      break;
  }
  return fault(StoreFault::Other, name_, what,
               "check owner, mode and health of the file, its folder and its disk");
}

Result<Ok> SqliteDatabase::execute(const char* sql) {
  const int code = sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error(code);
  return Ok{};
}

/// If several processes create a file at once, SQLite refuses all but one without waiting.
Result<Ok> SqliteDatabase::set(const char* setting) {
  for (int waited_ms = 0;; ++waited_ms) {
    const int code = sqlite3_exec(db_.get(), setting, nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return Ok{};
    if (code != SQLITE_BUSY || wait_for_others(nullptr, waited_ms) == 0) return error(code);
  }
}

Result<std::int64_t> SqliteDatabase::number_of(const char* sql) {
  sqlite3_stmt* raw = nullptr;
  if (const int code = sqlite3_prepare_v2(db_.get(), sql, -1, &raw, nullptr); code != SQLITE_OK) {
    return error(code);
  }
  const Statement statement(raw);
  const int code = sqlite3_step(raw);
  if (code != SQLITE_ROW) return error(code);
  return std::int64_t{sqlite3_column_int64(raw, 0)};
}

Result<Ok> SqliteDatabase::make_schema() {
  const auto tables = number_of("SELECT count(*) FROM sqlite_schema");
  if (!tables) return tables.error();
  const std::string later = later_tables(dialect);
  if (*tables == 0) return execute((schema(dialect) + later).c_str());
  const auto ours = number_of("SELECT count(*) FROM sqlite_schema WHERE name = 'world'");
  if (!ours) return ours.error();
  if (*ours == 0) {
    return sentence(name_, "is another program's database", "use a separate file for this world");
  }
  const auto version = number_of("SELECT version FROM world");
  if (!version) return version.error();
  if (const auto same = check_version(name_, *version); !same) return same;
  return execute(later.c_str());
}

Result<Ok> SqliteDatabase::open(const std::filesystem::path& path) {
  name_ = path.string();
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  sqlite3* db = nullptr;
  const int opened = sqlite3_open_v2(name_.c_str(), &db, flags, nullptr);
  db_.reset(db);
  if (opened != SQLITE_OK) return error(opened);
  std::error_code ignored;  // another owner's file: opening it would have failed already
  std::filesystem::permissions(
      path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, ignored);
  sqlite3_busy_handler(db, wait_for_others, nullptr);
  for (const char* setting : settings) {
    if (const auto done = set(setting); !done) return done;
  }
  if (const auto begun = begin(Intent::Write); !begun) return begun;
  auto made = make_schema();
  if (made) made = commit();
  if (!made) {
    rollback();
    return made;
  }
  for (std::size_t i = 0; i < statements_.size(); ++i) {
    std::string sql = text_of(static_cast<Sql>(i), dialect);
    std::replace(sql.begin(), sql.end(), '$', '?');  // SQLite's syntax for numbered parameters
    sqlite3_stmt* statement = nullptr;
    if (const int code =
            sqlite3_prepare_v3(db, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
        code != SQLITE_OK) {
      return error(code);
    }
    statements_[i].reset(statement);
  }
  return Ok{};
}

Result<std::vector<Answer>> SqliteDatabase::run_each(Sql sql, std::span<const Values> calls) {
  sqlite3_stmt* statement = statements_[static_cast<std::size_t>(sql)].get();
  std::vector<Answer> answers;
  answers.reserve(calls.size());
  for (const Values& values : calls) {
    bind(statement, values);
    Answer& answer = answers.emplace_back();
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
      answer.rows.push_back(read_row(statement));
    }
    if (code != SQLITE_DONE) {
      Error failure = error(code);
      sqlite3_reset(statement);
      return failure;
    }
    answer.changed = static_cast<std::uint64_t>(sqlite3_changes(db_.get()));
    sqlite3_reset(statement);
  }
  return answers;
}

}  // namespace

Result<std::unique_ptr<Store>> open(const std::string& where) {
  constexpr std::string_view sqlite = "sqlite:";
  constexpr std::string_view postgres = "postgres:";
  if (where.starts_with(sqlite)) return open_sqlite(where.substr(sqlite.size()));
  if (where.starts_with(postgres)) return open_postgres(where.substr(postgres.size()));
  return Error{"'" + where + "' is neither sqlite:PATH nor postgres:CONNECTION"};
}

Result<std::unique_ptr<Store>> open_sqlite(const std::filesystem::path& path) {
  auto database = std::make_unique<SqliteDatabase>();
  if (const auto opened = database->open(path); !opened) return opened.error();
  return std::unique_ptr<Store>(std::make_unique<SqlStore>(std::move(database)));
}

}  // namespace perigee::world_store
