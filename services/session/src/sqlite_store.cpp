#include "perigee/session/sqlite_store.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "sqlite.hpp"

namespace perigee::session {
namespace {

constexpr std::uint64_t schema_version = 1;
constexpr const char* schema = R"(
  CREATE TABLE sessions (
    client_id INTEGER PRIMARY KEY, player_name TEXT NOT NULL, state INTEGER NOT NULL,
    gateway TEXT NOT NULL, region INTEGER NOT NULL, schema_hash INTEGER NOT NULL,
    logged_in_s INTEGER NOT NULL, seen_s INTEGER NOT NULL, holder INTEGER NOT NULL,
    granted_issue INTEGER NOT NULL) STRICT;
  CREATE INDEX sessions_by_log_in ON sessions (logged_in_s, client_id);
  CREATE INDEX sessions_by_name ON sessions (player_name);
  CREATE INDEX sessions_by_state ON sessions (state, seen_s);
  CREATE TABLE claims (
    tag BLOB PRIMARY KEY, gateway_instance INTEGER NOT NULL, handshake INTEGER NOT NULL,
    expires_s INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX claims_by_expiry ON claims (expires_s);
  PRAGMA user_version = 1;)";

constexpr const char* columns =
    "client_id, player_name, state, gateway, region, schema_hash, logged_in_s, seen_s, holder, "
    "granted_issue, wire_version, player_id, player_claims";
/// Older stores lack these columns; all clients of stores without the first one used version 1.
/// Programs that do not know them can still use the store, so the format version is unchanged and a
/// downgrade works. The order of the columns is that of these rows.
struct LaterColumn {
  const char* name;
  const char* type;
};
constexpr std::array later_columns{LaterColumn{"wire_version", "INTEGER NOT NULL DEFAULT 1"},
                                   LaterColumn{"player_id", "INTEGER NOT NULL DEFAULT 0"},
                                   LaterColumn{"player_claims", "TEXT NOT NULL DEFAULT ''"}};
constexpr const char* later_tables = R"(
  CREATE INDEX IF NOT EXISTS sessions_by_player ON sessions (player_id);
  CREATE TABLE IF NOT EXISTS bans (
    player_id INTEGER NOT NULL, player_name TEXT NOT NULL, made_s INTEGER NOT NULL,
    until_s INTEGER NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (player_id, player_name)) STRICT, WITHOUT ROWID;)";

enum class Sql : std::uint8_t {
  Add,
  Find,
  Update,
  FindClaim,
  AddClaim,
  List,
  OfPlayer,
  Ban,
  Unban,
  FindBan,
  Bans,
  ForgetBans,
  Kicked,
  Forget,
  ForgetClaims,
  Remove,
  Totals,
  Begin,
  Commit,
  Rollback,
  BeginPart,
  EndPart,
  RollbackPart,
  last = RollbackPart
};

std::string text_of(Sql sql) {
  const std::string all = columns;
  switch (sql) {
    case Sql::Add:
      return "INSERT OR IGNORE INTO sessions (" + all + ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)";
    case Sql::Find:
      return "SELECT " + all + " FROM sessions WHERE client_id = ?";
    case Sql::Update:
      return "UPDATE sessions SET state = ?, gateway = ?, region = ?, seen_s = ?, holder = ?, "
             "granted_issue = ? WHERE client_id = ?";
    case Sql::FindClaim:
      return "SELECT gateway_instance, handshake FROM claims WHERE tag = ?";
    case Sql::AddClaim:
      return "INSERT INTO claims (tag, gateway_instance, handshake, expires_s) VALUES (?,?,?,?)";
    case Sql::List:
      return "SELECT " + all +
             " FROM sessions WHERE (logged_in_s, client_id) < (?1, ?2) AND (?3 = '' OR "
             "player_name = ?3) AND state <= ?4 ORDER BY logged_in_s DESC, client_id DESC LIMIT ?5";
    case Sql::OfPlayer:
      return "SELECT " + all +
             " FROM sessions WHERE player_id = ? AND (state <= ? OR state = ?) "
             "LIMIT 100";
    case Sql::Ban:
      return "INSERT OR REPLACE INTO bans (player_id, player_name, made_s, until_s, reason) VALUES "
             "(?,?,?,?,?)";
    case Sql::Unban:
      return "DELETE FROM bans WHERE player_id = ? AND player_name = ?";
    case Sql::FindBan:
      return "SELECT player_id, player_name, made_s, until_s, reason FROM bans WHERE "
             "((player_id = ?1 AND player_name = '') OR (player_id = 0 AND player_name = ?2)) AND "
             "(until_s = 0 OR until_s > ?3) ORDER BY until_s = 0 DESC, until_s DESC LIMIT 1";
    case Sql::Bans:
      return "SELECT player_id, player_name, made_s, until_s, reason FROM bans WHERE (?1 = 0 OR "
             "(player_id, player_name) > (?2, ?3)) AND (until_s = 0 OR until_s > ?4) ORDER BY "
             "player_id, player_name LIMIT ?5";
    case Sql::ForgetBans:
      return "DELETE FROM bans WHERE (player_id, player_name) IN (SELECT player_id, player_name "
             "FROM bans WHERE until_s != 0 AND until_s < ? LIMIT ?)";
    case Sql::Kicked:
      return "SELECT client_id FROM sessions WHERE state = ? AND seen_s >= ? LIMIT 4096";
    case Sql::Forget:
      return "DELETE FROM sessions WHERE client_id IN (SELECT client_id FROM sessions WHERE "
             "state = ? AND seen_s < ? LIMIT ?)";
    case Sql::ForgetClaims:
      return "DELETE FROM claims WHERE tag IN (SELECT tag FROM claims WHERE expires_s < ? LIMIT ?)";
    case Sql::Totals:
      return "SELECT state, count(*) FROM sessions GROUP BY state";
    case Sql::Remove:
      return "DELETE FROM sessions WHERE client_id = ?";
    case Sql::Begin:
      return "BEGIN IMMEDIATE";
    case Sql::Commit:
      return "COMMIT";
    case Sql::Rollback:
      return "ROLLBACK";
    case Sql::BeginPart:
      return "SAVEPOINT part";
    case Sql::EndPart:
      return "RELEASE part";
    case Sql::RollbackPart:
      return "ROLLBACK TO part";
  }
  return {};
}

