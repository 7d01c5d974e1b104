#include "perigee/base/techniques.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <optional>

#include "perigee/base/decimal.hpp"

namespace perigee {
namespace {

constexpr std::size_t choices_max = 5;
constexpr std::string_view desync_key = "desync-m";

/// One technique by name: its valid values, and access to its member of the struct.
struct Row {
  std::string_view key;
  std::string_view about;
  std::array<std::string_view, choices_max> choices;  ///< none: a number
  double (*get)(const Techniques&);                   ///< a choice by its index
  void (*set)(Techniques&, double);
};

// The one list of techniques that have names.
template <auto Member>
double got(const Techniques& techniques) {
  return static_cast<double>(techniques.*Member);
}
template <auto Member>
void put(Techniques& techniques, double value) {
  using Value = std::remove_reference_t<decltype(techniques.*Member)>;
  if constexpr (std::is_enum_v<Value>) {
    techniques.*Member = static_cast<Value>(static_cast<int>(value));
  } else {
    techniques.*Member = static_cast<Value>(value);
  }
}
template <auto Member>
constexpr Row row(std::string_view key, std::string_view about,
                  std::array<std::string_view, choices_max> choices = {}) {
  return {key, about, choices, got<Member>, put<Member>};
}
constexpr std::array<std::string_view, choices_max> off_or_on{"off", "on"};

constexpr std::array rows{
    row<&Techniques::prediction>("prediction", "predict the own avatar", off_or_on),
    row<&Techniques::relative_prediction>(
        "relative-prediction",
        "predict in the reference frame of the ship aboard which the player is", off_or_on),
    row<&Techniques::timeline>(
        "timeline", "when the worker applies an input",
        {"lead", "playout", "playout-in-trouble", "on-arrival", "suggested"}),
    row<&Techniques::suggested_ms>("suggested-ms", "delay of the suggested timeline, 0 to 100"),
    row<&Techniques::rollback>("rollback", "re-simulate late inputs at their tick", off_or_on),
    row<&Techniques::redundancy>("redundancy", "inputs that a packet repeats", {"all", "none"}),
    row<&Techniques::send_every_ms>("send-every-ms",
                                    "interval of packets: 20 or 25; 0: every tick"),
    row<&Techniques::view>("view", "view time at which others are rendered",
                           {"near", "shared-clock"}),
    row<&Techniques::reconciler>("reconciler", "how a correction is carried to the current tick",
                                 {"replay", "shift"}),
    row<&Techniques::reconcile_beyond_m>("reconcile-beyond-m",
                                         "smaller differences are not corrected, 0 to 10"),
    row<&Techniques::smoothing>(
        "smoothing", "how a correction is blended out on display",
        {"none", "constant-weight", "fading-weight", "exponential", "quintic"}),
    row<&Techniques::storm_breaker>("storm-breaker",
                                    "show server states while predictions keep failing", off_or_on),
};

static_assert(rows.size() == techniques_count, "name every technique");

auto find_row(std::string_view key) { return std::ranges::find(rows, key, &Row::key); }
constexpr std::uint16_t bit_of(std::size_t row) { return static_cast<std::uint16_t>(1U << row); }

bool numeric(const Row& row) { return row.choices[0].empty(); }

std::string choices_of(const Row& row) {
  std::string out;
  for (const std::string_view choice : row.choices) {
    if (choice.empty()) break;
    out += (out.empty() ? "" : "|") + std::string(choice);
  }
  return out.empty() ? "NUMBER" : out;
}

std::optional<double> read_value(const Row& row, std::string_view text) {
  if (numeric(row)) {
    const auto number = read_decimal(text);
    if (!number || !(*number >= 0 && *number <= 255)) return std::nullopt;
    return number;
  }
  const auto found = std::ranges::find(row.choices, text);
  if (text.empty() || found == row.choices.end()) return std::nullopt;
  return static_cast<double>(found - row.choices.begin());
}

/// None: not within the bounds.
std::optional<std::uint16_t> read_desync_mm(std::string_view text) {
  const auto meters = read_decimal(text);
  if (!meters || !(*meters >= 0.001 && *meters <= TechniqueOrder::desync_m_max))
    return std::nullopt;
  return static_cast<std::uint16_t>(*meters * 1'000 + 0.5);
}

std::string write_value(const Row& row, const Techniques& techniques) {
  const double value = row.get(techniques);
  if (!numeric(row)) return std::string(row.choices[static_cast<std::size_t>(value)]);
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

}  // namespace

Result<Ok> check(const Techniques& techniques) {
  if (techniques.suggested_ms > Techniques::suggested_ms_max) {
    return Error{"suggested-ms is " + std::to_string(techniques.suggested_ms) +
                 "; it must be 0 to 100, since players notice a longer delay"};
  }
  if (techniques.send_every_ms != 0 && techniques.send_every_ms != 20 &&
      techniques.send_every_ms != 25) {
    return Error{"send-every-ms is " + std::to_string(techniques.send_every_ms) +
                 "; it must be 0 (every tick), 20 or 25"};
  }
  if (!(techniques.reconcile_beyond_m >= 0 &&
        techniques.reconcile_beyond_m <= Techniques::reconcile_beyond_m_max)) {
    return Error{"reconcile-beyond-m must be 0 to 10"};
  }
  return Ok{};
}

Result<Ok> set(Techniques& techniques, std::string_view key, std::string_view value) {
  const auto found = find_row(key);
  if (found == rows.end()) {
    std::string names;
    for (const Row& row : rows) names += " " + std::string(row.key);
    return Error{"no technique '" + std::string(key) + "'; techniques:" + names};
  }
  const auto wanted = read_value(*found, value);
  if (!wanted) {
    return Error{std::string(key) + ": '" + std::string(value) + "' is not " + choices_of(*found)};
  }
  Techniques changed = techniques;
  found->set(changed, *wanted);
  if (found->get(changed) != *wanted) {
    return Error{std::string(key) + ": '" + std::string(value) + "' is not a whole number"};
  }
  if (auto checked = check(changed); !checked) return checked.error();
  techniques = changed;
  return Ok{};
}

Result<TechniqueOrder> read_order(std::string_view settings) {
  constexpr std::string_view separators = ", ";
  TechniqueOrder order;
  for (std::size_t at = 0; at < settings.size();) {
    const std::size_t end = std::min(settings.find_first_of(separators, at), settings.size());
    const std::string_view item = settings.substr(at, end - at);
    at = end + 1;
    if (item.empty()) continue;
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      return Error{"'" + std::string(item) + "' is not KEY=VALUE, such as prediction=off"};
    }
    const std::string_view key = item.substr(0, equals);
    if (key == desync_key) {
      const auto desync_mm = read_desync_mm(item.substr(equals + 1));
      if (!desync_mm) return Error{std::string(item) + ": must be 0.001 to 10, in metres"};
      order.desync_mm = *desync_mm;
      continue;
    }
    if (auto done = set(order.wanted, key, item.substr(equals + 1)); !done) return done.error();
    order.named |= bit_of(static_cast<std::size_t>(find_row(key) - rows.begin()));
  }
  return order;
}

Techniques obeyed(Techniques techniques, const TechniqueOrder& order) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if ((order.named & bit_of(i)) != 0) rows[i].set(techniques, rows[i].get(order.wanted));
  }
  return techniques;
}

TechniqueOrder joined(const TechniqueOrder& order, const TechniqueOrder& later) {
  return {obeyed(order.wanted, later), static_cast<std::uint16_t>(order.named | later.named),
          later.desync_mm != 0 ? later.desync_mm : order.desync_mm};
}

Result<Techniques> with(Techniques techniques, std::string_view settings) {
  const auto order = read_order(settings);
  if (!order) return order.error();
  if (order->desync_mm != 0) {
    return Error{std::string(desync_key) +
                 " is an order for a connected player: perigee-ctl desync NAME"};
  }
  return obeyed(techniques, *order);
}

std::string to_text(const Techniques& techniques, std::string_view between) {
  std::string out;
  for (const Row& row : rows) {
    if (!out.empty()) out += between;
    out += std::string(row.key) + "=" + write_value(row, techniques);
  }
  return out;
}

std::string techniques_help() {
  std::string out;
  for (const Row& row : rows) {
    std::string line = "  " + std::string(row.key) + "=" + choices_of(row);
    if (line.size() < 46) line.resize(46, ' ');
    out += line + "  " + std::string(row.about) + "\n";
  }
  return out;
}

}  // namespace perigee
