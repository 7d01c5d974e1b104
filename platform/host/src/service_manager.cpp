#include "perigee/host/service_manager.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "descriptor.hpp"
#include "perigee/host/log.hpp"

namespace perigee::host {
namespace {

/// A message that was not taken is repeated after this long.
constexpr Micros beat_us_max = 1'000'000;
constexpr Micros watchdog_us_max = Micros{86'400} * 1'000'000;

std::optional<std::int64_t> positive_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{} || end != text.data() + text.size() || number <= 0) return std::nullopt;
  return number;
}

Error unusable_variable(std::string_view name, std::string_view value, std::string_view expected) {
  return Error{std::string(name) + "='" + std::string(value) + "' is not " + std::string(expected) +
               "; the service manager sets it, so start this process without it"};
}

}  // namespace

Result<ServiceManagerOptions> parse_service_manager(const char* socket, const char* watchdog_usec,
                                                    const char* watchdog_pid,
                                                    std::int64_t own_pid) {
  ServiceManagerOptions out;
  if (socket == nullptr || *socket == '\0') return out;
  out.socket = socket;
  const bool usable = out.socket.size() > 1 && (out.socket[0] == '/' || out.socket[0] == '@') &&
                      out.socket.size() < sizeof(sockaddr_un::sun_path);
  if (!usable)
    return unusable_variable("NOTIFY_SOCKET", socket, "a path or an abstract name, 107 bytes long");
  if (watchdog_usec == nullptr) return out;
  const auto watchdog_us = positive_number(watchdog_usec);
  if (!watchdog_us)
    return unusable_variable("WATCHDOG_USEC", watchdog_usec, "a number of microseconds");
  if (watchdog_pid != nullptr) {
    const auto pid = positive_number(watchdog_pid);
    if (!pid) return unusable_variable("WATCHDOG_PID", watchdog_pid, "the id of a process");
    if (*pid != own_pid) return out;  // it watches the process that started this one
  }
  out.watchdog_us = std::min(*watchdog_us, watchdog_us_max);
  return out;
}

struct ServiceManager::Impl {
  Impl(Loop& loop, ServiceManagerOptions o)
      : options(std::move(o)),
        fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)),
        timer(loop, [this] { beat(); }) {}

  void say(std::string_view state) {
    unsent = state;
    send();
  }
  void beat() {
    if (options.watchdog_us != 0) put("WATCHDOG=1");
    send();
  }
  void send() {
    if (!unsent.empty() && put(unsent)) unsent.clear();
  }
  bool put(std::string_view message);

  ServiceManagerOptions options;
  Descriptor fd;
  std::string unsent;  ///< the newest state
  bool warned = false;
  Timer timer;
};

/// A full queue of the service manager is normal while it is busy; everything else is logged once.
bool ServiceManager::Impl::put(std::string_view message) {
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::memcpy(to.sun_path, options.socket.data(), options.socket.size());
  if (options.socket[0] == '@') to.sun_path[0] = '\0';
  const auto bytes =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + options.socket.size());
  const bool taken = sendto(fd.get(), message.data(), message.size(), MSG_NOSIGNAL,
                            reinterpret_cast<const sockaddr*>(&to), bytes) >= 0;
  if (!taken && errno != EAGAIN && errno != EINTR && !std::exchange(warned, true)) {
    log_warning("the service manager does not listen; it may take this process for a hung one",
                {{"socket", options.socket}, {"why", std::strerror(errno)}});
  }
  return taken;
}

ServiceManager::ServiceManager(Loop& loop, ServiceManagerOptions options) {
  if (!options.socket.empty()) impl_ = std::make_unique<Impl>(loop, std::move(options));
}

ServiceManager::ServiceManager(Loop& loop) {
  auto options = parse_service_manager(std::getenv("NOTIFY_SOCKET"), std::getenv("WATCHDOG_USEC"),
                                       std::getenv("WATCHDOG_PID"), getpid());
  if (!options) log_warning(options.error().message);
  if (options && !options->socket.empty())
    impl_ = std::make_unique<Impl>(loop, std::move(*options));
}

ServiceManager::~ServiceManager() = default;

void ServiceManager::serving() {
  if (!impl_) return;
  impl_->say("READY=1");
  const Micros watchdog_us = impl_->options.watchdog_us;
  impl_->timer.every(watchdog_us == 0 ? beat_us_max
                                      : std::clamp<Micros>(watchdog_us / 3, 1'000, beat_us_max));
}

void ServiceManager::reload(const std::function<void()>& read_files) {
  if (impl_) {
    impl_->say("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(Loop::clock_us()));
  }
  read_files();
  if (impl_) impl_->say("READY=1");
}

void ServiceManager::stopping() {
  if (impl_) impl_->say("STOPPING=1");
}

}  // namespace perigee::host
