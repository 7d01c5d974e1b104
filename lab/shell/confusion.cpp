#include "confusion.hpp"

#include "perigee/host/print.hpp"

namespace perigee::lab {
namespace {

using host::print;

std::string_view name_of(CorrectionCause cause) {
  return correction_cause_rows[static_cast<std::size_t>(cause)].name;
}

}  // namespace

std::string confusion_table(std::span<const FaultAnswers> answers, std::string_view profile) {
  std::string out;
  print(out, "\n%-20s%8s %8s %8s  %s\n", ("faults on " + std::string(profile)).c_str(), "faults",
        "seen", "right %", "reported as");
  for (const FaultAnswers& of : answers) {
    print(out, "  %-18.*s%8u %8u %8.1f ", static_cast<int>(name_of(of.injected).size()),
          name_of(of.injected).data(), of.seen() + of.unseen, of.seen(), of.right() * 100);
    for (std::size_t i = 0; i < of.taken_for.size(); ++i) {
      const std::string_view name = name_of(static_cast<CorrectionCause>(i));
      if (of.taken_for[i] == 0) continue;
      print(out, " %.*s %u", static_cast<int>(name.size()), name.data(), of.taken_for[i]);
    }
    out += '\n';
  }
  return out;
}

}  // namespace perigee::lab
