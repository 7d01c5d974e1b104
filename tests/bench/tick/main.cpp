// bench_tick: a whole worker's tick with 200 players among 5,000 entities, phase by phase.
#include <array>
#include <map>
#include <memory>

#include "bench/common/suite.hpp"
#include "bench/tick/field.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::bench {
namespace {

using worker::Core;
using worker::TickPhase;

const Address gateway_at = Address::v4(10, 0, 0, 1, 7000);
const Address worker_at = Address::v4(10, 0, 0, 2, 7000);
constexpr std::size_t phases = enum_count<TickPhase>;
constexpr std::array<const char*, phases> phase_names{"rewind", "bodies",  "actors", "judge",
                                                      "gather", "publish", "send"};
constexpr std::uint16_t incarnation = 7;

ClusterMap one_worker() {
  ClusterMap map;
  map.incarnation = incarnation;
  map.version = 1;
  map.workers = {{.slot = 0,
                  .fabric = worker_at,
                  .handle_base = 1U << 20,
                  .handle_count = 1U << 20,
                  .alive = true}};
  map.gateways = {{0, gateway_at, gateway_at, true}};
  map.regions = {{0, 3, {-8000, -2000, -8000}, {8000, 2000, 8000}, WorkerSlot{0}}};
  return map;
}

/// What one player's gateway and client do: inputs in time, acknowledgements of events.
struct Player : BlockVisitor {
  SessionId session = 0;
  std::uint16_t stream_epoch = 0;
  AckWindow events;
  OwnSection own;
  void on_own(const OwnSection& section) override { own = section; }
  void on_event(Sequence sequence, const WorldEvent&) override { events.mark(sequence); }
  void on_record(const GroupFrame&, const EntityRecord&) override {}
};

class Scene {
 public:
  Scene(const FieldPlan& plan, std::uint32_t players)
      : field_(plan),
        core_({}, field_, WorkerSlot{0}, [this](const Address&, std::span<const std::byte> bytes) {
          sent_.emplace_back(bytes.begin(), bytes.end());
        }) {
    core_.on_map(one_worker(), Tick{6'000});
    for (std::uint32_t i = 0; i < players; ++i) {
      Player& player = players_[make_session(0, 1, i)];
      player.session = make_session(0, 1, i);
      tell(JoinRecord{player.session, 100 + i, 0});
    }
    core_.phase_ended = [this](TickPhase phase) {
      const std::int64_t now = thread_time_ns();
      phase_ns_[static_cast<std::size_t>(phase)] = now - phase_began_ns_;
      phase_began_ns_ = now;
    };
  }

  /// One tick with everybody's inputs; its duration in ns.
  std::int64_t tick() {
    for (auto& [session, player] : players_) send_inputs(player);
    const std::int64_t began = phase_began_ns_ = thread_time_ns();
    core_.tick();
    const std::int64_t took = thread_time_ns() - began;
    read_blocks();
    return took;
  }
  const std::array<std::int64_t, phases>& phase_ns() const { return phase_ns_; }
  const Core& core() const { return core_; }

 private:
  template <class Record>
  void tell(const Record& record) {
    std::array<std::byte, fabric_datagram_bytes_max> out;
    FabricWriter writer(out, {incarnation, FabricSender::Gateway, 0, 0});
    const bool fits = writer.add(record);
    PERIGEE_ASSERT(fits, "one record fits into a datagram");
    core_.on_fabric(now(), gateway_at, writer.datagram());
  }
  FineTick now() const { return {core_.next_tick().count << 8}; }

  void send_inputs(const Player& player) {
    ControlFrame frame;
    frame.reset_epoch = player.own.reset_epoch;
    frame.view_sixteenths = (core_.next_tick().count - 6) << 4;
    frame.claimed_parent = player.own.newest_parent;
    frame.claimed_position = to_float(player.own.newest_state.position);
    for (std::uint32_t i = 0; i < 4; ++i) {  // as many as an ordinary client repeats
      const Tick at = core_.next_tick() + 3 - static_cast<std::int32_t>(i);
      PlayerInput input{.tick = at, .forward = 127};
      input.yaw = static_cast<std::uint16_t>(at.count * 200 + player.session * 7'919);
      frame.inputs.push_back(input);
    }
    std::array<std::byte, 512> bytes;
    tell(InputRecord{player.session, now(), stream_owner, write_control(frame, bytes)});
    if (core_.next_tick().count % 4 != 0) return;
    AcknowledgeFrame acknowledge{player.stream_epoch, player.events, core_.next_tick()};
    tell(InputRecord{player.session, now(), static_cast<std::uint8_t>(stream_owner + 1),
                     write_acknowledge(acknowledge, bytes)});
  }

  void read_blocks() {
    for (const auto& datagram : sent_) {
      FabricReader reader(datagram);
      while (const auto type = reader.next()) {
        BlockRecord block;
        if (*type != FabricRecord::Block || !reader.read(block)) continue;
        Player& player = players_[block.session];
        const auto header = read_block_header(block.block);
        if (header && header->stream_epoch != player.stream_epoch) {
          player.stream_epoch = header->stream_epoch;
          player.events = {};
        }
        read_block(block.block, player);
      }
    }
    sent_.clear();
  }

  Field field_;
  Core core_;
  std::map<SessionId, Player> players_;
  std::vector<std::vector<std::byte>> sent_;
  std::array<std::int64_t, phases> phase_ns_{};
  std::int64_t phase_began_ns_ = 0;
};

Result<Ok> tick_suite(const Run& run, Figures& figures) {
  const FieldPlan plan = run.quick ? FieldPlan{.crates = 100, .drones = 20, .doors = 10}
                                   : FieldPlan{.crates = 4'000, .drones = 600, .doors = 200};
  const std::uint32_t players = run.quick ? 5 : 200;
  say("building a world of " + std::to_string(plan.crates + plan.drones + plan.doors) +
      " entities for " + std::to_string(players) + " players");
  Scene scene(plan, players);
  for (int i = 0; i < (run.quick ? 30 : 600); ++i) scene.tick();  // crates fall asleep, all is told
  const auto before = scene.core().publisher().counters();
  std::vector<double> ticks_ms;
  std::array<std::vector<double>, phases> phases_ms;
  const int ticks = run.quick ? 30 : 1'200;
  for (int i = 0; i < ticks; ++i) {
    if (i % 300 == 0) say("tick " + std::to_string(i) + " of " + std::to_string(ticks));
    ticks_ms.push_back(static_cast<double>(scene.tick()) * 1e-6);
    for (std::size_t p = 0; p < phases; ++p) {
      phases_ms[p].push_back(static_cast<double>(scene.phase_ns()[p]) * 1e-6);
    }
  }
  figures.add("tick_p50_ms", percentile(ticks_ms, 0.5), "ms");
  figures.add("tick_p99_ms", percentile(ticks_ms, 0.99), "ms");
  for (std::size_t p = 0; p < phases; ++p) {
    figures.add(std::string("tick_phase_") + phase_names[p] + "_ms", median(phases_ms[p]), "ms");
  }
  const auto& after = scene.core().publisher().counters();
  const double seconds = ticks * seconds_per_tick * players;
  figures.add("records_per_player_s", static_cast<double>(after.records - before.records) / seconds,
              "1/s");
  figures.add("bytes_per_player_s", static_cast<double>(after.bytes - before.bytes) / seconds,
              "B/s");
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("tick", argc, argv, perigee::bench::tick_suite);
}
