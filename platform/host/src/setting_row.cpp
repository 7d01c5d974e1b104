#include "setting_row.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace perigee::host {
namespace {

std::string flag_of(std::string_view key) {
  std::string text = "--" + std::string(key);
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '.' || c == '_'; }, '-');
  return text;
}

std::string environment_of(std::string_view key) {
  std::string text = "PERIGEE_";
  for (const char c : key) {
    text += c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return text;
}

}  // namespace

std::string SettingRow::flag() const { return flag_of(key); }

std::string SettingRow::flags() const {
  return former_key.empty() ? flag() : flag() + "," + flag_of(former_key);
}

std::vector<std::string> SettingRow::environments() const {
  std::vector<std::string> names;
  if (!former_key.empty()) names.push_back(environment_of(former_key));
  names.push_back(environment_of(key));
  return names;
}

std::string SettingRow::toml_value() const {
  std::string text = get();
  if (kind == SettingKind::Numbers) return "[" + text + "]";
  if (kind != SettingKind::Text) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7f) {  // TOML strings cannot contain these
      constexpr char digits[] = "0123456789abcdef";
      quoted += {'\\', 'u', '0', '0', digits[code >> 4], digits[code & 15U]};
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace perigee::host
