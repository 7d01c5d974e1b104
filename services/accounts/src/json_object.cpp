#include "json_object.hpp"

#include <set>
#include <string>
#include <utility>

namespace perigee::accounts {

using nlohmann::json;

std::optional<json> read_object(std::string_view text) {
  std::set<std::string> names;
  bool twice = false;
  const json::parser_callback_t note = [&](int depth, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::key && depth == 1) {
      twice |= !names.insert(parsed.get<std::string>()).second;
    }
    return true;
  };
  json value = json::parse(text, note, false);
  if (twice || !value.is_object()) return std::nullopt;
  return std::optional<json>(std::in_place, std::move(value));
}

const std::string* text_in(const json& object, std::string_view name) {
  const auto member = object.find(std::string(name));
  return member == object.end() ? nullptr : member->get_ptr<const std::string*>();
}

std::string text_of(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace perigee::accounts
