#include "process/figures.hpp"

#include <nlohmann/json.hpp>

namespace perigee::process_test {

std::string_view last_figures(std::string_view output) {
  const std::size_t before = output.rfind("\n{");
  if (before != std::string_view::npos) {
    output.remove_prefix(before + 1);
  } else if (!output.starts_with('{')) {
    return {};
  }
  return output.substr(0, output.find('\n'));
}

double figure_of(std::string_view output, const std::string& name) {
  constexpr bool throws = false;
  const auto figures = nlohmann::json::parse(last_figures(output), nullptr, throws);
  const auto found = figures.find(name);
  return found != figures.end() && found->is_number() ? found->get<double>() : -1;
}

}  // namespace perigee::process_test
