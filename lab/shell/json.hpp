/// The lab's figures as JSON for programs. Figures have six significant digits.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "perigee/lab/cell.hpp"
#include "perigee/lab/faults.hpp"
#include "report.hpp"

namespace perigee::lab {

/// One object; the keys of its cells are the names of Cell's members.
std::string json(std::span<const Cell> cells, const Provenance& of);
/// M9: for each injected cause, the causes reported for it.
std::string confusion_json(std::span<const FaultAnswers> answers, std::string_view profile);

}  // namespace perigee::lab
