/// A line for each outcome that a bot receives, written during play: listed outcomes are final and
/// must never be undone.
#pragma once

#include <cstdint>
#include <fstream>
#include <span>
#include <string>

#include "perigee/base/result.hpp"
#include "perigee/base/wire_world.hpp"

namespace perigee::bots {

class OutcomeLog {
 public:
  /// Truncates the file.
  static Result<OutcomeLog> open(const std::string& file);
  /// Called after each frame of that bot.
  void add(std::uint32_t bot, std::span<const OutcomeEvent> reported);
  /// An Error if lines are missing.
  Result<Ok> complete() const;

 private:
  explicit OutcomeLog(std::string name) : name_(std::move(name)), file_(name_) {}
  Error error() const;

  std::string name_;
  std::ofstream file_;
};

}  // namespace perigee::bots
