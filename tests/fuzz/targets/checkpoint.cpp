// Parts of a checkpoint, as in a damaged database: a world can start from every part that can be
// read.
#include "fuzz/fuzz.hpp"
#include "perigee/skiff/skiff.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::fuzz {
namespace {

using namespace worker;

constexpr Tick at_checkpoint{900};
constexpr std::uint32_t a_few_ticks = 3;

ClusterMap map_of(bool from_checkpoint) {
  ClusterMap map;
  map.cluster_id = 7;
  map.version = from_checkpoint ? 2 : 1;
  map.workers = {{WorkerSlot{0}, Address::v4(10, 0, 0, 2, 7000), HandleBase{1U << 20}, 1U << 20,
                  true, Incarnation{1}}};
  map.gateways = {
      {GatewaySlot{0}, Address::v4(10, 0, 0, 1, 7000), Address::v4(10, 0, 0, 1, 7000), true}};
  const Epoch epoch{from_checkpoint ? 2U : 1U};
  map.regions = {{.region = RegionId{0},
                  .epoch = epoch,
                  .low = {-8000, -2000, -8000},
                  .high = {8000, 2000, 8000},
                  .owner = WorkerSlot{0},
                  .created_epoch = epoch,
                  .from_checkpoint = from_checkpoint}};
  return map;
}

void run(Input input) {
  static const skiff::Skiff game;
  const std::vector<Bytes> parts{Bytes(input.begin(), input.end())};
  auto checkpoint = join_parts(at_checkpoint, parts, game);
  if (!checkpoint) {
    PERIGEE_ASSERT(!checkpoint.error().message.empty(), "a refusal has a reason");
    return;
  }
  checkpoint->journal.push_back({.tick = at_checkpoint, .kind = 1, .actor = 1, .target = 2});
  Core core({}, game, WorkerSlot{0}, [](const Address&, std::span<const std::byte>) {});
  core.outputs.to_checkpoint = [](CheckpointPart) {};
  core.on_map(map_of(true), {});
  core.restore(*checkpoint, Tick{5000});
  for (std::uint32_t i = 0; i < a_few_ticks; ++i) core.tick();
}

std::vector<Bytes> seeds() {
  static const skiff::Skiff game;
  Bytes part;
  Core core({}, game, WorkerSlot{0}, [](const Address&, std::span<const std::byte>) {});
  core.outputs.to_checkpoint = [&](CheckpointPart made) { part = std::move(made.bytes); };
  core.on_map(map_of(false), Tick{500});
  Bytes join(64);
  FabricWriter writer(join, {7, FabricSender::Gateway, 0, 0});
  writer.add(JoinRecord{make_session(GatewaySlot{0}, 1, 1), 101, RegionId{0}});
  core.on_fabric({}, Address::v4(10, 0, 0, 1, 7000), writer.datagram());
  while (part.empty()) core.tick();
  return {part, empty_part(at_checkpoint, game)};
}

}  // namespace

const Target target{run, seeds, 200};

}  // namespace perigee::fuzz