Session read_session(const Statement& row) {
  Session session{.client_id = row.number(0),
                  .player_name = row.text(1),
                  .state = static_cast<SessionState>(
                      std::min<std::uint64_t>(row.number(2), enum_count<SessionState> - 1)),
                  .region = RegionId{static_cast<std::uint32_t>(row.number(4))},
                  .schema_hash = row.number(5),
                  .logged_in_s = row.number(6),
                  .seen_s = row.number(7),
                  .holder = row.number(8),
                  .granted_issue = row.number(9),
                  .wire_version = static_cast<std::uint32_t>(row.number(10)),
                  .player_id = row.number(11),
                  .claims = row.text(12)};
  if (const auto address = parse_address(row.text(3))) session.gateway = *address;
  return session;
}

Ban read_ban(const Statement& row) {
  return {.whom = {row.number(0), row.text(1)},
          .made_s = row.number(2),
          .until_s = row.number(3),
          .reason = row.text(4)};
}

std::uint64_t as_number(SessionState state) { return static_cast<std::uint64_t>(state); }

/// Only a damaged file is worth replacing: its sessions end with it.
const char* remedy_of(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return "; make room on that disk";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "; another program has it open for writing: stop that program";
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return "; restore a backup, or move the file away: all sessions end then, and players log in "
             "again";
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "; let this process write the file and its folder, or set another --state-dir";
    default:
      return "";
  }
}

StoreFault fault_of(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return StoreFault::DiskFull;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return StoreFault::Locked;
    default:
      return StoreFault::Other;
  }
}

}  // namespace

struct SqliteStore::Impl {
  static constexpr std::array undo{Sql::Rollback};
  static constexpr std::array undo_part{Sql::RollbackPart, Sql::EndPart};
  struct Close {
    void operator()(sqlite3* open) const { sqlite3_close(open); }
  };
  // Declared before the statements: it is closed after they are finalized.
  std::unique_ptr<sqlite3, Close> owner;
  sqlite3* db = nullptr;
  std::string name;
  std::array<Statement, enum_count<Sql>> statements;
  Counts<StoreFault> faults;

