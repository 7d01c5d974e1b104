/// M9 as a table: injected causes, and the causes reported for them.
#pragma once

#include <span>
#include <string>

#include "perigee/lab/faults.hpp"

namespace perigee::lab {

std::string confusion_table(std::span<const FaultAnswers> answers, std::string_view profile);

}  // namespace perigee::lab
