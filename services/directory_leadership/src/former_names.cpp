#include "former_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace perigee::directory {
namespace {

using Name = std::pair<std::string_view, std::string_view>;  // former, present
constexpr std::array<Name, 14> names{{
    {"incarnation", "cluster_id"},
    {"life", "incarnation"},
    {"life_over", "incarnation_over"},
    {"buddy", "standby"},
    {"buddy_in_sync", "standby_in_sync"},
    {"buddy_word", "standby_word"},
    {"rung", "level"},
    {"born", "created_epoch"},
    {"from_cut", "from_checkpoint"},
    {"bequests", "failover_records"},
    {"heir", "successor"},
    {"heir_handle_base", "successor_handle_base"},
    {"OVERLOAD_RUNG_STRETCHED", "OVERLOAD_LEVEL_STRETCHED"},
    {"OVERLOAD_RUNG_RELIEF", "OVERLOAD_LEVEL_RELIEF"},
}};

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view present(std::string_view word) {
  const auto* const found = std::ranges::find(names, word, &Name::first);
  return found == names.end() ? word : found->second;
}

}  // namespace

bool have_former_names(const Records& records) {
  return std::ranges::none_of(records, [](const auto& record) {
    return record.second.find("cluster_id:") != std::string::npos;
  });
}

std::string with_present_names(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      const std::size_t begin = at++;
      while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2U : 1U;
      at = std::min(at + 1, text.size());
      out.append(text, begin, at - begin);
    } else if (in_name(text[at])) {
      const std::size_t begin = at;
      while (at < text.size() && in_name(text[at])) ++at;
      out.append(present(std::string_view(text).substr(begin, at - begin)));
    } else {
      out.push_back(text[at++]);
    }
  }
  return out;
}

}  // namespace perigee::directory