  Statement& operator[](Sql sql) { return statements[static_cast<std::size_t>(sql)]; }
  Error error(int code) {
    faults.add(fault_of(code));
    return Error{"the session store " + name + ": " + sqlite3_errmsg(db) + remedy_of(code)};
  }
  /// Runs a statement that returns no rows; returns how many rows it changed.
  Result<std::uint32_t> run(Statement& statement) {
    const int code = statement.step();
    const auto changed = static_cast<std::uint32_t>(sqlite3_changes(db));
    if (code != SQLITE_DONE) {
      const Error failure = error(code);
      statement.reset();
      return failure;
    }
    statement.reset();
    return changed;
  }
  template <class Row, class Read>
  Result<std::vector<Row>> rows(Statement& statement, Read read) {
    std::vector<Row> out;
    int code = SQLITE_ROW;
    while ((code = statement.step()) == SQLITE_ROW) out.push_back(read(statement));
    if (code != SQLITE_DONE) {
      const Error failure = error(code);
      statement.reset();
      return failure;
    }
    statement.reset();
    return out;
  }
  bool in_transaction() const { return sqlite3_get_autocommit(db) == 0; }
  /// Runs `change` in one transaction, or as a part of that of together(); on failure nothing of it
  /// remains.
  template <class Value, class Change>
  Result<Value> atomically(Change change) {
    const bool part = in_transaction();
    if (const auto begun = run((*this)[part ? Sql::BeginPart : Sql::Begin].with()); !begun)
      return begun.error();
    Result<Value> value = change();
    if (value) {
      const auto done = run((*this)[part ? Sql::EndPart : Sql::Commit].with());
      if (done) return value;
      value = done.error();
    }
    // A full disk rolls back by itself; a transaction left open would block all later ones.
    if (in_transaction()) roll_back(part);
    return value;
  }
  void roll_back(bool part) {
    for (const Sql sql : part ? std::span<const Sql>(undo_part) : std::span<const Sql>(undo)) {
      (*this)[sql].with().step();
      (*this)[sql].reset();
    }
  }
  Result<Ok> open(const std::filesystem::path& path);
  Result<Ok> make_schema();
  Result<Ok> execute(const std::string& sql);
  Result<Ok> add_later_parts();
  Result<std::uint64_t> pragma(const char* sql);
};

Result<std::uint64_t> SqliteStore::Impl::pragma(const char* sql) {
  Statement statement;
  if (const int code = statement.prepare(db, sql); code != SQLITE_OK) return error(code);
  const int code = statement.step();
  if (code != SQLITE_ROW && code != SQLITE_DONE) return error(code);
  return code == SQLITE_ROW ? statement.number(0) : 0;
}

Result<Ok> SqliteStore::Impl::execute(const std::string& sql) {
  const int code = sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error(code);
  return Ok{};
}

Result<Ok> SqliteStore::Impl::add_later_parts() {
  for (const LaterColumn& column : later_columns) {
    const std::string own = column.name;
    const auto there = pragma(
        ("SELECT count(*) FROM pragma_table_info('sessions') WHERE name = '" + own + "'").c_str());
    if (!there) return there.error();
    if (*there != 0) continue;
    const auto added =
        execute("ALTER TABLE sessions ADD COLUMN " + own + " " + std::string(column.type));
    if (!added) return added.error();
  }
  return execute(later_tables);
}

Result<Ok> SqliteStore::Impl::make_schema() {
  const auto version = pragma("PRAGMA user_version");
  if (!version) return version.error();
  if (*version == schema_version) return add_later_parts();
  if (*version != 0) {
    return Error{"the session store " + name + " has format " + std::to_string(*version) +
                 ", this program reads " + std::to_string(schema_version) +
                 ": start the version that made it, or move the file away (all sessions end)"};
  }
  const auto made = execute("BEGIN IMMEDIATE;" + std::string(schema) + "COMMIT;");
  return made ? add_later_parts() : made;
}

Result<Ok> SqliteStore::Impl::open(const std::filesystem::path& path) {
  name = path.string();
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int opened = sqlite3_open_v2(name.c_str(), &db, flags, nullptr);
  owner.reset(db);
  if (opened != SQLITE_OK) return error(opened);
  if (name != ":memory:") {
    std::error_code ignored;  // another owner's file: opening it would have failed already
    std::filesystem::permissions(
        path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, ignored);
  }
  sqlite3_busy_timeout(db, busy_ms_max);
  for (const char* sql : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"}) {
    if (const auto set = pragma(sql); !set) return set.error();
  }
  if (const auto made = make_schema(); !made) return made.error();
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const std::string sql = text_of(static_cast<Sql>(i));
    if (const int code = statements[i].prepare(db, sql.c_str()); code != SQLITE_OK) {
      return error(code);
    }
  }
  return Ok{};
}

