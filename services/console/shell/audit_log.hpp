/// The acts that pages asked for: the newest in memory, and all of them in a file of JSON lines.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>

namespace perigee::console {

class AuditLog {
 public:
  static constexpr std::size_t shown_max = 256;

  /// `file` is appended to.
  explicit AuditLog(std::string file) : file_(std::move(file)) {}

  struct Entry {
    std::int64_t unix_ms = 0;
    std::string who;   ///< name of the operator; empty: a caller without a token
    std::string act;   ///< "kill_worker"
    std::string body;  ///< the request, shortened
    int status = 0;    ///< HTTP; 403: refused
  };
  /// Any thread. A file that cannot be written is reported in the log of the process.
  void add(Entry entry);
  /// The newest first, as a JSON array.
  std::string json() const;

 private:
  const std::string file_;
  mutable std::mutex mutex_;
  std::deque<Entry> newest_;  // guarded by mutex_
  bool file_failed_ = false;  // guarded by mutex_
};

}  // namespace perigee::console
