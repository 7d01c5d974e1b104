/// Settings of a process: command line > environment > TOML file > default. Every setting is one
/// row: key, variable, range, unit, meaning.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/result.hpp"

namespace perigee::host {

inline constexpr int exit_ok = 0;
inline constexpr int exit_failed = 1;  ///< environment: busy port, unreachable peer
inline constexpr int exit_usage = 2;   ///< the operator's settings are invalid

template <class T>
struct Range {
  T low;
  T high;
};

/// The key `sim.tick_rate_hz` is the flag --sim-tick-rate-hz, the variable PERIGEE_SIM_TICK_RATE_HZ
/// and in a file `tick_rate_hz` below `[sim]`. The variable's value at declaration is the default.
/// A file may have sections of other perigee programs: those are ignored.
class Settings {
 public:
  /// `examples`: one command line per line, shown by --help.
  Settings(std::string program, std::string summary, std::string examples);
  ~Settings();
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;

  void number(std::string_view key, std::int64_t* value, Range<std::int64_t> range,
              std::string_view unit, std::string_view help);
  void number(std::string_view key, std::uint16_t* value, Range<std::uint16_t> range,
              std::string_view unit, std::string_view help);
  void number(std::string_view key, std::uint32_t* value, Range<std::uint32_t> range,
              std::string_view unit, std::string_view help);
  void number(std::string_view key, std::uint64_t* value, Range<std::uint64_t> range,
              std::string_view unit, std::string_view help);
  void number(std::string_view key, int* value, Range<int> range, std::string_view unit,
              std::string_view help);
  void number(std::string_view key, double* value, Range<double> range, std::string_view unit,
              std::string_view help);
  /// A fixed count of numbers: [80, 300, 800, 3000] in a file, 80,300,800,3000 elsewhere.
  void numbers(std::string_view key, std::span<double> values, Range<double> range,
               std::string_view unit, std::string_view help);
  void numbers(std::string_view key, std::span<std::uint32_t> values, Range<std::uint32_t> range,
               std::string_view unit, std::string_view help);
  /// true or false; as a flag, without a value, true.
  void flag(std::string_view key, bool* value, std::string_view help);
  void text(std::string_view key, std::string* value, std::string_view help);
  /// One of `choices`.
  void choice(std::string_view key, std::string* value, std::vector<std::string> choices,
              std::string_view help);
  /// `key` had this name until 0.1.0, and is still taken under it.
  void former(std::string_view key, std::string_view former_key);
  /// Called once all values are set and valid, also for --check-config. An Error is an invalid
  /// setting.
  void check(std::function<Result<Ok>()> check);
  /// The option --print-NAME: print text() and exit.
  void printable(std::string_view name, std::string_view help, std::function<std::string()> text);

  using Environment = std::function<std::optional<std::string>(const std::string& name)>;
  /// Tells the process to go on, or to print and exit.
  struct Loaded {
    std::optional<int> exit_code;
    std::string to_stdout;
    std::string to_stderr;
  };
  /// Also understands --help, --config FILE, --print-config and --check-config.
  Loaded load(std::span<const std::string> arguments, const Environment& environment);
  /// load() with the real environment; prints, and returns the exit code if the process must end.
  std::optional<int> load(int argc, const char* const* argv);

  /// The current values as a TOML file, each with its meaning, range and origin.
  std::string print() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace perigee::host
