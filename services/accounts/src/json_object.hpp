/// JSON of strangers.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace perigee::accounts {

/// None: not JSON in UTF-8, not an object, or a member of it comes twice. With two members of one
/// name, two readers could see different values.
std::optional<nlohmann::json> read_object(std::string_view text);
/// The member if it is a string; null: no such member, or another type.
const std::string* text_in(const nlohmann::json& object, std::string_view name);
/// Compact, in UTF-8.
std::string text_of(const nlohmann::json& value);

}  // namespace perigee::accounts
