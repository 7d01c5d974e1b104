// The frame of docs/write_an_action.md: a game with what its pieces name.
#include "perigee/client/client.hpp"
#include "perigee/world/actor_context.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/npc_view.hpp"
#include "perigee/world/outcome.hpp"
#include "perigee/world/think_context.hpp"
#include "perigee/world/world.hpp"
#include "perigee/world/world_setup.hpp"

using namespace perigee;
using namespace perigee::world;
using namespace perigee::client;

//: docs/write_an_action.md  struct Fighter {

//: docs/write_an_action.md  struct Controls {

struct Power {
  std::uint32_t back_at = 0;
  static void fields(auto&& field, auto& power) { field(power.back_at, SeenBy::Everybody); }
};
struct Match {
  std::uint32_t began_at = 0;
  static void fields(auto&& field, auto& match) { field(match.began_at, SeenBy::Everybody); }
};
struct Runner {
  std::uint32_t coins = 0;
  static void fields(auto&& field, auto& runner) { field(runner.coins, SeenBy::Owner); }
};

constexpr std::uint8_t shot = 1, flash = 2, paid_news = 3, gift = 4, got_it = 5, coins_are = 6, missed = 7, hit_somebody = 8, explosion = 9;
constexpr TypeId pad_row{1}, power_row{2}, match_row{3}, ball_row{4};
constexpr Vec3 eye{0, 1.6, 0};
std::string_view text_of(std::string_view name);
std::span<const std::byte> with_name(std::string_view name, std::span<const std::byte> message);
std::int32_t coins_of(std::span<const std::byte> profile);
std::span<const std::byte> as_profile(std::uint32_t coins);

struct TheGame {
  void own_inputs(ActorContext& context) const {
    //: docs/write_an_action.md  const auto controls = context.own_input<Controls>();
  }
  void sampler(PlayerInput& input) const {
    //: docs/write_an_action.md  input.own.set(Controls{.throttle = 200, .slot = 3});
  }
  //: docs/write_an_action.md  void step(ActorContext& context, GameState& state) const {
  //: docs/write_an_action.md  void after_motion(ActorContext& context, GameState&) const {
  //: docs/write_an_action.md  Judgement judge(const DrawnScene& scene, const Outcome& outcome) const {
  Judgement commit(Journal& journal, const Outcome& outcome) const {
    const auto give_back = [] {};
    //: docs/write_an_action.md  if (!journal.notify(outcome.actor, {.kind = paid_news})) return {.reason = CancelReason::NotAllowed};
    return {};
  }
  Judgement commit_of_a_thing(Journal& journal, const Outcome& outcome, std::vector<EntityType>& types) const {
    //: docs/write_an_action.md  types[power_row].state = &power_codec_;  // codec_of<Power>()
    return {};
  }
  void world_state(World& world, std::vector<EntityType>& types, std::uint32_t spawner) const {
    //: docs/write_an_action.md  types[match_row] = world::world_row(match_row, "match", match_codec_);
  }
  //: docs/write_an_action.md  void on_message(Journal& journal, const Participant& who, std::span<const std::byte> message) const {
  //: docs/write_an_action.md  void on_join(Journal& journal, const Participant& who) const {  // the profile has been read
  //: docs/write_an_action.md  void think(ThinkContext& context) const {
  void receive(Journal& journal, const Message& message) const {
    //: docs/write_an_action.md  if (journal.despawn(message.to) != SpawnRefusal::None) return;  // another actor was first
  }
  //: docs/write_an_action.md  PlayerInput drive_npc(const NpcView& view) const {
  void explode(Journal& journal, Handle barrel, std::uint8_t thunder, std::uint8_t strength) const {
    //: docs/write_an_action.md  journal.cue({.entity = barrel, .effect = explosion});  // and despawn it in the same tick: then at its place
  }
  GameStateCodec power_codec_ = codec_of<Power>();
  GameStateCodec match_codec_ = codec_of<Match>();
};

void draw(Client& client) {
  const auto flash = [] {};
  const auto mark = [] {};
  const auto take_back = [] {};
  const auto tell = [](const OutcomeEvent&) {};
  //: docs/write_an_action.md  for (const CueNews& cue : client.cues()) {  // by tick and index
  const auto play = [](std::uint8_t, const auto&) {};
  //: docs/write_an_action.md  for (const HeardCue& cue : client.heard()) play(cue.effect, cue.place);  // also entity, tick, subject, detail
}
