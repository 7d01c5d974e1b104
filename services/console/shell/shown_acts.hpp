/// The newest acts that pages asked for, as the pages show them. All acts are in the audit log.
#pragma once

#include <deque>
#include <mutex>
#include <string>

#include "perigee/host/audit_log.hpp"
#include "web_server.hpp"

namespace perigee::console {

/// `who`: name of the operator; empty: the caller has no token. `answer`: that of the page.
host::AuditLog::Entry audit_entry(const std::string& who, const std::string& act,
                                  const std::string& body, const WebAnswer& answer);

class ShownActs {
 public:
  static constexpr std::size_t acts_max = 256;

  /// Any thread.
  void add(const host::AuditLog::Entry& entry);
  /// The newest first, as a JSON array of the audit log's lines.
  std::string json() const;

 private:
  mutable std::mutex mutex_;
  std::deque<std::string> newest_;  // guarded by mutex_
};

}  // namespace perigee::console
