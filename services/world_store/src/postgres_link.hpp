/// One connection to PostgreSQL that never waits for longer than it said.
#pragma once

#include <libpq-fe.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace perigee::world_store {

class PostgresLink {
 public:
  struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  using Answer = std::unique_ptr<PGresult, Clear>;

  static constexpr int connect_ms_max = 3'000;
  /// Nothing moves in either direction: longer than what the server lets a statement take.
  static constexpr int silence_ms_max = 4'000;

  /// False: error() says why, and there is no connection.
  bool connect(const std::string& connection);
  void close() { connection_.reset(); }
  bool open() const { return connection_ && PQstatus(connection_.get()) == CONNECTION_OK; }
  PGconn* get() const { return connection_.get(); }

  /// Sends what waits to be sent and reads one result; null where libpq has null. Nothing: the
  /// connection is lost, and closed; error() says why.
  std::optional<Answer> next();
  /// Statements without values; the result of the last one, or nothing as above.
  std::optional<Answer> execute(const char* sql);

  const std::string& error() const { return error_; }
  /// The loss was that the other side fell silent.
  bool silent() const { return silent_; }

 private:
  struct Finish {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };
  bool wait_for(short events, int timeout_ms);
  void lose(bool silent);

  std::unique_ptr<PGconn, Finish> connection_;
  std::string error_;
  bool silent_ = false;
};

/// The first line, without the words that libpq puts before it.
std::string first_line(std::string_view text);

}  // namespace perigee::world_store
