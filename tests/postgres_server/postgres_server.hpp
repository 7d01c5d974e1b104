/// A PostgreSQL server of our own: data and socket in a temporary folder, no TCP port, ended and
/// removed with this object.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "perigee/netcode/result.hpp"

namespace perigee::postgres_server {

/// Debian's newest server on this machine; empty if there is none.
std::filesystem::path programs();

class Server {
 public:
  /// Makes the data folder and starts. Run by root, the server is the user `postgres`. Its user is
  /// `perigee`, who needs no password; `guest` needs "secret".
  static Result<std::unique_ptr<Server>> make();
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// A connection string. There is a database `postgres`.
  std::string database(const std::string& name) const;
  /// In that database; much cheaper than another one.
  Result<Ok> create_schema(const std::string& name);
  /// Returns once it answers; recovers what a crash has left.
  Result<Ok> start();
  /// SIGKILL for the postmaster; its children follow by themselves.
  void kill_hard();
  /// SIGSTOP or SIGCONT for the postmaster and all of its children.
  void signal_all(int number) const;
  /// With all connections, orderly.
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
