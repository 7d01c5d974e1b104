#include "causes.hpp"

#include <algorithm>
#include <vector>

#include "perigee/host/print.hpp"

namespace perigee::lab {
namespace {

using host::print;
using Causes = std::array<double, enum_count<CorrectionCause>>;

void add_member(std::string& out, const char* name, const Causes& causes) {
  print(out, ", \"%s\": {", name);
  const char* next = "";
  for (const auto& cause : correction_cause_rows) {
    print(out, "%s\"%.*s\": %.6g", next, static_cast<int>(cause.name.size()), cause.name.data(),
          causes[static_cast<std::size_t>(cause.what)]);
    next = ", ";
  }
  out += '}';
}

}  // namespace

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

void add_causes_json(std::string& out, const Cell& cell) {
  add_member(out, "causes_per_minute", cell.causes_per_minute);
  add_member(out, "told_causes_per_minute", cell.reported_causes_per_minute);
}

}  // namespace perigee::lab
