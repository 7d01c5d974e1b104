// Parts of a checkpoint, as in a damaged database: a world can start from every part that can be
// read.
#include "fuzz/fuzz.hpp"
#include "perigee/skiff/skiff.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::fuzz {
namespace {

using namespace worker;

constexpr Tick at_cut{900};
constexpr std::uint32_t a_few_ticks = 3;

ClusterMap map_of(bool from_cut) {
  ClusterMap map;
  map.incarnation = 7;
  map.version = from_cut ? 2 : 1;
  map.workers = {{0, Address::v4(10, 0, 0, 2, 7000), 1U << 20, 1U << 20, true, 1}};
  map.gateways = {{0, Address::v4(10, 0, 0, 1, 7000), Address::v4(10, 0, 0, 1, 7000), true}};
  const std::uint32_t epoch = from_cut ? 2 : 1;
  map.regions = {{.region = 0,
                  .epoch = epoch,
                  .low = {-8000, -2000, -8000},
                  .high = {8000, 2000, 8000},
                  .owner = WorkerSlot{0},
                  .born = epoch,
                  .from_cut = from_cut}};
  return map;
}

void run(Input input) {
  static const skiff::Skiff game;
  const std::vector<Bytes> parts{Bytes(input.begin(), input.end())};
  auto cut = join_parts(at_cut, parts, game);
  if (!cut) {
    PERIGEE_ASSERT(!cut.error().message.empty(), "what is refused is told why");
    return;
  }
  cut->journal.push_back({.tick = at_cut, .kind = 1, .actor = 1, .target = 2});
  Core core({}, game, 0, [](const Address&, std::span<const std::byte>) {});
  core.to_cut = [](CutPart) {};
  core.on_map(map_of(true), {});
  core.restore(*cut, Tick{5000});
  for (std::uint32_t i = 0; i < a_few_ticks; ++i) core.tick();
}

std::vector<Bytes> seeds() {
  static const skiff::Skiff game;
  Bytes part;
  Core core({}, game, 0, [](const Address&, std::span<const std::byte>) {});
  core.to_cut = [&](CutPart made) { part = std::move(made.bytes); };
  core.on_map(map_of(false), Tick{500});
  Bytes join(64);
  FabricWriter writer(join, {7, FabricSender::Gateway, 0, 0});
  writer.add(JoinRecord{make_session(0, 1, 1), 101, 0});
  core.on_fabric({}, Address::v4(10, 0, 0, 1, 7000), writer.datagram());
  while (part.empty()) core.tick();
  return {part, empty_part(at_cut, game)};
}

}  // namespace

const Target target{run, seeds, 200};

}  // namespace perigee::fuzz
