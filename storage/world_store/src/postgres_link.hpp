/// One connection to PostgreSQL with bounded waits.
#pragma once

#include <libpq-fe.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "perigee/world_store/store.hpp"

namespace perigee::world_store {

class PostgresLink {
 public:
  struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  using Answer = std::unique_ptr<PGresult, Clear>;

  explicit PostgresLink(const PostgresTimeouts& timeouts) : timeouts_(timeouts) {}

  /// False: error() says why, and there is no connection.
  bool connect(const std::string& connection);
  void close() { connection_.reset(); }
  bool open() const { return connection_ && PQstatus(connection_.get()) == CONNECTION_OK; }
  PGconn* get() const { return connection_.get(); }

  /// Sends pending data and reads one result; null where libpq has null. Nothing: the connection is
  /// lost and closed; error() says why.
  std::optional<Answer> next();
  /// Runs statements without values; the result of the last one, or nothing as above.
  std::optional<Answer> execute(const char* sql);

  const std::string& error() const { return error_; }
  /// The connection was lost because the server was silent.
  bool silent() const { return silent_; }

 private:
  struct Finish {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };
  bool wait_for(short events, int timeout_ms);
  void lose(bool silent);

  PostgresTimeouts timeouts_;
  std::unique_ptr<PGconn, Finish> connection_;
  std::string error_;
  bool silent_ = false;
};

/// The first line of an error text.
std::string first_line(std::string_view text);

}  // namespace perigee::world_store
