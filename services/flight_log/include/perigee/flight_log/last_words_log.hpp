/// Writes what workers that died had said last into a folder: the newest few files are kept. At
/// once: whoever goes on with it may be dead a moment later.
#pragma once

#include <optional>
#include <string>

#include "perigee/host/file_shelf.hpp"
#include "perigee/replay/last_words.hpp"

namespace perigee::flight_log {

class LastWordsLog {
 public:
  static constexpr std::uint32_t files_max = 16;
  static constexpr std::uint64_t bytes_max = 256U << 20;

  /// Nothing is there before there is something to write.
  explicit LastWordsLog(std::string folder) : folder_(std::move(folder)) {}
  /// As worker-SLOT-life-LIFE-tick-TICK.lastwords. What cannot be written is said.
  void write(const replay::LastWords& words);

 private:
  std::string folder_;
  std::optional<host::FileShelf> shelf_;
};

}  // namespace perigee::flight_log
