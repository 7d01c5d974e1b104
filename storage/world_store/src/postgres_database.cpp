// PostgreSQL: a server for many workers. Statements are prepared once per connection; statements
// with many sets of values are sent in one pipeline.
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "postgres_faults.hpp"
#include "postgres_link.hpp"
#include "sql_store.hpp"

namespace perigee::world_store {
namespace {

constexpr Dialect dialect{.number = "BIGINT",
                          .bytes = "BYTEA",
                          .options = "",
                          .lock_shared = " FOR SHARE",
                          .lock = " FOR UPDATE"};

/// A worker that stalls within a transaction loses the transaction and its locks. Commits are on
/// disk, even if the server's default says otherwise.
std::string session_settings(const PostgresTimeouts& timeouts) {
  return "SET lock_timeout = " + std::to_string(timeouts.lock_ms) +
         "; SET statement_timeout = " + std::to_string(timeouts.statement_ms) +
         "; SET idle_in_transaction_session_timeout = " +
         std::to_string(timeouts.idle_transaction_ms) +
         "; SELECT set_config('synchronous_commit', 'on', false) "
         "WHERE current_setting('synchronous_commit') = 'off'";
}

constexpr Oid type_int8 = 20;

/// Values in libpq's format: pointers, lengths, and numbers in network order.
class Parameters {
 public:
  explicit Parameters(const Values& values) : numbers_(values.size()), formats_(values.size(), 1) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (const auto* number = std::get_if<std::int64_t>(&values[i])) {
        numbers_[i] = __builtin_bswap64(std::bit_cast<std::uint64_t>(*number));
        add(&numbers_[i], sizeof(std::uint64_t));
      } else {
        const auto bytes = std::get<std::span<const std::byte>>(values[i]);
        add(bytes.empty() ? static_cast<const void*>("") : bytes.data(), bytes.size());
      }
    }
  }
  bool send(PGconn* connection, const std::string& statement) const {
    return PQsendQueryPrepared(connection, statement.c_str(), static_cast<int>(pointers_.size()),
                               pointers_.data(), lengths_.data(), formats_.data(), 1) == 1;
  }

 private:
  void add(const void* data, std::size_t size) {
    pointers_.push_back(static_cast<const char*>(data));
    lengths_.push_back(static_cast<int>(size));
  }
  std::vector<std::uint64_t> numbers_;
  std::vector<int> formats_, lengths_;
  std::vector<const char*> pointers_;
};

Answer::Cell read_cell(const PGresult* result, int row, int column) {
  const auto* data = reinterpret_cast<const std::byte*>(PQgetvalue(result, row, column));
  if (PQftype(result, column) == type_int8) {
    std::uint64_t number = 0;
    std::memcpy(&number, data, sizeof number);
    return std::bit_cast<std::int64_t>(__builtin_bswap64(number));
  }
  const auto size = static_cast<std::size_t>(PQgetlength(result, row, column));
  return Bytes(data, data + size);
}

Answer read_answer(PGresult* result) {
  Answer answer;
  for (int row = 0; row < PQntuples(result); ++row) {
    auto& cells = answer.rows.emplace_back();
    for (int column = 0; column < PQnfields(result); ++column) {
      cells.push_back(read_cell(result, row, column));
    }
  }
  answer.changed = std::strtoull(PQcmdTuples(result), nullptr, 10);
  return answer;
}

std::string statement_name(std::size_t sql) { return "s" + std::to_string(sql); }

class PostgresDatabase final : public Database {
 public:
  PostgresDatabase(std::string connection, const PostgresTimeouts& timeouts)
      : connection_(std::move(connection)), timeouts_(timeouts), link_(timeouts) {}

  Result<Ok> connect();
  Result<Ok> begin(Intent intent) override;
  Result<Ok> commit() override { return execute("COMMIT"); }
  void rollback() override {
    if (link_.open() && PQtransactionStatus(link_.get()) != PQTRANS_IDLE &&
        !link_.execute("ROLLBACK")) {
      link_.close();
    }
  }
  Result<std::vector<Answer>> run_each(Sql sql, std::span<const Values> calls) override;
  bool worth_repeating() const override { return code_ == "40P01" || code_ == "40001"; }

