// A game's library with the fault that PERIGEE_TEST_FAULT names.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "perigee/plugin/game_plugin.hpp"
#include "perigee/skiff/skiff.hpp"

namespace {

using namespace perigee;

std::string fault() {
  const char* named = std::getenv("PERIGEE_TEST_FAULT");
  return named == nullptr ? "" : named;
}

struct Game : skiff::Skiff {
  std::uint64_t schema_hash() const override {
    return fault() == "unsteady" ? reinterpret_cast<std::uintptr_t>(this) : Skiff::schema_hash();
  }
  std::span<const world::EntityType> types() const override {
    return fault() == "types" ? Skiff::types().subspan(1) : Skiff::types();
  }
};
/// Faults in play.
struct FaultyGame : Game {
  void drive(world::World& world, Tick tick) const override {
    Game::drive(world, tick);
    PERIGEE_ASSERT(fault() != "assert" || ++calls_ < 60, "the game keeps its promise");
  }
  void step(world::ActorContext& context, world::GameState& state) const override {
    Game::step(context, state);
    if (fault() == "impure" && ++calls_ % 2 == 0) context.cue(200);
  }

 private:
  mutable std::atomic<int> calls_ = 0;
};
struct OtherGame : Game {
  std::uint64_t schema_hash() const override { return 7; }
};

plugin::Stages stages() {
  if (fault() == "throws") throw std::runtime_error("no level");
  if (fault() == "throws a number") throw 7;
  if (fault() == "no stage") return {};
  if (fault() == "no game") return {{"one", nullptr}};
  if (fault() == "two hashes") {
    return {{"one", std::make_shared<Game>()}, {"two", std::make_shared<OtherGame>()}};
  }
  return {{"", std::make_shared<FaultyGame>()}};
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const plugin::Exports* perigee_game() {
  static plugin::Exports exports{.code = plugin::code_hash(),
                                 .layout = plugin::layout_hash(),
                                 .build = plugin::build_text(),
                                 .make = stages,
                                 .listen = &set_assertion_listener};
  if (fault() == "nothing") return nullptr;
  if (fault() == "magic") exports.magic[0] = 'x';
  if (fault() == "format") ++exports.format;
  if (fault() == "code") ++exports.code;
  if (fault() == "layout") ++exports.layout;
  return &exports;
}
