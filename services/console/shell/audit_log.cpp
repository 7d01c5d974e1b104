#include "audit_log.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "perigee/host/log.hpp"

namespace perigee::console {
namespace {

constexpr std::size_t body_bytes_shown_max = 512;

std::string line_of(const AuditLog::Entry& entry) {
  const nlohmann::json line{{"unixMs", entry.unix_ms},
                            {"who", entry.who},
                            {"act", entry.act},
                            {"request", entry.body},
                            {"status", entry.status}};
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void AuditLog::add(Entry entry) {
  if (entry.body.size() > body_bytes_shown_max) entry.body.resize(body_bytes_shown_max);
  const std::lock_guard lock(mutex_);
  std::ofstream file(file_, std::ios::app);
  file << line_of(entry) << '\n' << std::flush;
  if (!file && !std::exchange(file_failed_, true)) {
    host::log_error("cannot write the audit log " + file_ + "; acts are only shown in the page");
  }
  if (file) file_failed_ = false;
  newest_.push_front(std::move(entry));
  if (newest_.size() > shown_max) newest_.pop_back();
}

std::string AuditLog::json() const {
  const std::lock_guard lock(mutex_);
  std::string out = "[";
  for (const Entry& entry : newest_) out += (out.size() > 1 ? "," : "") + line_of(entry);
  return out + "]";
}

}  // namespace perigee::console
