#include "json.hpp"

#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "perigee/base/rounded.hpp"

namespace perigee::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr int figure_digits = 6;
constexpr int share_digits = 4;

/// One member for each cause, in the order of correction_cause_rows.
template <class Value>
Json by_cause(const std::array<Value, enum_count<CorrectionCause>>& values, auto shown) {
  Json out = Json::object();
  for (const auto& cause : correction_cause_rows) {
    out[std::string(cause.name)] = shown(values[static_cast<std::size_t>(cause.what)]);
  }
  return out;
}

Json to_json(const Cell& cell) {
  const auto figure = [](double value) { return to_significant(value, figure_digits); };
  Json out{{"scenario", cell.scenario},
           {"preset", cell.preset},
           {"profile", cell.profile},
           {"seed", cell.seed},
           {"valid", cell.valid()}};
  if (!cell.valid()) out["below"] = cell.below;
  for (const CellFigure& each : cell_figures()) {
    out[std::string(each.name)] = figure(cell.*each.value);
  }
  out["causes_per_minute"] = by_cause(cell.causes_per_minute, figure);
  out["told_causes_per_minute"] = by_cause(cell.reported_causes_per_minute, figure);
  return out;
}

Json to_json(const FaultAnswers& of) {
  return {{"injected", correction_cause_rows[static_cast<std::size_t>(of.injected)].name},
          {"unseen", of.unseen},
          {"right", to_significant(of.right(), share_digits)},
          {"taken_for", by_cause(of.taken_for, [](auto count) { return count; })}};
}

/// Indented, a member a line. A commit's name comes from the environment, so bytes that are not
/// UTF-8 are replaced.
std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

template <class Item>
Json list_of(std::span<const Item> items) {
  Json out = Json::array();
  for (const Item& item : items) out.push_back(to_json(item));
  return out;
}

}  // namespace

std::string json(std::span<const Cell> cells, const Provenance& of) {
  return text_of({{"lab_protocol", std::atoi(of.protocol.c_str())},
                  {"yardstick", of.yardstick},
                  {"commit", of.commit},
                  {"cells", list_of(cells)}});
}

std::string confusion_json(std::span<const FaultAnswers> answers, std::string_view profile) {
  return text_of({{"profile", profile}, {"faults", list_of(answers)}});
}

}  // namespace perigee::lab
