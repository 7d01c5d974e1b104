// perigee-ctl techniques and desync: change how players' latency is handled while they play.
#include <map>
#include <vector>

#include "calls.hpp"
#include "perigee/host/process.hpp"

namespace perigee::session {
namespace {

/// Groups players with the same techniques into one line, the most frequent first.
void print_crowd(const v1::OrderTechniquesReply& reply) {
  if (print_json(reply)) return;
  std::map<std::string, int> players;
  for (const auto& player : reply.players()) ++players[player.techniques()];
  std::multimap<int, std::string, std::greater<>> by_count;
  for (const auto& [techniques, count] : players) by_count.emplace(count, techniques);
  for (const auto& [count, techniques] : by_count) {
    if (!techniques.empty()) std::printf("%d players: %s\n", count, techniques.c_str());
  }
}

/// One line per player; `done` instead of the techniques, if given.
void print_each(const v1::OrderTechniquesReply& reply, const char* done = nullptr) {
  if (print_json(reply)) return;
  for (const auto& player : reply.players()) {
    if (player.techniques().empty()) continue;
    std::printf("%s (#%llu): %s\n", shown(player.player_name()).c_str(),
                static_cast<unsigned long long>(player.client_id()),
                done != nullptr ? done : player.techniques().c_str());
  }
}

/// The exit code: whether all clients answered.
int print_silent(const v1::OrderTechniquesReply& reply) {
  int silent = 0;
  for (const auto& player : reply.players()) silent += player.techniques().empty() ? 1 : 0;
  if (silent == 0) return host::exit_ok;
  std::fprintf(stderr,
               "perigee-ctl: %d of %d players did not answer within 3 s; the order is repeated to "
               "their clients for 7 s more\n",
               silent, reply.players_size());
  return host::exit_failed;
}

}  // namespace

int order_techniques(Control& stub, const std::vector<std::string>& words, bool everybody,
                     const std::string& target) {
  v1::OrderTechniquesRequest request;
  request.set_everybody(everybody);
  std::size_t next = 0;
  if (!everybody) {
    if (words.empty() || words[0].find('=') != std::string::npos) {
      std::fprintf(stderr,
                   "perigee-ctl: missing a player's name, # and the client's number, or --all\n");
      return host::exit_usage;
    }
    if (!name_player(words[next++], request)) return host::exit_usage;
  }
  std::string settings;
  for (; next < words.size(); ++next) settings += (settings.empty() ? "" : " ") + words[next];
  request.set_settings(settings);
  v1::OrderTechniquesReply reply;
  if (!call(stub, &Control::OrderTechniques, request, reply, target)) return host::exit_failed;
  everybody ? print_crowd(reply) : print_each(reply);
  return print_silent(reply);
}

int order_desync(Control& stub, const std::string& name, const std::string& meters,
                 const std::string& target) {
  v1::OrderTechniquesRequest request;
  if (!name_player(name, request)) return host::exit_usage;
  request.set_settings("desync-m=" + meters);
  v1::OrderTechniquesReply reply;
  if (!call(stub, &Control::OrderTechniques, request, reply, target)) return host::exit_failed;
  const std::string done = "displaced the prediction by " + meters + " m, once";
  print_each(reply, done.c_str());
  return print_silent(reply);
}

}  // namespace perigee::session
