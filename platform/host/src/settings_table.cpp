// The declaring half of Settings: each type becomes a row of text conversions.
#include <charconv>
#include <utility>

#include "settings_impl.hpp"

namespace perigee::host {
namespace {

template <class T>
std::string number_text(T value) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return {digits, end};
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

template <class T>
std::string limits_text(Range<T> range, std::string_view unit) {
  std::string text = number_text(range.low) + " .. " + number_text(range.high);
  if (!unit.empty()) text += " " + std::string(unit);
  return text;
}

template <class T>
Result<T> parse_number(std::string_view text, Range<T> range, std::string_view unit) {
  T value{};
  const std::string_view digits = trimmed(text);
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    return Error{"'" + std::string(text) + "' is not a " +
                 (std::is_floating_point_v<T> ? "number" : "whole number") + " within " +
                 limits_text(range, unit)};
  }
  if (code != std::errc{} || !(value >= range.low && value <= range.high)) {
    return Error{std::string(digits) + " is not within " + limits_text(range, unit)};
  }
  return value;
}

template <class T>
SettingRow number_row(std::string_view key, T* value, Range<T> range, std::string_view unit,
                      std::string_view help) {
  SettingRow row{.key = std::string(key),
                 .help = std::string(help),
                 .limits = limits_text(range, unit),
                 .kind = SettingKind::Number};
  row.set = [value, range, unit = std::string(unit)](std::string_view text) -> Result<Ok> {
    const auto parsed = parse_number(text, range, unit);
    if (!parsed) return parsed.error();
    *value = *parsed;
    return Ok{};
  };
  row.get = [value] { return number_text(*value); };
  return row;
}

template <class T>
SettingRow numbers_row(std::string_view key, std::span<T> values, Range<T> range,
                       std::string_view unit, std::string_view help) {
  SettingRow row{
      .key = std::string(key),
      .help = std::string(help),
      .limits = number_text(values.size()) + " numbers, each " + limits_text(range, unit),
      .kind = SettingKind::Numbers};
  row.set = [values, range, unit = std::string(unit)](std::string_view text) -> Result<Ok> {
    std::vector<T> parsed;
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const auto one = parse_number(rest.substr(0, comma), range, unit);
      if (!one) return one.error();
      parsed.push_back(*one);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    if (parsed.size() != values.size()) {
      return Error{"expected " + number_text(values.size()) + " numbers, found " +
                   number_text(parsed.size())};
    }
    std::copy(parsed.begin(), parsed.end(), values.begin());
    return Ok{};
  };
  row.get = [values] {
    std::string text;
    for (const T value : values) text += (text.empty() ? "" : ", ") + number_text(value);
    return text;
  };
  return row;
}

}  // namespace

void Settings::number(std::string_view key, std::int64_t* value, Range<std::int64_t> range,
                      std::string_view unit, std::string_view help) {
  impl_->add(number_row(key, value, range, unit, help));
}
void Settings::number(std::string_view key, std::uint16_t* value, Range<std::uint16_t> range,
                      std::string_view unit, std::string_view help) {
  impl_->add(number_row(key, value, range, unit, help));
}
void Settings::number(std::string_view key, std::uint32_t* value, Range<std::uint32_t> range,
                      std::string_view unit, std::string_view help) {
  impl_->add(number_row(key, value, range, unit, help));
}
void Settings::number(std::string_view key, std::uint64_t* value, Range<std::uint64_t> range,
                      std::string_view unit, std::string_view help) {
  impl_->add(number_row(key, value, range, unit, help));
}
void Settings::number(std::string_view key, int* value, Range<int> range, std::string_view unit,
                      std::string_view help) {
  impl_->add(number_row(key, value, range, unit, help));
}
void Settings::number(std::string_view key, double* value, Range<double> range,
                      std::string_view unit, std::string_view help) {
  impl_->add(number_row(key, value, range, unit, help));
}
void Settings::numbers(std::string_view key, std::span<double> values, Range<double> range,
                       std::string_view unit, std::string_view help) {
  impl_->add(numbers_row(key, values, range, unit, help));
}
void Settings::numbers(std::string_view key, std::span<std::uint32_t> values,
                       Range<std::uint32_t> range, std::string_view unit, std::string_view help) {
  impl_->add(numbers_row(key, values, range, unit, help));
}

void Settings::flag(std::string_view key, bool* value, std::string_view help) {
  SettingRow row{.key = std::string(key),
                 .help = std::string(help),
                 .limits = "true | false",
                 .kind = SettingKind::Flag};
  row.set = [value](std::string_view text) -> Result<Ok> {
    if (text != "true" && text != "false") {
      return Error{"'" + std::string(text) + "' is not true or false"};
    }
    *value = text == "true";
    return Ok{};
  };
  row.get = [value] { return std::string(*value ? "true" : "false"); };
  impl_->add(std::move(row));
}

void Settings::text(std::string_view key, std::string* value, std::string_view help) {
  SettingRow row{.key = std::string(key), .help = std::string(help)};
  row.set = [value](std::string_view text) -> Result<Ok> {
    *value = text;
    return Ok{};
  };
  row.get = [value] { return *value; };
  impl_->add(std::move(row));
}

void Settings::choice(std::string_view key, std::string* value, std::vector<std::string> choices,
                      std::string_view help) {
  SettingRow row{.key = std::string(key), .help = std::string(help)};
  for (const std::string& one : choices) row.limits += (row.limits.empty() ? "" : " | ") + one;
  row.set = [value, limits = row.limits,
             choices = std::move(choices)](std::string_view text) -> Result<Ok> {
    for (const std::string& one : choices) {
      if (one != text) continue;
      *value = one;
      return Ok{};
    }
    return Error{"'" + std::string(text) + "' is not one of " + limits};
  };
  row.get = [value] { return *value; };
  impl_->add(std::move(row));
}

}  // namespace perigee::host
