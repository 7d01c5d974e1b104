// perigee-replay: replays flight recordings, compares the two sides of a flight, and prints crash
// reports.
#include <cstdio>
#include <fstream>
#include <string_view>
#include <vector>

#include "crash_report_text.hpp"
#include "perigee/game_library/game_choice.hpp"
#include "perigee/host/crash_report.hpp"
#include "perigee/host/print.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/settings.hpp"
#include "perigee/replay/rerun.hpp"
#include "perigee/skiff_library/stages.hpp"
#include "plot.hpp"

namespace perigee::replay {
namespace {

using host::print;

constexpr std::string_view process = "perigee-replay";
constexpr std::size_t shown_max = 8;

struct Options {
  std::vector<std::string> files;
  std::string plot;
};

Result<std::vector<std::byte>> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return Error{"cannot read " + path};
  const auto size = static_cast<std::size_t>(std::max<std::streamoff>(file.tellg(), 0));
  std::vector<std::byte> bytes(std::min(size, crash_report_bytes_max + 1));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file) return Error{"cannot read " + path};
  return bytes;
}

/// All games of this program itself have the rules of Skiff; those of the lab only place entities
/// differently.
bool has_rules_of(const game_library::GameChoice& choice, std::string_view name) {
  return name == choice.game().name() ||
         (!choice.from_library() && (name == "stage" || name == "fault yard"));
}

Result<Recording> recording_of(const game_library::GameChoice& choice, const std::string& path,
                               std::span<const std::byte> bytes) {
  auto recording = read_recording(bytes);
  if (!recording) return Error{path + ": " + recording.error().message};
  if (const std::string& game = recording->header.game; !has_rules_of(choice, game)) {
    return Error{path + ": this is a recording of the game '" + game +
                 "', and the rules here are "
                 "those of '" +
                 std::string(choice.game().name()) + "'; set --game to the library of '" + game +
                 "'"};
  }
  if (recording->ticks.empty()) return Error{path + ": the recording has no ticks"};
  if (const auto why = unplayable(choice.game(), *recording)) {
    return Error{path + ": " + why->message};
  }
  return recording;
}

std::string_view name_of(CorrectionCause cause) {
  return correction_cause_rows[static_cast<std::size_t>(cause)].name;
}

/// The newest recorded tick up to this one; before them, the oldest.
const world::StepRecord* step_at(const Recording& recording, Tick tick) {
  const world::StepRecord* found = &recording.ticks.front();
  for (const world::StepRecord& each : recording.ticks) {
    if (not_after(each.tick, tick)) found = &each;
  }
  return found;
}

void add_header(std::string& out, const Recording& recording) {
  const FlightHeader& header = recording.header;
  out += header.side == Side::Client ? "client" : "worker";
  print(out, " of avatar %llx", static_cast<unsigned long long>(header.avatar));
  if (header.session != 0) {
    print(out, ", session %llx", static_cast<unsigned long long>(header.session));
  }
  print(out, ", %.60s, build %.60s, tunables %016llx\n", header.game.c_str(), header.build.c_str(),
        static_cast<unsigned long long>(header.tunables_hash));
  print(out, "  ticks %u to %u (%.1f s); written for %.3f m at tick %u",
        recording.ticks.front().tick.count, recording.ticks.back().tick.count,
        static_cast<double>(recording.ticks.size()) * seconds_per_tick, header.meters,
        header.tick.count);
  if (header.cause != CorrectionCause::Unknown) {
    out += ", reported cause " + std::string(name_of(header.cause));
  }
  out += '\n';
  if (header.input_fields.empty()) return;
  const world::StepRecord* step = step_at(recording, header.tick);
  print(out, "  input fields of the game at tick %u: ", step->tick.count);
  out += text_of(header.input_fields, step->input.own) + '\n';
}

/// Prints the replay's result; true if it equals the recording.
bool add_rerun(std::string& out, const world::GameModule& game, const Recording& recording) {
  const Rerun again = rerun(game, recording);
  print(out, "  replay: %u ticks, %llu bits differ", again.ticks,
        static_cast<unsigned long long>(again.bits_otherwise));
  if (again.first) {
    print(out, ", in %u ticks, the first is %u: another build or other rules",
          again.ticks_otherwise, again.first->count);
  }
  print(out, "; %u restarts after a correction or a reset\n", again.begun_anew);
  return again.bits_otherwise == 0;
}

void add_difference(std::string& out, const char* what, const Difference& found) {
  out += std::string(what) + found.field + ": " + found.client + " on the client, " + found.worker +
         " on the worker\n";
}

void add_tunables(std::string& out, const std::vector<Difference>& tunables) {
  if (tunables.empty()) return;
  out += "client and worker have different type tables:\n";
  for (std::size_t i = 0; i < std::min(tunables.size(), shown_max); ++i) {
    add_difference(out, "  ", tunables[i]);
  }
  if (tunables.size() > shown_max) {
    print(out, "  and %zu more\n", tunables.size() - shown_max);
  }
}

