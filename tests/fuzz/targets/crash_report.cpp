// Crash reports from any sender: a report that can be read can be written again.
#include "perigee/replay/crash_report.hpp"

#include "fuzz/fuzz.hpp"

namespace perigee::fuzz {
namespace {

using namespace replay;

void run(Input input) {
  const auto report = read_crash_report(input);
  if (!report) {
    PERIGEE_ASSERT(!report.error().message.empty(), "a refusal has a reason");
    return;
  }
  const auto again = read_crash_report(write_crash_report(*report));
  PERIGEE_ASSERT(again.ok() && again->players.size() == report->players.size(),
                 "what is read can be written");
}

std::vector<Bytes> seeds() {
  CrashReport report{.game = "skiff",
                     .build = "seed",
                     .slot = WorkerSlot{1},
                     .incarnation = Incarnation{2},
                     .input_fields = {{"slot", {.offset = 1, .initial = 1}}},
                     .players = {}};
  CrashReport::Player& player = report.players.emplace_back();
  player.client_id = 100;
  player.state.position = {1, 2, 3};
  PlayerInput input;
  input.tick = Tick{100};
  input.samples.push_back({.pressed = button_jump});
  input.own.changed[1] = std::byte{3};
  player.inputs = {input, input};
  const auto bytes = write_crash_report(report);
  return {Bytes(bytes.begin(), bytes.end())};
}

}  // namespace

const Target target{run, seeds, 2000};

}  // namespace perigee::fuzz
