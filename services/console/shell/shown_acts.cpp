#include "shown_acts.hpp"

#include <nlohmann/json.hpp>

#include "perigee/host/loop.hpp"

namespace perigee::console {
namespace {

/// A page can send anything, and the audit log takes short JSON as it is.
std::string request_of(const std::string& body) {
  if (body.size() > host::AuditLog::request_bytes_max) return body;  // cut, as text
  const nlohmann::json read = nlohmann::json::parse(body, nullptr, false);
  return read.is_object() ? read.dump() : "no JSON: " + body;
}

}  // namespace

host::AuditLog::Entry audit_entry(const std::string& who, const std::string& act,
                                  const std::string& body, const WebAnswer& answer) {
  host::AuditLog::Entry entry{.unix_ms = host::Loop::wall_us() / 1'000,
                              .who = who.empty() ? "without a token" : who,
                              .act = act,
                              .request = request_of(body),
                              .result = "OK",
                              .message = {}};
  constexpr int first_failure = 300;
  if (answer.status < first_failure) return entry;
  const nlohmann::json error = nlohmann::json::parse(answer.body, nullptr, false);
  entry.result = error.at("error").at("status");
  entry.message = error.at("error").at("message");
  return entry;
}

void ShownActs::add(const host::AuditLog::Entry& entry) {
  std::string line = host::to_json(entry);
  const std::lock_guard lock(mutex_);
  newest_.push_front(std::move(line));
  if (newest_.size() > acts_max) newest_.pop_back();
}

std::string ShownActs::json() const {
  const std::lock_guard lock(mutex_);
  std::string out = "[";
  for (const std::string& line : newest_) out += (out.size() > 1 ? "," : "") + line;
  return out + "]";
}

}  // namespace perigee::console
