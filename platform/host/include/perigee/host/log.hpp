/// Logs: one line per event on standard error, as plain text or JSON.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <variant>

namespace perigee::host {

enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error, last = Error };
enum class LogFormat : std::uint8_t { Text, Json, last = Json };

/// A name and a value in addition to the message: {"tick", 1234}.
struct LogField {
  using Value = std::variant<std::int64_t, std::uint64_t, double, bool, std::string_view>;
  std::string_view name;
  Value value;

  LogField(std::string_view n, bool v) : name(n), value(v) {}
  LogField(std::string_view n, std::int32_t v) : name(n), value(std::int64_t{v}) {}
  LogField(std::string_view n, std::int64_t v) : name(n), value(v) {}
  LogField(std::string_view n, std::uint32_t v) : name(n), value(std::uint64_t{v}) {}
  LogField(std::string_view n, std::uint64_t v) : name(n), value(v) {}
  LogField(std::string_view n, double v) : name(n), value(v) {}
  LogField(std::string_view n, const char* v) : name(n), value(std::string_view(v)) {}
  LogField(std::string_view n, std::string_view v) : name(n), value(v) {}
};

/// Call it once per process, before the first line. Until then: text, from Info on.
void set_up_log(std::string_view process, LogFormat format, LogLevel least);

/// Any thread. The message is constant for each kind of event; the variable parts go into fields.
void log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

inline void log_debug(std::string_view message, std::initializer_list<LogField> fields = {}) {
  log(LogLevel::Debug, message, fields);
}
inline void log_info(std::string_view message, std::initializer_list<LogField> fields = {}) {
  log(LogLevel::Info, message, fields);
}
inline void log_warning(std::string_view message, std::initializer_list<LogField> fields = {}) {
  log(LogLevel::Warning, message, fields);
}
inline void log_error(std::string_view message, std::initializer_list<LogField> fields = {}) {
  log(LogLevel::Error, message, fields);
}

}  // namespace perigee::host
