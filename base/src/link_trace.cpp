#include "perigee/base/link_trace.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "perigee/base/assert.hpp"
#include "perigee/base/decimal.hpp"

namespace perigee {
namespace {

constexpr double time_ms_max = 86'400'000;  // a day
constexpr double delay_ms_max = 10'000;
constexpr double spread_unit = 8192;  // NETEM_DIST_SCALE

struct Line {
  std::size_t number = 0;
  std::vector<std::string_view> words;
};

Error at_line(const Line& line, const std::string& what) {
  return Error{"line " + std::to_string(line.number) + ": " + what};
}

/// Calls use(line) for each line with words, until use returns an error.
template <class Use>
Result<Ok> each_line(std::string_view text, Use use) {
  constexpr std::string_view blanks = " \t\r";
  Line line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view rest = text.substr(at, end - at);
    rest = rest.substr(0, rest.find('#'));
    at = end + 1;
    ++line.number;
    line.words.clear();
    for (std::size_t word = rest.find_first_not_of(blanks); word != std::string_view::npos;
         word = rest.find_first_not_of(blanks, word)) {
      const std::size_t after = std::min(rest.find_first_of(blanks, word), rest.size());
      line.words.push_back(rest.substr(word, after - word));
      word = after;
    }
    if (line.words.empty()) continue;
    if (auto used = use(line); !used) return used;
  }
  return Ok{};
}

Result<double> number_of(const Line& line, std::size_t word, std::string_view name, double low,
                         double high) {
  const std::string_view text = line.words[word];
  const auto value = read_decimal(text);
  if (value && *value >= low && *value <= high) return *value;
  const auto whole = [](double bound) { return std::to_string(static_cast<std::int64_t>(bound)); };
  return at_line(line, std::string(name) + " is '" + std::string(text.substr(0, 40)) +
                           "'; expected a number from " + whole(low) + " to " + whole(high));
}

Result<Ok> add_row(LinkTrace& trace, const Line& line, double time_ms) {
  const auto delay_ms = number_of(line, 1, "delay_ms", 0, delay_ms_max);
  if (!delay_ms) return delay_ms.error();
  const auto loss = number_of(line, 2, "loss", 0, 1);
  if (!loss) return loss.error();
  const auto at_us = static_cast<Micros>(time_ms * 1e3);
  if (!trace.rows.empty() && at_us <= trace.rows.back().at_us) {
    return at_line(line, "time_ms does not increase; sort the lines by time");
  }
  trace.rows.push_back({at_us, *delay_ms / 2, *loss});
  return Ok{};
}

Result<Ok> add_delivery(LinkTrace& trace, const Line& line, double time_ms) {
  const auto at_us = static_cast<Micros>(time_ms * 1e3);
  if (!trace.deliveries_us.empty() && at_us < trace.deliveries_us.back()) {
    return at_line(line, "the time is before that of the previous line; sort the lines by time");
  }
  trace.deliveries_us.push_back(at_us);
  return Ok{};
}

Result<Ok> add_line(LinkTrace& trace, const Line& line) {
  const std::size_t words = line.words.size();
  const bool first = trace.rows.empty() && trace.deliveries_us.empty();
  const std::size_t wanted = !trace.rows.empty() ? 3 : 1;
  if (first ? words != 1 && words != 3 : words != wanted) {
    return at_line(line, std::to_string(words) + " numbers; " +
                             (first ? "a line must be 'time_ms delay_ms loss', or only 'time_ms'"
                                    : "the previous lines have " + std::to_string(wanted)));
  }
  if (trace.rows.size() + trace.deliveries_us.size() == LinkTrace::entries_max) {
    return at_line(line, "more than a million lines; truncate the file there");
  }
  const auto time_ms = number_of(line, 0, "time_ms", 0, time_ms_max);
  if (!time_ms) return time_ms.error();
  return words == 3 ? add_row(trace, line, *time_ms) : add_delivery(trace, line, *time_ms);
}

}  // namespace

Micros LinkTrace::length_us() const {
  if (!rows.empty()) return rows.back().at_us;
  return deliveries_us.empty() ? 0 : deliveries_us.back();
}

const LinkTrace::Row& LinkTrace::row_at(Micros now_us) const {
  PERIGEE_ASSERT(!rows.empty(), "row_at() needs a trace with rows");
  const Micros length_us = std::max<Micros>(rows.back().at_us, 1);
  const auto after = std::ranges::upper_bound(rows, now_us % length_us, {}, &Row::at_us);
  return after == rows.begin() ? rows.front() : *(after - 1);
}

Micros LinkTrace::delivery_us(std::uint64_t turn) const {
  const std::uint64_t size = deliveries_us.size();
  return static_cast<Micros>(turn / size) * deliveries_us.back() +
         deliveries_us[static_cast<std::size_t>(turn % size)];
}

std::uint64_t LinkTrace::turn_at(Micros now_us) const {
  const Micros length_us = deliveries_us.back();
  const auto first = std::ranges::lower_bound(deliveries_us, now_us % length_us);
  return static_cast<std::uint64_t>(now_us / length_us) * deliveries_us.size() +
         static_cast<std::uint64_t>(first - deliveries_us.begin());
}

Result<LinkTrace> read_link_trace(std::string_view text) {
  LinkTrace trace;
  const auto read = each_line(text, [&](const Line& line) { return add_line(trace, line); });
  if (!read) return read.error();
  if (trace.rows.empty() && trace.deliveries_us.empty()) {
    return Error{"no line with numbers; a line must be 'time_ms delay_ms loss', or only 'time_ms'"};
  }
  if (!trace.deliveries_us.empty() && trace.deliveries_us.back() == 0) {
    return Error{"all packets are delivered at 0 ms; the last line's time is the trace's length"};
  }
  return trace;
}

Result<LinkTrace> read_spread_table(std::string_view text) {
  constexpr double largest = 32'768;
  LinkTrace trace;
  const auto read = each_line(text, [&](const Line& line) -> Result<Ok> {
    for (std::size_t i = 0; i < line.words.size(); ++i) {
      const auto value = number_of(line, i, "an entry", -largest, largest);
      if (!value) return value.error();
      if (trace.spread.size() == LinkTrace::entries_max) {
        return at_line(line, "more than a million entries; iproute2's tables have 4096");
      }
      trace.spread.push_back(static_cast<float>(*value / spread_unit));
    }
    return Ok{};
  });
  if (!read) return read.error();
  if (trace.spread.empty())
    return Error{"no numbers; a table has some thousand, in units of 1/8192"};
  return trace;
}

}  // namespace perigee
