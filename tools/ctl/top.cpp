// perigee-ctl top: workers, gateways and regions of a cluster at a glance, again and again.
#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <map>
#include <string>
#include <thread>

#include "calls.hpp"
#include "directory.grpc.pb.h"
#include "player_watch.hpp"
#include "workers.hpp"

namespace perigee::session {
namespace {

namespace map = directory::v1;
using Clock = std::chrono::steady_clock;

constexpr double tick_ms = 1'000.0 / 60;
constexpr int bar_cells = 16;

volatile std::sig_atomic_t interrupted = 0;

/// Text in a color, if the terminal has colors.
struct Paint {
  bool on = false;
  std::string operator()(const char* code, const std::string& text) const {
    return on ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
  }
};
constexpr const char* green = "32";
constexpr const char* yellow = "33";
constexpr const char* red = "31";
constexpr const char* faint = "2";
constexpr const char* bold = "1";

template <class... Values>
std::string text(const char* format, Values... values) {
  std::array<char, 512> out{};
  std::snprintf(out.data(), out.size(), format, values...);
  return out.data();
}

const char* color_of(double share) { return share < 0.6 ? green : share < 0.85 ? yellow : red; }

/// A bar of eighths.
std::string bar(double share, const Paint& paint) {
  constexpr std::array<const char*, 8> parts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = static_cast<int>(std::clamp(share, 0.0, 1.0) * bar_cells * 8 + 0.5);
  std::string filled;
  for (int i = 0; i < eighths / 8; ++i) filled += "█";
  int cells = eighths / 8;
  if (eighths % 8 != 0) {
    filled += parts[static_cast<std::size_t>(eighths % 8)];
    ++cells;
  }
  std::string empty;
  for (; cells < bar_cells; ++cells) empty += "·";
  return paint(color_of(share), filled) + paint(faint, empty);
}

class Top {
 public:
  Top(std::string directory, Paint paint) : directory_(std::move(directory)), paint_(paint) {}

  /// One picture. None: no directory answers; the reason was printed.
  std::optional<std::string> picture() {
    map::ClusterMap now;
    if (!call_directory<map::Directory>(directory_, &map::Directory::Stub::ListMap,
                                        map::ListMapRequest{}, now)) {
      return std::nullopt;
    }
    players_.follow(now);
    const auto says = ask_workers(now);
    std::string out = head(now) + "\n" + paint_(faint, worker_head()) + "\n";
    for (int i = 0; i < now.workers_size(); ++i) {
      out += worker_row(now, now.workers(i), says[static_cast<std::size_t>(i)]);
    }
    out += "\n" + paint_(faint, gateway_head()) + "\n";
    for (const map::Gateway& gateway : now.gateways()) out += gateway_row(gateway);
    for (const map::RefusedMember& refused : now.refused()) {
      out += paint_(yellow, "refused: " + refused.name() + ": " + refused.why()) + "\n";
    }
    return out;
  }

 private:
  std::string head(const map::ClusterMap& now) const {
    unsigned alive = 0, in_play = 0, away = 0, gateways = 0;
    for (const map::Worker& worker : now.workers()) {
      alive += worker.alive() ? 1U : 0U;
      in_play += worker.alive() ? worker.players() : 0U;
    }
    for (const map::Region& region : now.regions()) away += region.away();
    for (const map::Gateway& gateway : now.gateways()) gateways += gateway.alive() ? 1U : 0U;
    const unsigned percent = now.time().empty() ? 100U : now.time().rbegin()->rate_ppm() / 10'000;
    const std::string time = text("world time %u %%", percent);
    std::array<char, 16> clock{};
    const std::time_t seconds = std::time(nullptr);
    std::tm local{};
    localtime_r(&seconds, &local);
    std::strftime(clock.data(), clock.size(), "%H:%M:%S", &local);
    return paint_(bold, text("%u players", in_play)) +
           text("   %u of %d workers   %u gateways   %d regions   balance %s   ", alive,
                now.workers_size(), gateways, now.regions_size(), now.balance() ? "on" : "off") +
           paint_(percent < 100 ? yellow : faint, time) +
           (away > 0 ? text("   %u entities migrating", away) : "") + "   " +
           paint_(faint, clock.data()) + "\n";
  }

