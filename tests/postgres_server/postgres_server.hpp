/// A PostgreSQL server for a test: data and socket in a temporary folder, no TCP port; ended and
/// removed with this object.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "perigee/base/result.hpp"

namespace perigee::postgres_server {

/// Programs of the newest PostgreSQL from Debian on this machine; empty if there is none.
std::filesystem::path programs();

class Server {
 public:
  /// Creates the data folder and starts. Under root, the server runs as the user `postgres`. Its
  /// database user is `perigee`, without a password; the user `guest` needs the password "secret".
  static Result<std::unique_ptr<Server>> make();
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// A connection string. The database `postgres` exists.
  std::string database(const std::string& name) const;
  /// In the database `postgres`; much cheaper than a new database.
  Result<Ok> create_schema(const std::string& name);
  /// Returns once the server answers; recovers after a crash.
  Result<Ok> start();
  /// SIGKILL for the postmaster; its children exit by themselves.
  void kill_hard();
  /// SIGSTOP or SIGCONT for the postmaster and all of its children.
  void signal_all(int number) const;
  /// Orderly, with all connections.
  void stop();

 private:
  explicit Server(std::filesystem::path folder) : folder_(std::move(folder)) {}
  pid_t spawn(const std::vector<std::string>& command) const;
  Result<Ok> run(const std::vector<std::string>& command) const;
  void reap();

  std::filesystem::path folder_;
  pid_t postmaster_ = -1;
};

}  // namespace perigee::postgres_server