 private:
  Result<Ok> execute(const char* sql);
  Result<std::int64_t> number_of(const char* sql);
  Result<Ok> make_schema();
  Result<Ok> prepare();
  /// Reads the results of a pipeline of `count` statements; returns the first failure.
  template <class Use>
  Result<Ok> read_pipeline(std::size_t count, Use use);
  Error error(const PGresult* result);
  Error lost();

  std::string connection_;
  std::string name_ = "in PostgreSQL";
  PostgresTimeouts timeouts_;
  PostgresLink link_;
  std::string code_;  ///< SQLSTATE of the last failure
};

Error PostgresDatabase::error(const PGresult* result) {
  const auto field = [&](int which) {
    const char* text = PQresultErrorField(result, which);
    return text == nullptr ? std::string() : std::string(text);
  };
  code_ = field(PG_DIAG_SQLSTATE);
  for (const PostgresFault& row : postgres_faults) {
    if (code_.starts_with(row.code)) {
      return fault(row.kind, name_, field(PG_DIAG_MESSAGE_PRIMARY), row.remedy);
    }
  }
  return fault(StoreFault::Other, name_, field(PG_DIAG_MESSAGE_PRIMARY) + " (" + code_ + ")",
               "see the server's log for details");
}

// libpq gives the reason of a refused connection only as text; the code in it is between "FATAL: "
// and ": ".
Error PostgresDatabase::lost() {
  code_.clear();
  for (const PostgresFault& row : postgres_faults) {
    const auto at = link_.error().find(":  " + std::string(row.code));
    if (at == std::string::npos) continue;
    const auto text = link_.error().find(": ", at + 3);
    if (text != at + 3 + 5) continue;
    return fault(row.kind, name_, link_.error().substr(text + 2), row.remedy);
  }
  const bool no_password = link_.error().find("no password supplied") != std::string::npos;
  return fault(no_password ? StoreFault::Other : StoreFault::Unreachable, name_, link_.error(),
               no_password ? "set one in the connection string, PGPASSWORD or ~/.pgpass"
                           : unreachable_remedy);
}

Result<Ok> PostgresDatabase::execute(const char* sql) {
  const auto answer = link_.execute(sql);
  if (!answer) return lost();
  if (PQresultStatus(answer->get()) == PGRES_FATAL_ERROR) return error(answer->get());
  return Ok{};
}

Result<std::int64_t> PostgresDatabase::number_of(const char* sql) {
  const auto answer = link_.execute(sql);
  if (!answer) return lost();
  if (PQresultStatus(answer->get()) != PGRES_TUPLES_OK) return error(answer->get());
  return std::int64_t{std::strtoll(PQgetvalue(answer->get(), 0, 0), nullptr, 10)};
}

Result<Ok> PostgresDatabase::make_schema() {
  // Queried as rows of a table: lookups by name use a cache that may miss a table which another
  // worker has just created. The one that was added last is there: so are the others.
  constexpr const char* exists =
      "SELECT count(*) FROM pg_catalog.pg_tables "
      "WHERE tablename = 'world' AND schemaname = current_schema()";
  constexpr const char* complete =
      "SELECT count(*) FROM pg_catalog.pg_tables "
      "WHERE tablename = 'profiles' AND schemaname = current_schema()";
  const auto before = number_of(exists);
  if (!before) return before.error();
  // Only one of many workers creates the tables. EXTERNAL because pieces are compressed already, if
  // at all.
  if (*before == 0) {
    if (const auto begun = execute("BEGIN; SELECT pg_advisory_xact_lock(7237104)"); !begun)
      return begun;
    const auto now = number_of(exists);
    if (!now) return now.error();
    const std::string make =
        schema(dialect) + "ALTER TABLE pieces ALTER content SET STORAGE EXTERNAL;";
    if (*now == 0) {
      if (const auto made = execute(make.c_str()); !made) return made;
    }
    if (const auto done = commit(); !done) return done;
  }
  const auto version = number_of("SELECT version FROM world");
  if (!version) return version.error();
  if (const auto same = check_version(name_, *version); !same) return same;
  const auto whole = number_of(complete);
  if (!whole) return whole.error();
  if (*whole != 0) return Ok{};
  const std::string add = "BEGIN; SELECT pg_advisory_xact_lock(7237104);" + later_tables(dialect);
  if (const auto added = execute(add.c_str()); !added) return added;
  return commit();
}