  static std::string worker_head() {
    return text("%-16s %-9s %-24s %7s %8s %8s %8s %8s %9s  %s", "WORKER", "STATE", "LOAD",
                "PLAYERS", "ENTITIES", "P50 MS", "P99 MS", "OVER/S", "BEHIND MS", "STANDBY");
  }
  std::string worker_row(const map::ClusterMap& now, const map::Worker& worker,
                         const std::optional<sim::v1::StatusReply>& says) {
    if (!worker.alive()) {
      return text("%-16s ", worker.name().c_str()) + paint_(faint, "gone") + "\n";
    }
    const double load = worker.load_ms() / tick_ms;
    const std::string state = !says ? "silent" : worker.draining() ? "draining" : "alive";
    std::string out = text("%-16s ", worker.name().c_str()) +
                      paint_(!says               ? red
                             : worker.draining() ? yellow
                                                 : green,
                             text("%-9s", state.c_str())) +
                      " " + bar(load, paint_) + text(" %5.1f %% ", 100 * load);
    if (!says) return out + "\n";
    const double p99_ms = says->tick_p99_us() / 1e3;
    const double over_per_s = per_second(worker.name(), says->overruns());
    const std::string standby = !worker.has_standby()
                                    ? "none"
                                    : now.workers(static_cast<int>(worker.standby())).name() +
                                          (worker.standby_in_sync() ? "" : ", copying");
    return out +
           text("%7u %8u %8.2f ", says->players(), worker.entities(), says->tick_p50_us() / 1e3) +
           paint_(color_of(p99_ms / tick_ms), text("%8.2f", p99_ms)) + " " +
           paint_(over_per_s > 0 ? red : faint, text("%8.1f", over_per_s)) +
           text(" %9.1f  ", static_cast<double>(says->tick_lag_us()) / 1e3) +
           paint_(worker.has_standby() && worker.standby_in_sync() ? faint : yellow, standby) +
           "\n";
  }
  /// Since the picture before.
  double per_second(const std::string& worker, std::uint64_t overruns) {
    const auto at = Clock::now();
    const auto before = overruns_.find(worker);
    double out = 0;
    if (before != overruns_.end() && overruns >= before->second.count) {
      const double passed_s = std::chrono::duration<double>(at - before->second.at).count();
      out = static_cast<double>(overruns - before->second.count) / std::max(passed_s, 1e-3);
    }
    overruns_[worker] = {at, overruns};
    return out;
  }

  static std::string gateway_head() {
    return text("%-16s %-9s %-24s %7s %8s %8s %8s %8s %9s  %s", "GATEWAY", "STATE", "PLAYERS DIAL",
                "PLAYERS", "PING P50", "PING P99", "JITTER", "LOSS %", "KB/S EACH",
                "CORRECTIONS/MIN");
  }
  std::string gateway_row(const map::Gateway& gateway) const {
    std::string out = text("%-16s ", gateway.name().c_str());
    if (!gateway.alive()) return out + paint_(faint, "gone") + "\n";
    out += paint_(green, "alive    ") + text(" %-24s ", gateway.public_udp_address().c_str());
    const auto report = players_.newest(gateway.name());
    if (!report) return out + paint_(faint, "no report yet") + "\n";
    const PlayerFigures of = figures_of(*report);
    return out +
           text("%7u %8.1f %8.1f %8.1f %8.1f %9.1f  ", of.players, of.rtt_p50_ms, of.rtt_p99_ms,
                of.jitter_p99_ms, of.loss_percent, of.kb_per_s) +
           paint_(of.corrections_per_min > 3 ? yellow : faint,
                  text("%.2f", of.corrections_per_min)) +
           "\n";
  }

  struct Overruns {
    Clock::time_point at;
    std::uint64_t count = 0;
  };
  const std::string directory_;
  const Paint paint_;
  PlayerWatch players_;
  std::map<std::string, Overruns> overruns_;
};

}  // namespace

int watch_top(const std::string& directory, double every_s, std::uint32_t pictures) {
  if (as_json()) {
    std::fprintf(stderr,
                 "perigee-ctl top: it is for people; for programs: perigee-ctl workers --json\n");
    return host::exit_usage;
  }
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  Top top(directory, Paint{terminal && std::getenv("NO_COLOR") == nullptr});
  std::signal(SIGINT, [](int) { interrupted = 1; });
  if (terminal) std::printf("\033[?25l");  // no cursor
  int code = host::exit_ok;
  for (std::uint32_t shown = 0; interrupted == 0 && (pictures == 0 || shown < pictures); ++shown) {
    if (shown > 0) {
      const auto until = Clock::now() + std::chrono::duration<double>(every_s);
      while (interrupted == 0 && Clock::now() < until) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
      if (interrupted != 0) break;
    }
    const auto picture = top.picture();
    if (!picture && shown == 0) code = host::exit_failed;
    if (!picture && shown == 0) break;
    // From the top left corner, and what is left of the former picture goes.
    if (picture)
      std::printf("%s%s%s", terminal ? "\033[H\033[J" : "", picture->c_str(), terminal ? "" : "\n");
    std::fflush(stdout);
  }
  if (terminal) std::printf("\033[?25h");
  return code;
}

}  // namespace perigee::session
