/// Figures that a program has printed as a JSON object on one line, among other lines: those of
/// perigee-bots --json or perigee-flood.
#pragma once

#include <string>
#include <string_view>

namespace perigee::process_test {

/// The last such line; empty without one.
std::string_view last_figures(std::string_view output);
/// A number of the last such line; -1 without it.
double figure_of(std::string_view output, const std::string& name);

}  // namespace perigee::process_test
