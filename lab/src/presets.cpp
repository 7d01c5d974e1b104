#include "perigee/lab/presets.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace perigee::lab {
namespace {

using client::Reconciler;

constexpr std::array all{
    Preset{"perigee", "what a client does unless told otherwise", {}},
    Preset{"no-smoothing", "corrections are shown at once", {.smoothing = Smoothing::None}},
    Preset{"constant-weight",
           "65 % of the old display per frame, for 0.25 s (E5)",
           {.smoothing = Smoothing::ConstantWeight}},
    Preset{"fading-weight",
           "75 % of it, less one per second (E6)",
           {.smoothing = Smoothing::FadingWeight}},
    Preset{"exponential",
           "half of what is left every 0.1 s (K32)",
           {.smoothing = Smoothing::Exponential}},
    Preset{
        "shift", "the difference is added to the present (K25)", {.reconciler = Reconciler::Shift}},
    Preset{"threshold",
           "differences below 5 cm are left as they are (E2, K32)",
           {.reconcile_beyond_m = 0.05}},
    Preset{"no-breaker", "wrong or not, the prediction is shown", {.storm_breaker = false}},
    Preset{"no-prediction", "shown is what the server said", {.prediction = false}},
};

}  // namespace

std::span<const Preset> presets() { return all; }

Result<Preset> find_preset(std::string_view name) {
  const auto found = std::ranges::find(all, name, &Preset::name);
  if (found != all.end()) return *found;
  std::string names;
  for (const Preset& preset : all) names += " " + std::string(preset.name);
  return Error{"no preset '" + std::string(name) + "'; there are:" + names};
}

}  // namespace perigee::lab