SqliteStore::SqliteStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SqliteStore::~SqliteStore() = default;

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const std::filesystem::path& path) {
  auto impl = std::make_unique<Impl>();
  if (const auto opened = impl->open(path); !opened) return opened.error();
  return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(impl)));
}

Result<Ok> SqliteStore::together(std::span<const std::function<void()>> changes) {
  return impl_->atomically<Ok>([&]() -> Result<Ok> {
    for (const auto& change : changes) {
      change();
      if (!impl_->in_transaction()) {  // a full disk has rolled all changes back
        return Error{"the session store " + impl_->name +
                     ": there was no room for a change of the group"};
      }
    }
    return Ok{};
  });
}

Result<bool> SqliteStore::add(const Session& s) {
  const auto added = impl_->run((*impl_)[Sql::Add].with(
      s.client_id, std::string_view(s.player_name), as_number(s.state), to_string(s.gateway),
      std::uint64_t{s.region.number}, s.schema_hash, s.logged_in_s, s.seen_s, s.holder,
      s.granted_issue, std::uint64_t{s.wire_version}, s.player_id, std::string_view(s.claims)));
  if (!added) return added.error();
  return *added == 1;
}

Result<std::optional<Session>> SqliteStore::find(std::uint64_t client_id) {
  const auto found = impl_->rows<Session>((*impl_)[Sql::Find].with(client_id), read_session);
  if (!found) return found.error();
  return found->empty() ? std::nullopt : std::optional(found->front());
}

Result<bool> SqliteStore::update(const Session& s) {
  const auto updated = impl_->run((*impl_)[Sql::Update].with(
      as_number(s.state), to_string(s.gateway), std::uint64_t{s.region.number}, s.seen_s, s.holder,
      s.granted_issue, s.client_id));
  if (!updated) return updated.error();
  return *updated == 1;
}

Result<ClaimOutcome> SqliteStore::claim(const Claim& claim, std::uint64_t now_s) {
  return impl_->atomically<ClaimOutcome>([&]() -> Result<ClaimOutcome> {
    const auto session = find(claim.client_id);
    if (!session) return session.error();
    if (!*session) return ClaimOutcome::Unknown;
    if (is_over((*session)->state)) return ClaimOutcome::Over;
    using Holder = std::pair<std::uint64_t, std::uint64_t>;
    const auto before = impl_->rows<Holder>(
        (*impl_)[Sql::FindClaim].with(std::span<const std::byte>(claim.tag)),
        [](const Statement& row) { return Holder{row.number(0), row.number(1)}; });
    if (!before) return before.error();
    if (!before->empty()) {
      const bool same = before->front() == Holder{claim.gateway_instance, claim.handshake};
      return same ? ClaimOutcome::Granted : ClaimOutcome::Used;
    }
    if (claim.issue < (*session)->granted_issue) return ClaimOutcome::Older;
    const auto added = impl_->run(
        (*impl_)[Sql::AddClaim].with(std::span<const std::byte>(claim.tag), claim.gateway_instance,
                                     claim.handshake, claim.expires_s));
    if (!added) return added.error();
    Session then = **session;
    then.state = SessionState::Playing;
    then.seen_s = now_s;
    then.holder = claim.gateway_instance;
    then.gateway = claim.gateway;
    then.granted_issue = claim.issue;
    const auto updated = update(then);
    if (!updated) return updated.error();
    return ClaimOutcome::Granted;
  });
}

Result<std::vector<Session>> SqliteStore::list(const ListQuery& query) {
  constexpr auto never = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto from = query.before.value_or(ListQuery::Cursor{never, never});
  const SessionState most = query.over_too ? SessionState::last : SessionState::Lost;
  return impl_->rows<Session>(
      (*impl_)[Sql::List].with(from.logged_in_s, from.client_id, query.player_name, as_number(most),
                               std::uint64_t{query.rows_max}),
      read_session);
}

Result<std::vector<Session>> SqliteStore::of_player(std::uint64_t player_id) {
  return impl_->rows<Session>((*impl_)[Sql::OfPlayer].with(player_id, as_number(SessionState::Lost),
                                                           as_number(SessionState::Ended)),
                              read_session);
}

