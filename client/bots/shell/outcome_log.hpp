/// A line for each outcome that a bot is told, while they play: what is in here, nobody may take
/// back.
#pragma once

#include <cstdint>
#include <fstream>
#include <span>
#include <string>

#include "perigee/netcode/result.hpp"
#include "perigee/netcode/wire_world.hpp"

namespace perigee::bots {

class OutcomeLog {
 public:
  /// What was in the file is gone.
  static Result<OutcomeLog> open(const std::string& file);
  /// After each frame of that bot.
  void add(std::uint32_t bot, std::span<const OutcomeEvent> told);
  /// An Error: lines are missing.
  Result<Ok> complete() const;

 private:
  explicit OutcomeLog(std::string name) : name_(std::move(name)), file_(name_) {}
  Error error() const;

  std::string name_;
  std::ofstream file_;
};

}  // namespace perigee::bots
