// Bans, and the rule of one session per account.
#include <chrono>
#include <string>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/session/core.hpp"

namespace perigee::session {
namespace {

std::string two_digits(std::uint64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

/// "2026-12-01 14:30 UTC"
std::string utc_of(std::uint64_t unix_s) {
  constexpr std::uint64_t day_s = 86'400;
  const std::chrono::year_month_day day(
      std::chrono::sys_days(std::chrono::days(static_cast<std::int64_t>(unix_s / day_s))));
  return std::to_string(static_cast<int>(day.year())) + "-" +
         two_digits(static_cast<unsigned>(day.month())) + "-" +
         two_digits(static_cast<unsigned>(day.day())) + " " + two_digits(unix_s % day_s / 3'600) +
         ":" + two_digits(unix_s % 3'600 / 60) + " UTC";
}

std::string sentence_of(const Ban& ban) {
  std::string sentence = "you are banned";
  if (ban.until_s != 0) sentence += " until " + utc_of(ban.until_s);
  if (!ban.reason.empty()) sentence += ": " + ban.reason;
  return sentence;
}

}  // namespace

std::optional<Refused> Core::banned(const Moment& now, const Identity& identity) {
  const auto found = store_.find_ban(identity.player_id, identity.player_name, now.unix_s());
  if (!found) return store_failed();
  if (!*found) return std::nullopt;
  const Ban& ban = **found;
  return Refused{Refusal::Banned, sentence_of(ban),
                 ban.until_s == 0 ? 0 : ban.until_s - now.unix_s()};
}

/// Those that may still be connected; an `end` leaves a client where it is.
Result<std::vector<std::uint64_t>> Core::kick_all(const Moment& now,
                                                  std::vector<Session> sessions) {
  std::vector<std::uint64_t> kicked;
  for (Session& session : sessions) {
    if (session.state == SessionState::Left || session.state == SessionState::Kicked) continue;
    session.state = SessionState::Kicked;
    session.seen_s = calendar_.unix_s(now);
    const auto updated = store_.update(session);
    if (!updated) return updated.error();
    kicked.push_back(session.client_id);
  }
  return kicked;
}

Result<std::vector<std::uint64_t>> Core::replace_others(const Moment& now, const Session& newest) {
  auto sessions = store_.of_player(newest.player_id);
  if (!sessions) return sessions.error();
  std::erase_if(*sessions, [&](const Session& each) { return each.client_id == newest.client_id; });
  return kick_all(now, std::move(*sessions));
}

Result<std::optional<BanDone>> Core::ban(const Moment& now, const BanOrder& order) {
  PERIGEE_ASSERT(order.reason.size() <= ban_reason_bytes_max, "the caller bounds the reason");
  BanName whom{order.whom.player_id, order.whom.player_name};
  if (order.whom.client_id != 0) {
    const auto found = store_.find(order.whom.client_id);
    if (!found) return found.error();
    if (!*found || (*found)->player_id == 0) return std::optional<BanDone>();
    whom = {(*found)->player_id, ""};
  }
  const auto kept = store_.ban({whom, now.unix_s(), order.until_s, order.reason});
  if (!kept) return kept.error();
  auto sessions = whom.player_id != 0 ? store_.of_player(whom.player_id)
                                      : store_.list({.player_name = whom.player_name,
                                                     .over_too = true,
                                                     .rows_max = sessions_at_once_max});
  if (!sessions) return sessions.error();
  auto kicked = kick_all(now, std::move(*sessions));
  if (!kicked) return kicked.error();
  return std::optional(BanDone{whom, std::move(*kicked)});
}

}  // namespace perigee::session
