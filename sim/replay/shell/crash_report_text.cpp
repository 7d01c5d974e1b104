#include "crash_report_text.hpp"

#include "perigee/host/print.hpp"

namespace perigee::replay {
namespace {

using host::print;

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::PlayedOn:
      return "taken over";
    case Fate::PlayedOnWithout:
      return "taken over without the pending inputs";
    case Fate::LeftBehind:
      return "not taken over: the players start anew";
  }
  return "";
}

void add_input(std::string& out, const PlayerInput& input, bool waits,
               const RecordedInputFields& fields) {
  print(out, "    %c %u  right %d up %d forward %d  yaw %u pitch %d  held %04x", waits ? '>' : ' ',
        input.tick.count, int{input.right}, int{input.up}, int{input.forward}, unsigned{input.yaw},
        int{input.pitch}, unsigned{input.held});
  for (const SubSample& sample : input.samples) {
    print(out, "  pressed %04x", unsigned{sample.pressed});
    if (sample.action == ActionKind::Use) print(out, " used %u", sample.target);
  }
  if (!fields.empty()) out += "  " + text_of(fields, input.own);
  out += '\n';
}

void add_player(std::string& out, const CrashReport::Player& player, const CrashReport& report) {
  const Vec3& at = player.state.position;
  const Vec3f& v = player.state.velocity;
  print(out, "  client %llu, session %llx, avatar %llx: on %u at (%g, %g, %g), (%g, %g, %g) m/s\n",
        static_cast<unsigned long long>(player.client_id),
        static_cast<unsigned long long>(player.session),
        static_cast<unsigned long long>(player.avatar), player.parent, at.x, at.y, at.z,
        double{v.x}, double{v.y}, double{v.z});
  out += "    game";
  for (const std::byte b : player.game.bytes) print(out, " %02x", static_cast<unsigned>(b));
  out += '\n';
  for (const PlayerInput& input : player.inputs) {
    const bool waits = !before(input.tick + player.delay_ticks, report.tick);
    add_input(out, input, waits, report.input_fields);
  }
}

}  // namespace

std::string reported(const CrashReport& report) {
  std::string out;
  print(out, "crash report of worker slot %u, incarnation %u, %.60s, build %.60s\n",
        unsigned{report.slot.number}, report.incarnation.number, report.game.c_str(),
        report.build.c_str());
  print(out, "  before tick %u; written at tick %u, ", report.tick.count, report.written.count);
  out += name_of(report.fate);
  print(out, "\n  %zu players; > marks an input that was not applied\n", report.players.size());
  for (const CrashReport::Player& player : report.players) add_player(out, player, report);
  return out;
}

}  // namespace perigee::replay
