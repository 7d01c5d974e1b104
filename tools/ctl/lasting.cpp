// perigee-ctl results, profile: what the world store keeps for good.
#include <filesystem>

#include "calls.hpp"
#include "perigee/world_store/store.hpp"

namespace perigee::session {
namespace {

using world_store::ResultRow;
using world_store::Store;

std::string hex_of(std::span<const std::byte> bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string out;
  for (const std::byte byte : bytes) {
    out += digits[std::to_integer<unsigned>(byte >> 4)];
    out += digits[std::to_integer<unsigned>(byte & std::byte{15})];
  }
  return out;
}

int fail(const std::string& what) {
  std::fprintf(stderr, "perigee-ctl: %s\n", what.c_str());
  return host::exit_failed;
}

/// A file that is missing is not created.
Result<std::unique_ptr<Store>> open_existing(const std::string& where) {
  constexpr std::string_view sqlite = "sqlite:";
  if (where.starts_with(sqlite) && !std::filesystem::exists(where.substr(sqlite.size()))) {
    return Error{where + " does not exist: name the workers' world store with --store"};
  }
  return world_store::open(where);
}

void print(const ResultRow& row) {
  const std::string bytes = hex_of(row.payload), time = time_of(row.unix_s);
  const auto origin = static_cast<unsigned long long>(row.origin);
  if (as_json()) {
    std::printf(
        "{\"match\":%u,\"place\":%u,\"origin\":\"%llu\",\"cluster\":%u,"
        "\"written\":\"%s\",\"bytes\":\"%s\"}\n",
        row.match, row.place, origin, row.cluster_id, time.c_str(), bytes.c_str());
  } else {
    std::printf("%10u  %5u  %20llu  %-20s  %s\n", row.match, row.place, origin, time.c_str(),
                bytes.c_str());
  }
}

int list_results(Store& store, std::optional<std::uint32_t> match) {
  world_store::ResultQuery query{.match = match};
  std::size_t count = 0;
  print_head("%10s  %5s  %20s  %-20s  %s\n", "match", "place", "origin", "written", "bytes");
  while (true) {
    const auto page = store.read_results(query);
    if (!page) return fail(page.error().message);
    for (const ResultRow& row : *page) print(row);
    count += page->size();
    if (page->size() < query.rows_max) break;
    query.beyond = page->back();
  }
  std::fprintf(stderr, "%zu results\n", count);
  return host::exit_ok;
}

/// With or without the @ that other commands demand. None: it is another text, or 0.
std::optional<std::uint64_t> player_id_of(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(1);
  std::uint64_t id = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), id);
  const bool whole = code == std::errc{} && end == text.data() + text.size() && id != 0;
  return whole ? std::optional(id) : std::nullopt;
}

int show_profile(Store& store, std::uint64_t player_id) {
  const auto profile = store.read_profile(player_id);
  if (!profile) return fail(profile.error().message);
  if (!*profile) return fail("nothing was saved for player " + std::to_string(player_id));
  const auto& saved = **profile;
  if (as_json()) {
    std::printf("{\"version\":%u,\"tick\":%u,\"bytes\":\"%s\"}\n", saved.version, saved.tick.count,
                hex_of(saved.payload).c_str());
    return host::exit_ok;
  }
  std::printf("version %u, saved in tick %u, %zu bytes\n%s\n", saved.version, saved.tick.count,
              saved.payload.size(), hex_of(saved.payload).c_str());
  return host::exit_ok;
}

}  // namespace

struct Lasting::Words {
  CLI::App* results = nullptr;
  CLI::App* profile = nullptr;
  std::string store = "sqlite:.perigee/world.sqlite";
  std::optional<std::uint32_t> match;
  std::string player;
};

Lasting::Lasting(CLI::App& app) : words_(std::make_shared<Words>()) {
  Words& words = *words_;
  constexpr const char* store = "sqlite:PATH or postgres:CONNECTION, as the workers have it";
  words.results = app.add_subcommand("results", "list results of matches in the world store");
  words.results->add_option("--store", words.store, store)->capture_default_str();
  words.results->add_option("--match", words.match, "of this match only");
  words.results->footer(
      "The bytes of a result are the game's own, here in hexadecimal.\nexamples:\n  perigee-ctl "
      "results\n  perigee-ctl results --store postgres:dbname=perigee --match 7 --json");
  words.profile = app.add_subcommand("profile", "show what the game keeps of a player");
  words.profile->add_option("player", words.player, "the player's id, as sessions lists it")
      ->required();
  words.profile->add_option("--store", words.store, store)->capture_default_str();
  words.profile->footer("example:\n  perigee-ctl profile 81985529216486895");
}

std::optional<int> Lasting::run() const {
  const Words& words = *words_;
  if (!words.results->parsed() && !words.profile->parsed()) return std::nullopt;
  const auto player_id = player_id_of(words.player);
  if (words.profile->parsed() && !player_id) {
    fail("'" + shown(words.player) +
         "' is not a player's id; the last column of perigee-ctl sessions has the ids of players");
    return host::exit_usage;
  }
  const auto store = open_existing(words.store);
  if (!store) return fail(store.error().message);
  if (words.results->parsed()) return list_results(**store, words.match);
  return show_profile(**store, *player_id);
}

}  // namespace perigee::session