Result<Ok> SqliteStore::ban(const Ban& ban) {
  const auto kept =
      impl_->run((*impl_)[Sql::Ban].with(ban.whom.player_id, std::string_view(ban.whom.player_name),
                                         ban.made_s, ban.until_s, std::string_view(ban.reason)));
  if (!kept) return kept.error();
  return Ok{};
}

Result<bool> SqliteStore::unban(const BanName& whom) {
  const auto gone =
      impl_->run((*impl_)[Sql::Unban].with(whom.player_id, std::string_view(whom.player_name)));
  if (!gone) return gone.error();
  return *gone == 1;
}

Result<std::optional<Ban>> SqliteStore::find_ban(std::uint64_t player_id,
                                                 std::string_view player_name,
                                                 std::uint64_t unix_s) {
  const auto found =
      impl_->rows<Ban>((*impl_)[Sql::FindBan].with(player_id, player_name, unix_s), read_ban);
  if (!found) return found.error();
  return found->empty() ? std::nullopt : std::optional(found->front());
}

Result<std::vector<Ban>> SqliteStore::bans(const std::optional<BanName>& after,
                                           std::uint64_t unix_s, std::uint32_t rows_max) {
  const BanName from = after.value_or(BanName{});
  return impl_->rows<Ban>(
      (*impl_)[Sql::Bans].with(std::uint64_t{after ? 1U : 0U}, from.player_id,
                               std::string_view(from.player_name), unix_s, std::uint64_t{rows_max}),
      read_ban);
}

Result<std::vector<std::uint64_t>> SqliteStore::kicked_since(std::uint64_t unix_s) {
  return impl_->rows<std::uint64_t>(
      (*impl_)[Sql::Kicked].with(as_number(SessionState::Kicked), unix_s),
      [](const Statement& row) { return row.number(0); });
}

Result<std::uint32_t> SqliteStore::forget(const StoreTime& now, const Retention& retention) {
  return impl_->atomically<std::uint32_t>([&]() -> Result<std::uint32_t> {
    const std::uint64_t rows = retention.rows_max;
    auto gone =
        impl_->run((*impl_)[Sql::ForgetClaims].with(now.expiry_s - retention.clock_skew_s, rows));
    const auto bans = impl_->run((*impl_)[Sql::ForgetBans].with(now.expiry_s, rows));
    if (!bans) return bans.error();
    if (gone) gone = *gone + *bans;
    for (std::size_t i = 0; gone && i < enum_count<SessionState>; ++i) {
      const auto state = static_cast<SessionState>(i);
      std::uint64_t kept_s = retention.silent_s;
      if (state == SessionState::Waiting) kept_s = retention.waiting_s;
      if (is_over(state)) kept_s = retention.over_s;
      const auto more =
          impl_->run((*impl_)[Sql::Forget].with(as_number(state), now.seen_s - kept_s, rows));
      if (!more) return more.error();
      gone = *gone + *more;
    }
    return gone;
  });
}

Result<Counts<SessionState>> SqliteStore::totals() {
  using Total = std::pair<std::uint64_t, std::uint64_t>;
  const auto rows = impl_->rows<Total>((*impl_)[Sql::Totals].with(), [](const Statement& row) {
    return Total{row.number(0), row.number(1)};
  });
  if (!rows) return rows.error();
  Counts<SessionState> totals;
  for (const auto& [state, count] : *rows) {
    if (state < enum_count<SessionState>) totals.add(static_cast<SessionState>(state), count);
  }
  return totals;
}

// No client has the id 0. SQLite writes changed pages even if their content is as before.
Result<Ok> SqliteStore::probe() {
  return impl_->atomically<Ok>([&]() -> Result<Ok> {
    const auto added = add({.client_id = 0, .player_name = std::string(32, 'x')});
    if (!added) return added.error();
    const auto removed = impl_->run((*impl_)[Sql::Remove].with(std::uint64_t{0}));
    if (!removed) return removed.error();
    return Ok{};
  });
}

void SqliteStore::set_pages_max(std::uint64_t pages) {
  const auto set = impl_->pragma(("PRAGMA max_page_count = " + std::to_string(pages)).c_str());
  PERIGEE_ASSERT(set.ok(), "SQLite must accept this pragma");
}

const Counts<StoreFault>& SqliteStore::faults() const { return impl_->faults; }

}  // namespace perigee::session
