#include "perigee/base/scopes.hpp"

#include <algorithm>

namespace perigee {
namespace {

constexpr std::string_view all_scopes = "all";

}  // namespace

std::string scope_list(const Scopes& scopes) {
  if (scopes == Scopes::all()) return std::string(all_scopes);
  std::string out;
  for (std::size_t i = 0; i < scope_names.size(); ++i) {
    const auto scope = static_cast<Scope>(i);
    if (!scopes.has(scope) || (scope == Scope::Read && scopes != Scopes{Scope::Read})) continue;
    out += (out.empty() ? "" : ",") + std::string(scope_names[i]);
  }
  return out;
}

Result<Scopes> scopes_of(std::string_view text) {
  if (text == all_scopes) return Scopes::all();
  Scopes out{Scope::Read};
  for (;;) {
    const std::size_t end = std::min(text.find(','), text.size());
    const auto found = std::find(scope_names.begin(), scope_names.end(), text.substr(0, end));
    if (found == scope_names.end()) {
      return Error{
          "a scope is read, players or map, several of them with commas between them, or all"};
    }
    out.add(static_cast<Scope>(found - scope_names.begin()));
    if (end == text.size()) return out;
    text.remove_prefix(end + 1);
  }
}

}  // namespace perigee
