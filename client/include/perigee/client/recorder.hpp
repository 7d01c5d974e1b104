/// The client's part of a flight recording: the last seconds of the own avatar. Does nothing unless
/// it is asked to.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "perigee/client/prediction.hpp"
#include "perigee/client/settings.hpp"
#include "perigee/replay/flight_recorder.hpp"
#include "perigee/world/game.hpp"

namespace perigee::client {

class Recorder {
 public:
  struct Needs {
    const world::GameModule& game;
    const Settings& settings;
    const EntityStore& entities;
    const Prediction& prediction;
  };
  explicit Recorder(const Needs& needs) : needs_(needs) { use(needs.settings.recorder); }

  /// Records with these settings from now on, or no longer. Drops the recorded ticks.
  void use(const std::optional<replay::RecorderSettings>& settings);

  void forget_world();
  void note_step(const world::StepRecord& record);
  /// `own`: with a final tick as the client's inputs name it.
  void note_final(const OwnSection& own);
  void note_change(const TimelineEvent& event);
  void note_correction(const Correction& correction);

  /// The seconds up to the correction `of`; none without a recorder, or before playing.
  std::optional<replay::Recording> recording(const Correction& of, std::string_view build) const;

 private:
  Needs needs_;
  std::optional<replay::RecorderSettings> settings_;
  std::unique_ptr<replay::FlightRecorder> recorder_;
};

}  // namespace perigee::client
