/// The techniques in use: chosen by the program, by the game for the avatar's type, or by an
/// operator's order that comes via the gateway.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "perigee/base/frames.hpp"
#include "perigee/base/techniques.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/client/telemetry_log.hpp"

namespace perigee::client {

class TechniqueControl {
 public:
  struct Needs {
    TelemetryLog& telemetry;
    /// The techniques in use have changed.
    std::function<void(const Techniques&)> on_change;
    /// Displaces the prediction by that many metres, if it is running.
    std::function<void(const Vec3&)> inject_desync;
  };
  /// `chosen`: none if the game chooses by the avatar's type.
  TechniqueControl(Needs needs, const std::optional<Techniques>& chosen)
      : needs_(std::move(needs)),
        techniques_(chosen.value_or(Techniques{})),
        chosen_(chosen.has_value()) {}

  const Techniques& techniques() const { return techniques_; }
  /// Switches from now on; the game's choice is not used any more.
  void use(const Techniques& techniques);
  /// The game's choice for the own avatar. Ignored if there was another choice before.
  void suggest(const Techniques& techniques) {
    if (!chosen_) use(techniques);
  }

  /// An order from the gateway.
  void on_order(std::span<const std::byte> bytes);
  /// Adds the answer to an order, if one is due.
  void write_answer(FrameWriter& frames);
  /// Orders of a new session are numbered anew.
  void forget_session();
  /// Number of orders that were carried out.
  std::uint32_t orders_obeyed() const { return orders_obeyed_; }

 private:
  Needs needs_;
  Techniques techniques_;
  bool chosen_;
  std::uint32_t newest_order_ = 0;  ///< number of the session's newest order; 0: none yet
  bool answer_due_ = false;
  std::uint32_t orders_obeyed_ = 0;
};

}  // namespace perigee::client
