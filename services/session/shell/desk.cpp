#include "desk.hpp"

#include <algorithm>
#include <chrono>

#include "perigee/host/log.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::session {
namespace {

template <class Enum>
std::size_t index(Enum value) {
  return static_cast<std::size_t>(value);
}

}  // namespace

/// One line in the log when the store begins to fail, and one when it works again.
template <class Value>
const Result<Value>& Desk::noted(const Result<Value>& result) {
  if (result.ok() != counts_.store_failing) return result;
  counts_.store_failing = !result.ok();
  if (result.ok()) {
    host::log_info("the session store works again");
  } else {
    host::log_error("nobody can log in or come back", {{"why", result.error().message}});
  }
  return result;
}

std::variant<Admitted, Refused> Desk::log_in(const LogInRequest& request) {
  const std::lock_guard lock(mutex_);
  auto answer = core_.log_in(host::Loop::wall_us(), request, map_);
  if (const auto* refused = std::get_if<Refused>(&answer)) {
    ++counts_.refused[index(refused->reason)];
    if (refused->reason == Refusal::StoreFailed) noted(Result<Ok>(Error{refused->sentence}));
  } else {
    ++counts_.admitted;
    noted(Result<Ok>(Ok{}));
  }
  return answer;
}

std::variant<ResumeToken, Refused> Desk::issue_resume(std::uint64_t client_id) {
  const std::lock_guard lock(mutex_);
  auto answer = core_.issue_resume(host::Loop::wall_us(), client_id, map_);
  ++(std::holds_alternative<ResumeToken>(answer) ? counts_.resumes_issued
                                                 : counts_.resumes_refused);
  return answer;
}

Result<ClaimOutcome> Desk::claim(const Claim& claim) {
  const std::lock_guard lock(mutex_);
  const auto outcome = core_.claim(host::Loop::wall_us(), claim);
  if (outcome) ++counts_.claims[index(*outcome)];
  return noted(outcome);
}

Result<Ok> Desk::release(std::uint64_t client_id, std::uint64_t gateway_instance,
                         SessionState state) {
  const std::lock_guard lock(mutex_);
  const auto released = core_.release(host::Loop::wall_us(), client_id, gateway_instance, state);
  if (released) counts_.endings.add(state);
  return noted(released);
}

Result<std::vector<std::uint64_t>> Desk::end(const SessionName& name, SessionState state) {
  const std::lock_guard lock(mutex_);
  const auto ended = core_.end(host::Loop::wall_us(), name, state);
  if (ended) {
    counts_.endings.add(state, ended->size());
    if (state == SessionState::Kicked) {
      kicks_.insert(kicks_.end(), ended->begin(), ended->end());
      for (; kicks_.size() > kicks_kept_max; ++kicks_forgotten_) kicks_.pop_front();
      kicked_.notify_all();
    }
  }
  return noted(ended);
}

Result<std::vector<Session>> Desk::list(const ListQuery& query) {
  const std::lock_guard lock(mutex_);
  return noted(store_.list(query));
}

std::optional<std::vector<std::uint64_t>> Desk::begin_watch(std::uint64_t& seen) {
  const std::lock_guard lock(mutex_);
  if (counts_.watchers == watchers_max || stopping_) return std::nullopt;
  const auto now_s = static_cast<std::uint64_t>(host::Loop::wall_us() / 1'000'000);
  auto before = store_.kicked_since(now_s - kicks_told_s);
  if (!noted(before)) return std::nullopt;
  ++counts_.watchers;
  seen = kicks_forgotten_ + kicks_.size();
  return std::move(before).value();
}

std::optional<std::vector<std::uint64_t>> Desk::next_kicks(std::uint64_t& seen) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  // Not for ever: a cancelled call does not wake us.
  const auto count = [&] { return kicks_forgotten_ + kicks_.size(); };
  kicked_.wait_for(lock, 250ms, [&] { return stopping_ || count() > seen; });
  if (stopping_) return std::nullopt;
  const std::uint64_t skipped = std::max(seen, kicks_forgotten_) - kicks_forgotten_;
  std::vector<std::uint64_t> more(kicks_.begin() + static_cast<std::ptrdiff_t>(skipped),
                                  kicks_.end());
  seen = count();
  return more;
}

void Desk::end_watch() {
  const std::lock_guard lock(mutex_);
  --counts_.watchers;
}

void Desk::set_map(const ClusterMap& map) {
  const std::lock_guard lock(mutex_);
  map_ = map;
}

void Desk::set_backend_key(const transport::Key& key) {
  const std::lock_guard lock(mutex_);
  core_.set_backend_key(key);
}

void Desk::advance(Micros now_us) {
  const std::lock_guard lock(mutex_);
  if (now_us < next_sweep_us_) return;
  next_sweep_us_ = now_us + sweep_us;
  if (!noted(core_.forget_old(host::Loop::wall_us()))) return;
  if (const auto totals = store_.totals()) counts_.sessions = *totals;
}

void Desk::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  kicked_.notify_all();
}

Desk::Picture Desk::picture() {
  const std::lock_guard lock(mutex_);
  Picture picture = counts_;
  picture.faults = store_.faults();
  picture.missing = Core::missing(map_);
  return picture;
}

}  // namespace perigee::session
