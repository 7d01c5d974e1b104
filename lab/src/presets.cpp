#include "perigee/lab/presets.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace perigee::lab {
namespace {

// The published articles' and talks' techniques, as far as our switches cover them: frozen, so that
// tables of different years are comparable. Where a source is silent, the simplest choice is
// assumed: no rollback, no redundancy, no prediction relative to ships.
constexpr Techniques plain{.storm_breaker = false,
                           .timeline = Timeline::OnArrival,
                           .rollback = false,
                           .redundancy = Redundancy::None,
                           .relative_prediction = false};

constexpr Techniques seed000(Smoothing smoothing) {
  Techniques techniques = plain;
  techniques.reconcile_beyond_m = 0.00001;
  techniques.smoothing = smoothing;
  return techniques;
}

constexpr Techniques seed001() {
  Techniques techniques = plain;
  techniques.reconciler = Reconciler::Shift;
  techniques.reconcile_beyond_m = 0.05;
  techniques.smoothing = Smoothing::None;
  techniques.send_every_ms = 20;
  return techniques;
}

constexpr Techniques seed002() {
  Techniques techniques = plain;
  techniques.smoothing = Smoothing::None;
  techniques.view = ViewTick::SharedClock;
  return techniques;
}

constexpr Techniques seed003() {
  Techniques techniques = plain;
  techniques.smoothing = Smoothing::None;
  techniques.timeline = Timeline::Suggested;
  techniques.suggested_ms = 30;
  techniques.rollback = true;
  return techniques;
}

constexpr Techniques talk(bool relative_prediction) {
  return {.reconciler = Reconciler::Shift,
          .reconcile_beyond_m = 0.05,
          .smoothing = Smoothing::Exponential,
          .timeline = Timeline::PlayoutInTrouble,
          .rollback = false,
          .redundancy = Redundancy::None,
          .relative_prediction = relative_prediction};
}

constexpr std::array all{
    Preset{"perigee", "a client's defaults", {}},
    Preset{"talk", "playout buffer in trouble, shift, exponential, relative (K9-K47)", talk(true)},
    Preset{"talk-world-frame", "the same, relative to ships where they are rendered (K33)",
           talk(false)},
    Preset{"seed000_A", "replay beyond 1e-5, 65 % of the old displayed position for 0.25 s (E1-E5)",
           seed000(Smoothing::ConstantWeight)},
    Preset{"seed000_B", "the same, 75 % of it less one per second (E6)",
           seed000(Smoothing::FadingWeight)},
    Preset{"seed001", "packets every 20 ms, the server's state at once (V1-V9)", seed001()},
    Preset{"seed002", "others 100 ms behind the shared clock (B1-B4)", seed002()},
    Preset{"seed003", "suggested ticks, X = 30 ms, with rollback (S1-S14)", seed003()},
    Preset{"no-smoothing", "corrections are displayed at once", {.smoothing = Smoothing::None}},
    Preset{"constant-weight",
           "65 % of the old displayed position per frame, for 0.25 s (E5)",
           {.smoothing = Smoothing::ConstantWeight}},
    Preset{"fading-weight",
           "75 % of it, less one per second (E6)",
           {.smoothing = Smoothing::FadingWeight}},
    Preset{"exponential",
           "the remaining error is halved every 0.1 s (K32)",
           {.smoothing = Smoothing::Exponential}},
    Preset{
        "shift", "the difference is added to the present (K25)", {.reconciler = Reconciler::Shift}},
    Preset{"threshold",
           "differences below 5 cm are not corrected (E2, K32)",
           {.reconcile_beyond_m = 0.05}},
    Preset{"no-breaker",
           "the prediction is shown even during storms of corrections",
           {.storm_breaker = false}},
    Preset{"no-prediction", "server states are shown without prediction", {.prediction = false}},
    Preset{"playout", "the buffer of four, always (K9)", {.timeline = Timeline::Playout}},
    Preset{"suggested", "30 ms ahead of the server (S3)", {.timeline = Timeline::Suggested}},
    Preset{"no-rollback", "late inputs are discarded (S12)", {.rollback = false}},
    Preset{"no-redundancy", "each input is sent once (V0)", {.redundancy = Redundancy::None}},
    Preset{"world-frame", "motion is not relative to ships (K33)", {.relative_prediction = false}},
};

}  // namespace

std::span<const Preset> presets() { return all; }

Result<Preset> find_preset(std::string_view name) {
  const auto found = std::ranges::find(all, name, &Preset::name);
  if (found != all.end()) return *found;
  std::string names;
  for (const Preset& preset : all) names += " " + std::string(preset.name);
  return Error{"no preset '" + std::string(name) + "'; presets:" + names};
}

}  // namespace perigee::lab
