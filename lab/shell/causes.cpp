#include "causes.hpp"

#include <algorithm>
#include <vector>

#include "perigee/host/print.hpp"

namespace perigee::lab {

using host::print;

void add_causes(std::string& out, const Cell& cell) {
  std::vector<CorrectionCause> seen;
  for (const auto& cause : correction_cause_rows) {
    if (cell.causes_per_minute[static_cast<std::size_t>(cause.what)] > 0)
      seen.push_back(cause.what);
  }
  if (seen.empty()) return;
  const auto rate = [&](CorrectionCause cause) {
    return cell.causes_per_minute[static_cast<std::size_t>(cause)];
  };
  std::ranges::stable_sort(seen, std::ranges::greater{}, rate);
  out += "    causes";
  const char* next = ": ";
  for (const CorrectionCause cause : seen) {
    const std::string_view name = correction_cause_rows[static_cast<std::size_t>(cause)].name;
    print(out, "%s%.*s %.2f", next, static_cast<int>(name.size()), name.data(), rate(cause));
    next = ", ";
  }
  out += '\n';
}

}  // namespace perigee::lab
