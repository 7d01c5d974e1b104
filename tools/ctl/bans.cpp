// perigee-ctl ban, unban, bans.
#include <chrono>
#include <ctime>

#include "calls.hpp"

namespace perigee::session {

struct Bans::Words {
  CLI::App* ban = nullptr;
  CLI::App* unban = nullptr;
  CLI::App* list = nullptr;
  std::string whom;
  std::string reason;
  std::uint32_t days = 0;
  std::uint32_t hours = 0;
};

std::string time_of(std::int64_t unix_s) {
  const std::time_t seconds = unix_s;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

Bans::Bans(CLI::App& app) : words_(std::make_shared<Words>()) {
  constexpr std::uint32_t days_max = 36'500, hours_max = 876'000;
  Words& words = *words_;
  words.ban = app.add_subcommand("ban", "refuse a player's log-ins, and kick the player");
  words.ban
      ->add_option("whom", words.whom,
                   "@ and the player's id, # and a client's number (its account), or a name")
      ->required();
  auto* days = words.ban->add_option("--days", words.days, "end of the ban; without: for ever")
                   ->check(CLI::Range(1U, days_max));
  words.ban->add_option("--hours", words.hours, "the same in hours")
      ->check(CLI::Range(1U, hours_max))
      ->excludes(days);
  words.ban->add_option("--reason", words.reason, "shown to the player; at most 200 bytes");
  words.ban->footer(
      "A player who can choose a name is banned by id: perigee-ctl sessions lists ids. A ban lasts "
      "across\nrestarts; a second one replaces the first.\nexamples:\n  perigee-ctl ban "
      "'@81985529216486895' --days 7 --reason 'insults'\n  perigee-ctl ban '#1234567890'\n  "
      "perigee-ctl ban Ada --hours 1");
  words.unban = app.add_subcommand("unban", "admit a banned player again");
  words.unban->add_option("whom", words.whom, "@ and the player's id, or the banned name")
      ->required();
  words.list = app.add_subcommand("bans", "list bans that have not ended");
}

namespace {

std::string whom_of(std::uint64_t player_id, const std::string& name) {
  return player_id != 0 ? "@" + std::to_string(player_id) : shown(name);
}

int ban(Control& stub, const v1::BanPlayerRequest& request, const std::string& target) {
  v1::BanPlayerReply reply;
  if (!call(stub, &Control::BanPlayer, request, reply, target)) return host::exit_failed;
  if (print_json(reply)) return host::exit_ok;
  const std::string end =
      request.until_unix_s() == 0 ? "for ever" : "until " + time_of(request.until_unix_s());
  std::printf("%s is banned %s; %d sessions kicked\n",
              whom_of(reply.player_id(), reply.player_name()).c_str(), end.c_str(),
              reply.kicked_client_ids_size());
  return host::exit_ok;
}

int unban(Control& stub, const std::string& whom, const std::string& target) {
  v1::BanPlayerRequest named;
  if (!name_account(whom, named)) return host::exit_usage;
  if (named.client_id() != 0) {
    std::fprintf(stderr, "perigee-ctl: unban takes @ and the player's id, or the banned name\n");
    return host::exit_usage;
  }
  v1::UnbanPlayerRequest request;
  request.set_player_id(named.player_id());
  request.set_player_name(named.player_name());
  v1::UnbanPlayerReply reply;
  if (!call(stub, &Control::UnbanPlayer, request, reply, target)) return host::exit_failed;
  if (print_json(reply)) return host::exit_ok;
  std::printf("%s may log in again\n", whom_of(named.player_id(), named.player_name()).c_str());
  return host::exit_ok;
}

int list_bans(Control& stub, const std::string& target) {
  v1::ListBansRequest request;
  request.set_page_size(1'000);
  std::size_t count = 0;
  print_head("%-32s  %-20s  %-20s  %s\n", "whom", "since", "until", "reason");
  do {
    v1::ListBansReply reply;
    if (!call(stub, &Control::ListBans, request, reply, target)) return host::exit_failed;
    for (const v1::BanInfo& each : reply.bans()) {
      ++count;
      if (print_json(each)) continue;
      const std::string until =
          each.until_unix_s() == 0 ? "for ever" : time_of(each.until_unix_s());
      std::printf("%-32s  %-20s  %-20s  %s\n",
                  whom_of(each.player_id(), each.player_name()).c_str(),
                  time_of(each.made_unix_s()).c_str(), until.c_str(), shown(each.reason()).c_str());
    }
    request.set_page_token(reply.next_page_token());
  } while (!request.page_token().empty());
  std::fprintf(stderr, "%zu bans\n", count);
  return host::exit_ok;
}

}  // namespace

std::optional<int> Bans::run(Control& stub, const std::string& target) const {
  const Words& words = *words_;
  if (words.list->parsed()) return list_bans(stub, target);
  if (words.unban->parsed()) return unban(stub, words.whom, target);
  if (!words.ban->parsed()) return std::nullopt;
  v1::BanPlayerRequest request;
  if (!name_account(words.whom, request)) return host::exit_usage;
  const auto length = std::chrono::hours(words.days * 24 + words.hours);
  if (length.count() != 0) {
    const auto until = std::chrono::system_clock::now() + length;
    request.set_until_unix_s(
        std::chrono::duration_cast<std::chrono::seconds>(until.time_since_epoch()).count());
  }
  request.set_reason(words.reason);
  return ban(stub, request, target);
}

}  // namespace perigee::session
