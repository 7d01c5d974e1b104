/// The crash report of a process that dies of a fault: signal, stack, build, and the work it was
/// doing. It goes to standard error and into a file; the process then ends by the same signal.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace perigee::host {

/// A text that is safe to build in a signal handler: allocates nothing and truncates.
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

/// Adds a line, without its newline, about the calling thread's current work; adds nothing if it is
/// idle. Runs in a signal handler: takes no lock, allocates nothing.
using CrashContext = void (*)(CrashText& text);

inline constexpr std::string_view crash_ending = ".crash";
inline constexpr std::size_t crash_files_max = 16;

/// Call it once, on the loop's thread, after the settings are known. Covers SIGSEGV, SIGBUS,
/// SIGFPE, SIGILL, SIGABRT, PERIGEE_ASSERT and uncaught exceptions. The file is
/// FOLDER/PROCESS-TIME-PID.crash; the newest `crash_files_max` files are kept. `folder` is created
/// when needed; empty: no file.
void report_crashes(std::string_view process, const std::filesystem::path& folder,
                    CrashContext context = nullptr);

/// Keeps the text of a failed assertion for the crash report. The process of report_crashes() has
/// it as its AssertionListener; a library with its own copy of base needs it, too.
void keep_assertion(const char* text) noexcept;

}  // namespace perigee::host
