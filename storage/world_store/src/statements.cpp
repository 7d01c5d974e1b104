#include "statements.hpp"

namespace perigee::world_store {
namespace {

constexpr const char* complete =
    "NOT EXISTS (SELECT 1 FROM parts WHERE parts.cut = cuts.tick AND parts.size < 0)";

std::string journal_page(const char* filter, const char* limit) {
  return "SELECT target, tick, kind, ordinal, region, epoch, grp, payload FROM journal WHERE "
         "(tick, "
         "target, kind, ordinal) > ($1, $2, $3, $4) " +
         std::string(filter) + "ORDER BY tick, target, kind, ordinal LIMIT " + limit;
}

std::string results_page(const char* filter, const char* limit) {
  return "SELECT cluster, origin, game_match, place, unix_s, payload FROM results WHERE "
         "(game_match, place, cluster, origin) > ($1, $2, $3, $4) " +
         std::string(filter) + "ORDER BY game_match, place, cluster, origin LIMIT " + limit;
}

}  // namespace

std::string text_of(Sql sql, const Dialect& dialect) {
  switch (sql) {
    case Sql::World:
      return "SELECT incarnation, anchor FROM world";
    case Sql::WorldShared:
      return "SELECT incarnation, anchor FROM world" + std::string(dialect.lock_shared);
    case Sql::WorldAlone:
      return "SELECT incarnation, anchor FROM world" + std::string(dialect.lock);
    case Sql::SetClusterId:
      return "UPDATE world SET incarnation = $1";
    case Sql::SetAnchor:
      return "UPDATE world SET anchor = $1";
    case Sql::ForgetIncarnations:
      return "DELETE FROM regions";
    case Sql::ForgetOpenCheckpoints:
      return "DELETE FROM cuts WHERE NOT (" + std::string(complete) + ")";
    case Sql::Claim:  // locks the slot, adds it if new, raises and reads its incarnation
      return "INSERT INTO regions (region, epoch) VALUES ($1, $2) ON CONFLICT (region) DO UPDATE "
             "SET epoch = CASE WHEN regions.epoch < excluded.epoch THEN excluded.epoch ELSE "
             "regions.epoch END RETURNING epoch";
    case Sql::NewestIncarnation:
      return "SELECT epoch FROM regions WHERE region = $1";
    case Sql::AddRow:
      return "INSERT INTO journal (target, tick, kind, ordinal, region, epoch, grp, payload) "
             "VALUES "
             "($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
    case Sql::RowPayload:
      return "SELECT payload FROM journal WHERE target = $1 AND tick = $2 AND kind = $3 AND "
             "ordinal = $4";
    case Sql::Journal:
      return journal_page("", "$5");
    case Sql::JournalOfGroup:  // no index: the journal holds the rows of two checkpoints
      return journal_page("AND grp = $5 ", "$6");
    case Sql::AddResult:
      return "INSERT INTO results (cluster, origin, game_match, place, unix_s, payload) VALUES "
             "($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
    case Sql::ResultPayload:
      return "SELECT payload FROM results WHERE cluster = $1 AND origin = $2 AND game_match = $3 "
             "AND place = $4";
    case Sql::Results:
      return results_page("", "$5");
    case Sql::ResultsOfMatch:
      return results_page("AND game_match = $5 ", "$6");
    case Sql::SaveProfile:
      return "INSERT INTO profiles (player, lease, tick, version, payload) VALUES ($1, $2, $3, $4, "
             "$5) ON CONFLICT (player) DO UPDATE SET lease = excluded.lease, tick = excluded.tick, "
             "version = excluded.version, payload = excluded.payload WHERE profiles.version < 0 OR "
             "(profiles.lease, profiles.tick) <= (excluded.lease, excluded.tick)";
    case Sql::TakeProfile:  // a version below 0: nothing was saved yet
      return "INSERT INTO profiles (player, lease, tick, version, payload) VALUES ($1, 1, 0, -1, "
             "$2) ON CONFLICT (player) DO UPDATE SET lease = profiles.lease + 1 RETURNING lease";
    case Sql::Profile:
      return "SELECT lease, tick, version, payload FROM profiles WHERE player = $1";
    case Sql::LastCheckpoint:
      return "SELECT tick FROM cuts ORDER BY tick DESC LIMIT 1";
    case Sql::CheckpointOf:
      return "SELECT incarnation FROM cuts WHERE tick = $1";
    case Sql::AddCheckpoint:
      return "INSERT INTO cuts (tick, incarnation) VALUES ($1, $2)";
    case Sql::AddPart:
      return "INSERT INTO parts (cut, region, epoch, size) VALUES ($1, $2, 0, -1)";
    case Sql::LockCheckpoint:
      return "SELECT tick FROM cuts WHERE tick = $1" + std::string(dialect.lock);
    case Sql::Parts:
      return "SELECT region, epoch, size FROM parts WHERE cut = $1 ORDER BY region";
    case Sql::Part:
      return "SELECT epoch, size FROM parts WHERE cut = $1 AND region = $2";
    case Sql::Finish:
      return "UPDATE parts SET epoch = $3, size = $4 WHERE cut = $1 AND region = $2";
    case Sql::AddPiece:
      return "INSERT INTO pieces (cut, region, epoch, piece, content) VALUES ($1, $2, $3, $4, $5) "
             "ON CONFLICT (cut, region, epoch, piece) DO UPDATE SET content = excluded.content";
    case Sql::Piece:
      return "SELECT content FROM pieces WHERE cut = $1 AND region = $2 AND epoch = $3 AND piece = "
             "$4";
    case Sql::CompleteCheckpoints:
      return "SELECT tick, incarnation FROM cuts WHERE " + std::string(complete) +
             " ORDER BY tick DESC LIMIT 2";
    case Sql::ForgetCheckpoints:
      return "DELETE FROM cuts WHERE tick NOT IN (SELECT tick FROM cuts ORDER BY tick DESC LIMIT "
             "2) "
             "AND tick NOT IN (SELECT tick FROM cuts WHERE " +
             std::string(complete) + " ORDER BY tick DESC LIMIT 2)";
    case Sql::ForgetParts:
      return "DELETE FROM parts WHERE cut NOT IN (SELECT tick FROM cuts)";
    case Sql::ForgetPieces:
      return "DELETE FROM pieces WHERE (cut, region, epoch, piece) IN (SELECT cut, region, epoch, "
             "piece FROM pieces WHERE cut NOT IN (SELECT tick FROM cuts) LIMIT $1)";
    case Sql::ForgetRows:
      return "DELETE FROM journal WHERE (tick, target, kind, ordinal) IN (SELECT tick, target, "
             "kind, ordinal FROM journal WHERE tick <= $1 LIMIT $2)";
  }
  return {};
}

std::string schema(const Dialect& dialect) {
  const std::string number = std::string(" ") + dialect.number + " NOT NULL";
  const std::string bytes = std::string(" ") + dialect.bytes + " NOT NULL";
  const std::string by_key = std::string(")") + dialect.options + ";";
  return "CREATE TABLE world (version" + number + ", incarnation" + number + ", anchor" + number +
         ");"
         "CREATE TABLE regions (region" +
         number + " PRIMARY KEY, epoch" + number +
         ");"
         "CREATE TABLE journal (target" +
         number + ", tick" + number + ", kind" + number + ", ordinal" + number + ", region" +
         number + ", epoch" + number + ", grp" + number + ", payload" + bytes +
         ", PRIMARY KEY (tick, target, kind, ordinal)" + by_key + "CREATE TABLE cuts (tick" +
         number + " PRIMARY KEY, incarnation" + number +
         ");"
         "CREATE TABLE parts (cut" +
         number + ", region" + number + ", epoch" + number + ", size" + number +
         ", PRIMARY KEY (cut, region)" + by_key + "CREATE TABLE pieces (cut" + number + ", region" +
         number + ", epoch" + number + ", piece" + number + ", content" + bytes +
         ", PRIMARY KEY (cut, region, epoch, piece));"
         "INSERT INTO world (version, incarnation, anchor) VALUES (" +
         std::to_string(schema_version) + ", 0, 0);";
}

std::string later_tables(const Dialect& dialect) {
  const std::string number = std::string(" ") + dialect.number + " NOT NULL";
  const std::string bytes = std::string(" ") + dialect.bytes + " NOT NULL";
  const std::string by_key = std::string(")") + dialect.options + ";";
  return "CREATE TABLE IF NOT EXISTS results (cluster" + number + ", origin" + number +
         ", game_match" + number + ", place" + number + ", unix_s" + number + ", payload" + bytes +
         ", PRIMARY KEY (game_match, place, cluster, origin)" + by_key +
         "CREATE TABLE IF NOT EXISTS profiles (player" + number + " PRIMARY KEY, lease" + number +
         ", tick" + number + ", version" + number + ", payload" + bytes + ");";
}

}  // namespace perigee::world_store
