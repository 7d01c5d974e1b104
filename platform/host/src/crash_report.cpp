#include "perigee/host/crash_report.hpp"

#include <cxxabi.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <exception>
#include <string>
#include <typeinfo>
#include <vector>

#include "perigee/base/assert.hpp"
#include "perigee/base/sanitized.hpp"
#include "perigee/host/build.hpp"
#include "perigee/host/file_shelf.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/output.hpp"

namespace perigee::host {

CrashText& CrashText::operator<<(std::string_view text) noexcept {
  const std::size_t fits = std::min(text.size(), text_.size() - size_);
  std::memcpy(text_.data() + size_, text.data(), fits);
  size_ += fits;
  return *this;
}

namespace {

CrashText& add_digits(CrashText& text, std::uint64_t value, unsigned base) noexcept {
  std::array<char, 20> digits;
  std::size_t at = digits.size();
  do {
    digits[--at] = "0123456789abcdef"[value % base];
    value /= base;
  } while (value != 0);
  return text << std::string_view(digits.data() + at, digits.size() - at);
}

}  // namespace

CrashText& CrashText::number(std::uint64_t value) noexcept { return add_digits(*this, value, 10); }
CrashText& CrashText::hex(std::uint64_t value) noexcept {
  return add_digits(*this << "0x", value, 16);
}

namespace {

constexpr int frames_max = 64;
constexpr std::size_t signal_stack_bytes = 64U << 10;
/// Time for queued log lines to be written before the report, and for a reader to take the report.
constexpr Micros patience_us = 200'000;
/// If the report itself hangs, e.g. because of a lock held at the crash, SIGALRM ends the process.
constexpr unsigned report_s_max = 4;

struct Signal {
  int number;
  std::string_view name;
};
constexpr std::array signals{Signal{SIGSEGV, "SIGSEGV"}, Signal{SIGBUS, "SIGBUS"},
                             Signal{SIGFPE, "SIGFPE"}, Signal{SIGILL, "SIGILL"},
                             Signal{SIGABRT, "SIGABRT"}};

/// Everything that the handler needs, prepared before a crash.
struct Prepared {
  std::string process, build, folder, folder_above, file;
  CrashContext context = nullptr;
  std::vector<char> signal_stack;
};
const Prepared* prepared = nullptr;
std::atomic<pid_t> dying_thread = 0;
/// Why the process aborts; written by the aborting thread.
CrashText abort_reason;

std::string_view name_of(int number) {
  for (const Signal& each : signals) {
    if (each.number == number) return each.name;
  }
  return "unknown";
}

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(fd, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

/// Writes in pieces small enough for a pipe with room not to block.
void write_patiently(int fd, std::string_view text) {
  constexpr std::size_t atomic_bytes = 512;  // POSIX's minimum PIPE_BUF
  while (!text.empty()) {
    pollfd room{fd, POLLOUT, 0};
    if (poll(&room, 1, static_cast<int>(patience_us / 1'000)) <= 0) return;
    const std::string_view part = text.substr(0, atomic_bytes);
    write_all(fd, part);
    text.remove_prefix(part.size());
  }
}

void describe(CrashText& text, int number, const siginfo_t& info) {
  text << prepared->process << ": died of signal ";
  text.number(static_cast<std::uint64_t>(number)) << " (" << name_of(number) << ")";
  if (number != SIGABRT) {
    text << " at address ";
    text.hex(reinterpret_cast<std::uintptr_t>(info.si_addr));
  }
  text << "; build " << prepared->build << ", pid ";
  text.number(static_cast<std::uint64_t>(getpid())) << "\n";
  if (!abort_reason.view().empty()) text << abort_reason.view() << "\n";
  if (prepared->context != nullptr) {
    const std::size_t before = text.view().size();
    prepared->context(text);
    if (text.view().size() != before) text << "\n";
  }
  text << "stack; addr2line -Cfe PROGRAM OFFSET prints the source lines:\n";
}

int open_file() {
  if (prepared->file.empty()) return -1;
  mkdir(prepared->folder_above.c_str(), 0700);
  mkdir(prepared->folder.c_str(), 0700);
  return open(prepared->file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

// The stack's symbols come piece by piece. They are written to memory first because a full pipe
// would block them.
void report(int number, const siginfo_t& info) {
  CrashText head;
  describe(head, number, info);
  const int memory = memfd_create("crash", MFD_CLOEXEC);
  std::array<void*, frames_max> frames;
  const int depth = backtrace(frames.data(), frames_max);
  if (memory >= 0) backtrace_symbols_fd(frames.data(), depth, memory);
  const int file = open_file();
  const auto put_everywhere = [&](auto put) {
    put(head.view());
    std::array<char, 512> part;
    off_t at = 0;
    for (ssize_t got = 0; (got = pread(memory, part.data(), part.size(), at)) > 0; at += got) {
      put(std::string_view(part.data(), static_cast<std::size_t>(got)));
    }
  };
  if (file >= 0) {
    put_everywhere([&](std::string_view text) { write_all(file, text); });
    fsync(file);
  }
  await_output_in_signal(patience_us);
  put_everywhere([&](std::string_view text) { write_patiently(STDERR_FILENO, text); });
  if (file >= 0) {
    CrashText where;
    where << prepared->process << ": the report is in " << prepared->file << "\n";
    write_patiently(STDERR_FILENO, where.view());
  }
}

// Afterwards the signal has its default effect: its exit status and a core file.
void on_crash(int number, siginfo_t* info, void*) {
  pid_t none = 0;
  const pid_t self = gettid();
  if (dying_thread.compare_exchange_strong(none, self)) {
    std::signal(SIGALRM, SIG_DFL);
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarm_only, nullptr);
    alarm(report_s_max);
    report(number, *info);
  } else if (none != self) {
    while (true) pause();  // the first thread's report ends the process
  }
  std::signal(number, SIG_DFL);
  raise(number);
}

[[noreturn]] void on_terminate() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (type == nullptr) {
    abort_reason << "std::terminate was called";
  } else {
    int failed = 0;
    const char* const name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &failed);
    abort_reason << "uncaught exception: " << (failed == 0 ? name : type->name());
    try {
      throw;
    } catch (const std::exception& error) {
      abort_reason << ": " << error.what();
    } catch (...) {
      abort_reason << ", not a std::exception";
    }
  }
  std::abort();
}

/// A thread with an overflowed stack cannot run its handler: the loop's thread gets an alternate
/// stack.
void take_signal_stack(std::vector<char>& memory) {
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  sigaltstack(&stack, nullptr);
}

bool handled_by_sanitizer(int number) { return sanitized && number != SIGABRT; }

}  // namespace

void keep_assertion(const char* text) noexcept { abort_reason << text; }

void report_crashes(std::string_view process, const std::filesystem::path& folder,
                    CrashContext context) {
  auto* const made = new Prepared{.process = std::string(process), .build = build_name()};
  made->context = context;
  if (!folder.empty()) {
    keep_newest(folder, std::string(crash_ending), crash_files_max - 1);
    made->folder = folder.string();
    made->folder_above = folder.parent_path().string();
    made->file = (folder / (made->process + "-" + std::to_string(Loop::wall_us() / 1'000'000) +
                            "-" + std::to_string(getpid()) + std::string(crash_ending)))
                     .string();
  }
  made->signal_stack.resize(signal_stack_bytes);
  take_signal_stack(made->signal_stack);
  prepared = made;
  // The first call loads a library, which a handler must not do.
  std::array<void*, 1> frame;
  backtrace(frame.data(), 1);
  set_assertion_listener(keep_assertion);
  std::set_terminate(on_terminate);
  for (const Signal& each : signals) {
    if (handled_by_sanitizer(each.number)) continue;
    struct sigaction action{};
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(each.number, &action, nullptr);
  }
}

}  // namespace perigee::host
