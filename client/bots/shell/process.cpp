// Settings and wiring of headless players.
#include "perigee/bots/process.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>

#include "crowds.hpp"
#include "perigee/flight_log/game_crash.hpp"
#include "perigee/game_library/game_choice.hpp"
#include "perigee/host/crash_report.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/transport/keys.hpp"
#include "perigee/world/schema.hpp"
#include "perigee/world/watched_game.hpp"

namespace perigee::bots {
namespace {

constexpr std::string_view process = "perigee-bots";
constexpr std::uint32_t flight_files_max = 64;
constexpr std::uint32_t flight_mib_max = 64;

struct Options {
  std::string session = "127.0.0.1:40010";
  std::string session_ca;
  std::string rooms;
  std::uint32_t rooms_of = 4;
  std::uint32_t count = 20;
  std::uint32_t thin = 0;
  std::uint32_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::uint32_t log_ins_per_s = 20;
  std::string region;
  std::uint32_t seconds = 60;
  std::string profile = "none";
  std::string techniques;
  std::uint64_t seed = 1;
  double voyage_m = 0;
  bool fierce = false, settled = false;
  std::string state_dir = ".perigee";
  std::string secret_file;
  bool json = false;
  std::string gap_log;
  double gap_ms = GapLog::felt_us * 1e-3;
  std::string outcome_log;
  std::string flight_dir;
  double flight_beyond_m = 0.5;
};

void declare(host::Settings& settings, Options& options) {
  std::vector<std::string> profiles{"none"};
  for (const LinkPair& pair : link_profiles()) profiles.emplace_back(pair.name);
  settings.text("session", &options.session, "host:port of perigee-session");
  settings.text("session_ca", &options.session_ca,
                "log in over TLS: PEM file with the certificate that signed the service's, or "
                "system: those that this machine trusts; empty: without TLS");
  settings.text("rooms", &options.rooms,
                "host:port of perigee-rooms: begin rooms there, and play in them; empty: play in "
                "the cluster of the session service");
  settings.number("rooms_of", &options.rooms_of, {1, 500}, "players",
                  "in each of these rooms; at most rooms.players_max of the process");
  settings.number("count", &options.count, {0, 10'000}, "bots", "number of full bots");
  settings.number(
      "thin", &options.thin, {0, 10'000}, "players",
      "number of thin players besides: the real connection and inputs, but no scene, no "
      "prediction and no picture, at a fraction of a bot's cost");
  settings.number("threads", &options.threads, {1, 64}, "threads",
                  "threads that play, each with its own players; default: one per core");
  settings.number("log_ins_per_s", &options.log_ins_per_s, {1, 1'000}, "1/s",
                  "log-ins per second at most; above 50 a session service with default limits "
                  "refuses some for a while");
  settings.text(
      "region", &options.region,
      "id of the region where all bots start; empty: the session service chooses, in turn");
  settings.number("seconds", &options.seconds, {1, 86'400}, "s",
                  "duration of play, after the last log-in");
  settings.choice("profile", &options.profile, profiles,
                  "impairs both directions of every bot's link; none: no impairment");
  settings.text("techniques", &options.techniques,
                "latency techniques, KEY=VALUE separated by commas; empty: the game's defaults");
  settings.printable("techniques", "print all techniques and their values", techniques_help);
  settings.number(
      "seed", &options.seed, {0, ~std::uint64_t{0}}, "",
      "seed of the bots' decisions and their links; the same seed gives the same impairments");
  settings.number(
      "voyage_m", &options.voyage_m, {0, 2'000}, "m",
      "fly this far beyond the world's middle, across borders, and back; 0: no voyages");
  settings.flag("fierce", &options.fierce,
                "each bot shoots about once a second at a player nearby, accurately: players die");
  settings.flag("settled", &options.settled,
                "each bot stays on the ground or deck where it started and does not shoot: a crew, "
                "or a crowd");
  settings.text("state_dir", &options.state_dir, "state folder of the cluster, with its secrets");
  settings.text(
      "secret_file", &options.secret_file,
      "file with the development secret; default: secrets/dev_secret in the state folder");
  settings.text("gap_log", &options.gap_log,
                "file for a CSV line per bot and time without a snapshot");
  settings.number(
      "gap_ms", &options.gap_ms, {10, 60'000}, "ms",
      "time without a snapshot that counts as a gap; less: lists gaps that players do not notice");
  settings.text("outcome_log", &options.outcome_log,
                "file for a CSV line per bot and outcome received");
  settings.text(
      "flight_dir", &options.flight_dir,
      "folder for recordings of the worst corrections, one a second at most, the newest 64; "
      "empty: none");
  settings.number("flight_beyond_m", &options.flight_beyond_m, {0.05, 1'000}, "m",
                  "size of a correction that is recorded");
  settings.flag("json", &options.json, "print one JSON object instead of the table");
}

Result<std::string> secret(const Options& options) {
  const std::filesystem::path path =
      options.secret_file.empty() ? std::filesystem::path(options.state_dir) / host::dev_secret_file
                                  : std::filesystem::path(options.secret_file);
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) {
    return Error{"no secret in " + path.string() +
                 "; perigee-session creates it at its start, or set --secret-file"};
  }
  return host::load_or_create_secret(path);
}

/// None: the session service chooses.
Result<std::optional<std::uint32_t>> region_of(const std::string& text) {
  if (text.empty()) return std::optional<std::uint32_t>();
  std::uint32_t region = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, region);
  if (read.ec != std::errc{} || read.ptr != end) {
    return Error{"--region must be the id of a region, as perigee-ctl regions lists them, not " +
                 text};
  }
  return std::optional(region);
}

/// Converts the options, except log-ins and logs. An error is one of usage.
Result<CrowdsOptions> crowds_of(const Options& options) {
  CrowdsOptions out;
  PlayOptions& play = out.play;
  if (options.count + options.thin == 0) return Error{"nobody plays: set --count or --thin"};
  if (!options.techniques.empty()) {
    auto techniques = with({}, options.techniques);
    if (!techniques) return techniques.error();
    play.techniques = *techniques;
  }
  if (options.fierce && options.settled) {
    return Error{"settled bots do not shoot: use either --fierce or --settled"};
  }
  if (options.fierce) play.temper = Temper::Fierce;
  if (options.settled) play.temper = Temper::Settled;
  const auto region = region_of(options.region);
  if (!region) return region.error();
  if (!options.rooms.empty() && *region) {
    return Error{"rooms have no regions: use either --rooms or --region"};
  }
  out.log_in = {.session = options.rooms.empty() ? options.session : options.rooms,
                .bots = options.count,
                .thin = options.thin,
                .per_s = options.log_ins_per_s,
                .region = *region,
                .rooms_of = options.rooms.empty() ? 0 : options.rooms_of,
                .seed = options.seed};
  out.threads = options.threads;
  play.bots = options.count;
  play.thin = options.thin;
  if (options.profile != "none") play.link = *find_link_profile(options.profile);
  play.seconds = options.seconds;
  play.seed = options.seed;
  play.voyage_m = options.voyage_m;
  play.gap_us = static_cast<Micros>(options.gap_ms * 1e3);
  return out;
}

int run(const Options& options, const world::GameModule& played, const PilotOf& pilot) {
  host::report_crashes(process, std::filesystem::path(options.state_dir) / "crash_reports",
                       flight_log::describe_game_call);
  const world::WatchedGame game(played);
  auto asked_for = crowds_of(options);
  if (!asked_for) {
    host::report_failure(process, asked_for.error());
    return host::exit_usage;
  }
  CrowdsOptions& crowd_options = *asked_for;
  if (pilot && (options.fierce || options.settled || options.voyage_m > 0)) {
    host::report_failure(process, Error{"these bots have a pilot of their game: --fierce, "
                                        "--settled and --voyage-m are for bots without one"});
    return host::exit_usage;
  }
  crowd_options.play.pilot = pilot;
  if (const auto crypto = transport::init_crypto(); !crypto) {
    return host::report_failure(process, crypto.error());
  }
  if (options.rooms.empty()) {
    const auto credential = secret(options);
    if (!credential) return host::report_failure(process, credential.error());
    crowd_options.log_in.secret = *credential;
  }
  const auto channel =
      host::open_channel_to_host(crowd_options.log_in.session, {.ca_file = options.session_ca});
  if (!channel) return host::report_failure(process, channel.error());
  crowd_options.log_in.channel = *channel;
  crowd_options.log_in.schema_hash = world::agreed_schema(game);
  if (!options.flight_dir.empty()) {
    auto log = flight_log::FlightLog::open(options.flight_dir, flight_files_max, flight_mib_max);
    if (!log) return host::report_failure(process, log.error());
    crowd_options.flights.emplace(std::move(*log), options.flight_beyond_m);
    crowd_options.play.recorded_beyond_m = options.flight_beyond_m;
  }
  std::optional<OutcomeLog> outcomes;
  if (!options.outcome_log.empty()) {
    auto log = OutcomeLog::open(options.outcome_log);
    if (!log) return host::report_failure(process, log.error());
    outcomes.emplace(std::move(*log));
    crowd_options.outcomes = &*outcomes;
  }

  host::Loop loop;
  Crowds crowds(loop, game, std::move(crowd_options));
  loop.on_signal([&](int) { crowds.finish(); });
  loop.run();
  Figures figures = crowds.figures();
  figures.profile = options.profile;
  if (!options.gap_log.empty()) {
    std::ofstream file(options.gap_log);
    file << crowds.gaps();
    if (!file.flush()) {
      return host::report_failure(
          process, Error{"cannot write " + options.gap_log + "; set another --gap-log"});
    }
  }
  if (outcomes) {
    if (const auto all = outcomes->complete(); !all) {
      return host::report_failure(process, all.error());
    }
  }
  std::fputs((options.json ? json(figures) : table(figures)).c_str(), stdout);
  return figures.all_well() ? host::exit_ok : host::exit_failed;
}

/// `any_game`: the setting `game` may load another one than that of the program.
int run_with(int argc, char** argv, game_library::GameChoice& choice, bool any_game,
             const PilotOf& pilot) {
  Options options;
  host::Settings settings(
      std::string(process),
      "Headless players. Exit code 0: all joined, none was disconnected, and all received "
      "snapshots to the end; 1: otherwise; 2: invalid usage.",
      "  perigee-bots --count 50 --seconds 60 --profile P1\n"
      "  perigee-bots --count 500 --seconds 60 --profile P1 --threads 2\n"
      "  perigee-bots --count 0 --thin 2000 --seconds 60 --log-ins-per-s 45\n"
      "  perigee-bots --count 50 --seconds 600 --gap-log gaps.csv\n"
      "  perigee-bots --count 20 --seconds 120 --voyage-m 100\n"
      "  perigee-bots --count 80 --region 3 --settled\n"
      "  perigee-bots --count 8 --rooms 127.0.0.1:40081 --rooms-of 4\n"
      "  perigee-bots --count 12 --fierce --outcome-log outcomes.csv\n"
      "  perigee-bots --profile P6 --techniques timeline=playout,rollback=off\n"
      "  perigee-bots --profile P3 --flight-dir /tmp/flights --flight-beyond-m 0.2\n"
      "  perigee-bots --game build/libmygame.so\n"
      "  perigee-bots --session 10.0.0.5:40010 --secret-file dev_secret --json\n"
      "Keys of --json:\n" +
          std::string(json_keys));
  declare(settings, options);
  if (any_game) choice.declare_game(settings);
  if (const auto exit_code = settings.load(argc, argv)) return *exit_code;
  host::set_up_log("bots", host::LogFormat::Text, host::LogLevel::Warning);
  return run(options, choice.game(), pilot);
}

}  // namespace

int run_process(int argc, char** argv, const world::GameModule& game, const PilotOf& pilot) {
  game_library::GameChoice choice({game_library::borrowed("", game)});
  return run_with(argc, argv, choice, false, pilot);
}

int run_process(int argc, char** argv, game_library::GameChoice& choice) {
  return run_with(argc, argv, choice, true, {});
}

}  // namespace perigee::bots
