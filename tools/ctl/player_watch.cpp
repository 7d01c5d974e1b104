#include "player_watch.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "calls.hpp"

namespace perigee::session {
namespace {

/// Of sorted values.
double percentile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(share * last)];
}

}  // namespace

class PlayerWatch::Stream {
 public:
  explicit Stream(const std::string& target) : target_(target), thread_([this] { read(); }) {}
  ~Stream() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      if (context_ != nullptr) context_->TryCancel();
    }
    thread_.join();
  }
  const std::string& target() const { return target_; }
  std::optional<gateway::v1::PlayersReport> newest() const {
    const std::lock_guard lock(mutex_);
    return newest_;
  }

 private:
  void read() {
    const auto stub = gateway::v1::Gateway::NewStub(
        host::open_channel(target_, {.tls = operator_tls(), .server = host::PeerRole::Gateway}));
    grpc::ClientContext context;
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) return;
      context_ = &context;
    }
    const auto stream = stub->WatchPlayers(&context, {});
    gateway::v1::PlayersReport report;
    while (stream->Read(&report)) {
      const std::lock_guard lock(mutex_);
      newest_ = std::move(report);
    }
    stream->Finish();
    const std::lock_guard lock(mutex_);
    context_ = nullptr;
    newest_.reset();
  }

  const std::string target_;
  mutable std::mutex mutex_;
  std::optional<gateway::v1::PlayersReport> newest_;  // guarded by mutex_
  grpc::ClientContext* context_ = nullptr;            // guarded by mutex_
  bool stopping_ = false;                             // guarded by mutex_
  std::thread thread_;                                // last: it uses the others
};

PlayerWatch::~PlayerWatch() = default;

void PlayerWatch::follow(const directory::v1::ClusterMap& map) {
  std::map<std::string, std::string> wanted;
  for (const auto& each : map.gateways()) {
    if (each.alive() && !each.grpc_address().empty()) wanted[each.name()] = each.grpc_address();
  }
  std::erase_if(streams_, [&](const auto& known) {
    const auto found = wanted.find(known.first);
    return found == wanted.end() || found->second != known.second->target();
  });
  for (const auto& [name, target] : wanted) {
    if (!streams_.contains(name)) streams_[name] = std::make_unique<Stream>(target);
  }
}

std::optional<gateway::v1::PlayersReport> PlayerWatch::newest(const std::string& gateway) const {
  const auto found = streams_.find(gateway);
  return found == streams_.end() ? std::nullopt : found->second->newest();
}

PlayerFigures figures_of(const gateway::v1::PlayersReport& report) {
  PlayerFigures out;
  std::vector<double> rtt_ms, jitter_ms;
  double bytes_per_s = 0, permille = 0, corrections = 0, minutes = 0;
  for (const auto& player : report.players()) {
    if (!player.playing()) continue;
    ++out.players;
    rtt_ms.push_back(player.rtt_us() / 1e3);
    jitter_ms.push_back(player.jitter_us() / 1e3);
    bytes_per_s += player.received_bytes_per_s();
    permille += player.loss_permille();
    corrections += static_cast<double>(player.corrections());
    minutes += player.session_s() / 60;
  }
  if (out.players == 0) return out;
  std::sort(rtt_ms.begin(), rtt_ms.end());
  std::sort(jitter_ms.begin(), jitter_ms.end());
  out.rtt_p50_ms = percentile(rtt_ms, 0.5);
  out.rtt_p99_ms = percentile(rtt_ms, 0.99);
  out.jitter_p99_ms = percentile(jitter_ms, 0.99);
  out.loss_percent = permille / out.players / 10;
  out.kb_per_s = bytes_per_s / out.players / 1e3;
  out.corrections_per_min = minutes > 0 ? corrections / minutes : 0;
  return out;
}

}  // namespace perigee::session
