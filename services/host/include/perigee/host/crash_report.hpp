/// The last line of a process that dies of a fault: signal, stack, build, and what it was at. It
/// goes to standard error and into a file, and the process then ends by the same signal.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace perigee::host {

/// A text that a signal handler can make: it allocates nothing, and cuts what is too long.
class CrashText {
 public:
  CrashText& operator<<(std::string_view text) noexcept;
  CrashText& number(std::uint64_t value) noexcept;
  CrashText& hex(std::uint64_t value) noexcept;
  std::string_view view() const noexcept { return {text_.data(), size_}; }

 private:
  std::array<char, 2'048> text_{};
  std::size_t size_ = 0;
};

/// Adds a line, without its end, about what the calling thread was at; nothing if it was at
/// nothing. For signal handlers: takes no lock, allocates nothing.
using CrashContext = void (*)(CrashText& text);

inline constexpr std::string_view crash_ending = ".crash";
inline constexpr std::size_t crash_files_max = 16;

/// Call it on the thread of the loop, once, after the settings are known. Covers SIGSEGV, SIGBUS,
/// SIGFPE, SIGILL, SIGABRT, PERIGEE_ASSERT and exceptions that nothing catches. The file is
/// FOLDER/PROCESS-TIME-PID.crash; the newest crash_files_max stay. `folder` may be missing until
/// then; empty: no file.
void report_crashes(std::string_view process, const std::filesystem::path& folder,
                    CrashContext context = nullptr);

}  // namespace perigee::host
