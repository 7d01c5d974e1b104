#include "perigee/session_http/origins.hpp"

#include <algorithm>

#include "perigee/host/process.hpp"

namespace perigee::session {
namespace {

constexpr std::string_view any_port = ":*";

bool only(std::string_view text, std::string_view others) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || others.find(c) != text.npos;
  });
}
bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// scheme://host, scheme://host:port, or scheme://host:*
bool is_origin(std::string_view text) {
  const std::size_t scheme = text.find("://");
  if (scheme == text.npos || scheme == 0 || !only(text.substr(0, scheme), "+-.")) return false;
  std::string_view host = text.substr(scheme + 3);
  // The colons of an IPv6 address are inside its brackets.
  const std::size_t colon = host.find(':', host.starts_with('[') ? host.find(']') : 0);
  if (colon != host.npos) {
    const std::string_view port = host.substr(colon);
    if (port != any_port && !is_port(port.substr(1))) return false;
    host = host.substr(0, colon);
  }
  if (host.starts_with('['))
    return host.ends_with(']') && only(host.substr(1, host.size() - 2), ":.");
  return !host.empty() && only(host, "-._");
}

bool matches(std::string_view rule, std::string_view origin) {
  if (!rule.ends_with(any_port)) return rule == origin;
  rule.remove_suffix(any_port.size());
  if (!origin.starts_with(rule)) return false;
  const std::string_view port = origin.substr(rule.size());
  return port.empty() || (port.front() == ':' && is_port(port.substr(1)));
}

}  // namespace

Result<Origins> Origins::parse(std::string_view list) {
  Origins origins;
  for (std::string& each : host::parts_of(list)) {
    if (each == "*") {
      origins.every_page_ = true;
    } else if (is_origin(each)) {
      origins.allowed_.push_back(std::move(each));
    } else {
      return Error{"session.http_origins: '" + each +
                   "' is not an origin as browsers send it, like https://play.example.org or "
                   "http://localhost:* (any port); * allows every page"};
    }
  }
  return origins;
}

void Origins::add_loopback() {
  for (const char* each : {"http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*"}) {
    allowed_.emplace_back(each);
  }
}

std::optional<std::string> Origins::answer_to(std::string_view origin) const {
  if (every_page_) return "*";
  const bool allowed = std::any_of(allowed_.begin(), allowed_.end(),
                                   [&](const std::string& rule) { return matches(rule, origin); });
  if (!allowed) return std::nullopt;
  return std::string(origin);
}

}  // namespace perigee::session
