/// M9 as a table and as JSON: injected causes, and the causes reported for them.
#pragma once

#include <span>
#include <string>

#include "perigee/lab/faults.hpp"

namespace perigee::lab {

std::string confusion_table(std::span<const FaultAnswers> answers, std::string_view profile);
std::string confusion_json(std::span<const FaultAnswers> answers, std::string_view profile);

}  // namespace perigee::lab