void add_parting(std::string& out, const world::GameModule& game, const Recording& client,
                 const Recording& worker, const Parting& parting) {
  print(out, "the sides diverge at tick %u, %.6f m apart after it\n", parting.tick.count,
        parting.meters);
  if (parting.beforehand) {
    out += "they had diverged before the recordings begin: the cause is not in them\n";
    return;
  }
  if (parting.difference) {
    add_difference(out, "first difference: ", *parting.difference);
  } else {
    out += "both sides had the same inputs to that tick: the steps differ, so the builds do\n";
  }
  const Explanation why = why_parted(game, client, worker, parting);
  if (!differing_tunables(client, worker).empty()) {
    out += "cause: different tunables; correct them before you look for other causes\n";
    return;
  }
  out += "cause: " + std::string(name_of(why.cause));
  print(out, ", since tick %u; without it %.3f m of %.3f m remain\n", why.since.count, why.left_m,
        why.error_m);
}

int misused(const std::string& sentence) {
  host::report_failure(process, Error{sentence});
  return host::exit_usage;
}

int compare(const Options& options, const world::GameModule& game, const Recording& a,
            const Recording& b, std::string& out) {
  const auto halves = halves_of(a, b);
  if (!halves) return misused(halves.error().message);
  const Recording& client = *halves->client;
  const Recording& worker = *halves->worker;
  add_tunables(out, differing_tunables(client, worker));
  const auto parting = where_parted(client, worker);
  if (parting) {
    add_parting(out, game, client, worker, *parting);
  } else {
    print(out, "the sides do not diverge: no tick is more than %.4f m apart\n", parted_m);
  }
  const std::string path = options.plot.empty() ? options.files[0] + ".svg" : options.plot;
  std::ofstream file(path);
  file << plot(client, worker, parting ? parting->tick : client.header.tick);
  if (!file.flush()) {
    return host::report_failure(process, Error{"cannot write " + path + "; set another --plot"});
  }
  out += "plot: " + path + "\n";
  return host::exit_ok;
}

int print_crash_report(const std::string& path, std::span<const std::byte> bytes) {
  const auto report = read_crash_report(bytes);
  if (!report) return misused(path + ": " + report.error().message);
  std::fputs(reported(*report).c_str(), stdout);
  return host::exit_ok;
}

int run(const Options& options, const game_library::GameChoice& choice) {
  if (options.files.empty() || options.files.size() > 2) {
    return misused("pass one recording, or the two halves of a flight; see --help");
  }
  std::string out;
  bool same = true;
  std::vector<Recording> recordings;
  for (const std::string& path : options.files) {
    const auto bytes = read_file(path);
    if (!bytes) return misused(bytes.error().message);
    if (begins_as_crash_report(*bytes)) return print_crash_report(path, *bytes);
    auto recording = recording_of(choice, path, *bytes);
    if (!recording) return misused(recording.error().message);
    add_header(out, *recording);
    same = add_rerun(out, choice.game(), *recording) && same;
    recordings.push_back(std::move(*recording));
  }
  int code = host::exit_ok;
  if (recordings.size() == 2)
    code = compare(options, choice.game(), recordings[0], recordings[1], out);
  std::fputs(out.c_str(), stdout);
  return code != host::exit_ok ? code : same ? host::exit_ok : host::exit_failed;
}

}  // namespace
}  // namespace perigee::replay

int main(int argc, char** argv) {
  using namespace perigee;
  replay::Options options;
  host::Settings settings(
      std::string(replay::process),
      "Replays a flight recording, bit for bit. Usage: perigee-replay FILE [FILE2] [OPTIONS].\nTwo "
      "halves of a flight, a client's and a worker's, are compared: where they diverge, the\nfirst "
      "difference, and its cause. A crash report of a worker's players is "
      "printed.\ndocs/flight_recorder.md explains the output.\nExit code 0: the replay equals the "
      "recording; 1: it differs; 2: not a recording.",
      "  perigee-replay flight-2000001-client.flight\n"
      "  perigee-replay L2-P3-perigee-1-client.flight L2-P3-perigee-1-worker.flight\n"
      "  perigee-replay client.flight worker.flight --plot /tmp/flight.svg\n"
      "  perigee-replay flight-2000001-client.flight --game build/libmygame.so\n"
      "  perigee-replay worker-1-incarnation-3-tick-5201.report\n");
  settings.text("plot", &options.plot,
                "file for the drawing; default: the first file's name and .svg");
  game_library::GameChoice choice(skiff::stages());
  choice.declare_game(settings);
  std::vector<std::string> rest;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool option = !rest.empty() || argument.starts_with("-");
    (option ? rest : options.files).push_back(argument);
  }
  host::report_crashes(replay::process, {});
  std::vector<const char*> arguments{argv[0]};
  for (const std::string& argument : rest) arguments.push_back(argument.c_str());
  if (const auto exit_code = settings.load(static_cast<int>(arguments.size()), arguments.data())) {
    return *exit_code;
  }
  return replay::run(options, choice);
}