Result<Ok> PostgresDatabase::connect() {
  if (!link_.connect(connection_)) return lost();
  name_ = "in PostgreSQL, " + std::string(PQhost(link_.get())) + "/" + PQdb(link_.get());
  auto ready = execute(session_settings(timeouts_).c_str());
  if (ready) ready = make_schema();
  if (ready) ready = prepare();
  if (!ready) link_.close();
  return ready;
}

Result<Ok> PostgresDatabase::prepare() {
  PQenterPipelineMode(link_.get());
  for (std::size_t i = 0; i < enum_count<Sql>; ++i) {
    const std::string sql = text_of(static_cast<Sql>(i), dialect);
    PQsendPrepare(link_.get(), statement_name(i).c_str(), sql.c_str(), 0, nullptr);
  }
  return read_pipeline(enum_count<Sql>, [](PGresult*) {});
}

Result<Ok> PostgresDatabase::begin(Intent intent) {
  const char* sql = intent == Intent::Write ? "BEGIN ISOLATION LEVEL READ COMMITTED"
                                            : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
  if (link_.open()) {
    const auto answer = link_.execute(sql);
    if (answer && PQresultStatus(answer->get()) == PGRES_COMMAND_OK) return Ok{};
    if (answer) return error(answer->get());
    if (link_.silent()) return lost();  // otherwise the server has restarted: nothing is lost
  }
  if (const auto connected = connect(); !connected) return connected;
  return execute(sql);
}

template <class Use>
Result<Ok> PostgresDatabase::read_pipeline(std::size_t count, Use use) {
  PQpipelineSync(link_.get());
  Result<Ok> outcome = Ok{};
  for (std::size_t i = 0; i < count; ++i) {
    const auto answer = link_.next();
    if (!answer) return lost();
    const auto status = PQresultStatus(answer->get());
    if (status == PGRES_FATAL_ERROR && outcome) outcome = error(answer->get());
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) use(answer->get());
    if (!link_.next()) return lost();  // the null that ends each statement's result
  }
  if (!link_.next()) return lost();  // the sync's result
  PQexitPipelineMode(link_.get());
  return outcome;
}

Result<std::vector<Answer>> PostgresDatabase::run_each(Sql sql, std::span<const Values> calls) {
  std::vector<Answer> answers;
  if (calls.empty()) return answers;
  if (!link_.open()) return lost();
  answers.reserve(calls.size());
  const std::string name = statement_name(static_cast<std::size_t>(sql));
  PQenterPipelineMode(link_.get());
  for (const Values& values : calls) {
    if (!Parameters(values).send(link_.get(), name)) {
      link_.close();
      return lost();
    }
  }
  const auto read = read_pipeline(
      calls.size(), [&](PGresult* result) { answers.push_back(read_answer(result)); });
  if (!read) return read.error();
  return answers;
}

}  // namespace

Result<std::unique_ptr<Store>> open_postgres(const std::string& connection,
                                             const PostgresTimeouts& timeouts) {
  auto database = std::make_unique<PostgresDatabase>(connection, timeouts);
  if (const auto connected = database->connect(); !connected) return connected.error();
  return std::unique_ptr<Store>(std::make_unique<SqlStore>(std::move(database)));
}

}  // namespace perigee::world_store
