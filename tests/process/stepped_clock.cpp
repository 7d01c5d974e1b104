// For LD_PRELOAD: adds to the wall clock the seconds in the file named by PERIGEE_TEST_CLOCK_STEP.
// Waits for a point in time of that clock follow the step, too, as the kernel's do.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace {

constexpr std::int64_t second_ns = 1'000'000'000, slice_ns = 20'000'000;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::int64_t step_s() {
  static const volatile std::int64_t* const step = [] {
    const char* file = std::getenv("PERIGEE_TEST_CLOCK_STEP");
    const int fd = file == nullptr ? -1 : open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0) std::abort();
    void* at = mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, fd, 0);
    return static_cast<const volatile std::int64_t*>(at);
  }();
  return *step;
}

std::int64_t ns(const timespec& time) { return time.tv_sec * second_ns + time.tv_nsec; }

int real_clock(clockid_t clock, timespec* now) {
  static auto* const real = next<int(clockid_t, timespec*)>("clock_gettime");
  return real(clock, now);
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* now) {
  const int code = real_clock(clock, now);
  if (clock == CLOCK_REALTIME) now->tv_sec += step_s();
  return code;
}

// OpenSSL reads it for the dates of certificates, SQLite reads the other one.
extern "C" std::time_t time(std::time_t* out) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != nullptr) *out = now.tv_sec;
  return now.tv_sec;
}
extern "C" int gettimeofday(timeval* out, void*) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  *out = {now.tv_sec, now.tv_nsec / 1'000};
  return 0;
}

// The futex wait of abseil, and so of gRPC.
extern "C" long syscall(long number, ...) {
  static auto* const real = next<long(long, ...)>("syscall");
  long a[6];
  va_list list;
  va_start(list, number);
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (number == SYS_clock_gettime) {
    return clock_gettime(static_cast<clockid_t>(a[0]), reinterpret_cast<timespec*>(a[1]));
  }
  const auto* until = reinterpret_cast<const timespec*>(a[3]);
  if (number != SYS_futex || (a[1] & FUTEX_CLOCK_REALTIME) == 0 || until == nullptr) {
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  while (true) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    const std::int64_t left_ns = ns(*until) - ns(now);
    if (left_ns <= 0) {
      errno = ETIMEDOUT;
      return -1;
    }
    real_clock(CLOCK_REALTIME, &now);
    const std::int64_t slice_until_ns = ns(now) + (left_ns < slice_ns ? left_ns : slice_ns);
    const timespec slice{slice_until_ns / second_ns, slice_until_ns % second_ns};
    const long code = real(number, a[0], a[1], a[2], reinterpret_cast<long>(&slice), a[4], a[5]);
    if (code != -1 || errno != ETIMEDOUT) return code;
  }
}
