#include "perigee/host/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>

#include <charconv>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

#include "escaped_text.hpp"
#include "perigee/host/output.hpp"

namespace perigee::host {
namespace {

struct Log {
  LogFormat format = LogFormat::Text;
  spdlog::logger logger;
};

bool needs_quotes(std::string_view text) {
  if (text.empty() || text.find_first_of(" \"\\=") != text.npos) return true;
  std::string escaped;
  append_escaped(escaped, text);
  return escaped != text;
}
void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  append_escaped(out, text);
  out += '"';
}

void append_value(std::string& out, const LogField::Value& value, bool quote_text) {
  std::visit(
      [&](auto v) {
        using V = decltype(v);
        if constexpr (std::is_same_v<V, std::string_view>) {
          const bool bare = !quote_text && !needs_quotes(v);
          bare ? static_cast<void>(out += v) : append_quoted(out, v);
        } else if constexpr (std::is_same_v<V, bool>) {
          out += v ? "true" : "false";
        } else {
          char digits[32];
          const auto end = std::to_chars(digits, digits + sizeof digits, v).ptr;
          const std::string_view text(digits, static_cast<std::size_t>(end - digits));
          // JSON has no inf and nan
          if (std::is_floating_point_v<V> && quote_text &&
              text.find_first_of("in") != std::string_view::npos) {
            append_quoted(out, text);
          } else {
            out += text;
          }
        }
      },
      value);
}

/// Formats on the caller's thread. Another thread writes: a stalled reader must not block the
/// caller.
class QueueSink final : public spdlog::sinks::base_sink<std::mutex> {
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    write_output(Stream::Error, std::string(line.data(), line.size()));
  }
  void flush_() override {}
};

Log make_log(std::string_view process, LogFormat format, LogLevel least) {
  auto sink = std::make_shared<QueueSink>();
  std::string pattern = "%Y-%m-%dT%H:%M:%S.%fZ %l " + std::string(process) + ": %v";
  if (format == LogFormat::Json) {
    pattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%fZ","level":"%l","process":")" + std::string(process) +
              R"(",%v})";
  }
  Log made{format, spdlog::logger(std::string(process), std::move(sink))};
  made.logger.set_formatter(
      std::make_unique<spdlog::pattern_formatter>(pattern, spdlog::pattern_time_type::utc));
  static constexpr spdlog::level::level_enum levels[] = {spdlog::level::debug, spdlog::level::info,
                                                         spdlog::level::warn, spdlog::level::err};
  made.logger.set_level(levels[static_cast<std::size_t>(least)]);
  return made;
}

Log& the_log() {
  // Never destroyed: threads may write until the process has ended.
  static Log& instance = *new Log(make_log("perigee", LogFormat::Text, LogLevel::Info));
  return instance;
}

}  // namespace

void set_up_log(std::string_view process, LogFormat format, LogLevel least) {
  the_log() = make_log(process, format, least);
}

void log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  static constexpr spdlog::level::level_enum levels[] = {spdlog::level::debug, spdlog::level::info,
                                                         spdlog::level::warn, spdlog::level::err};
  Log& target = the_log();
  const auto spd_level = levels[static_cast<std::size_t>(level)];
  if (!target.logger.should_log(spd_level)) return;
  const bool json = target.format == LogFormat::Json;
  std::string line;
  if (json) {
    line += "\"message\":";
    append_quoted(line, message);
  } else {
    line += message;
  }
  for (const LogField& field : fields) {
    if (json) {
      line += ',';
      append_quoted(line, field.name);
      line += ':';
    } else {
      line += ' ';
      line += field.name;
      line += '=';
    }
    append_value(line, field.value, json);
  }
  target.logger.log(spd_level, spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace perigee::host
