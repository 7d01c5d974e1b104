/// The smallest game with everything that a worker has to judge: a walled deck, a door in it,
/// pillars as separate entities, a barge that flies past above, ground, and players that shoot and
/// dig.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "perigee/world/game.hpp"

namespace perigee::test {

enum YardRow : world::TypeId {
  deck_row,
  door_row,
  pillar_row,
  barge_row,
  person_row,
  ground_row,
  score_row,
  yard_rows
};

/// A player's state besides its motion.
struct Marksman {
  std::uint32_t died_at = 0;  ///< the tick; valid while there are no hits left
  std::uint16_t kills = 0;
  std::uint8_t hits_left = 3;
  std::uint8_t reload_ticks = 0;
  std::uint16_t stones = 0;
  std::uint16_t pick_ticks = 0;

  bool dead() const { return hits_left == 0; }
  static void fields(auto&& field, auto& person) {
    field(person.died_at, world::SeenBy::Everybody);
    field(person.kills, world::SeenBy::Owner);
    field(person.hits_left, world::SeenBy::Everybody);
    field(person.reload_ticks, world::SeenBy::Owner);
    field(person.stones, world::SeenBy::Owner);
    field(person.pick_ticks, world::SeenBy::Owner);
  }
};
/// The state of a pillar, of a door, of a barge, and of the world.
struct Post {
  std::uint32_t taken_by = 0;
  std::uint16_t takes = 0;
  std::uint16_t secret = 0;
  std::array<std::uint64_t, 31> ledger{};

  static void fields(auto&& field, auto& post) {
    field(post.taken_by, world::SeenBy::Everybody);
    field(post.takes, world::SeenBy::Everybody);
    field(post.secret, world::SeenBy::Owner);
    for (auto& line : post.ledger) field(line, world::SeenBy::Owner);
  }
};
enum YardNews : std::uint8_t { hit_news, kill_news, begin_anew_news, stone_news, spent_news };
enum YardWish : std::uint8_t { shot_wish, arrow_wish, begin_anew_wish, edit_wish, give_wish };
/// Kinds of tests' own wishes, which aim at nothing, begin here.
inline constexpr std::uint8_t first_aimless_wish = 50;
inline constexpr std::uint8_t flash_effect = 1;
inline constexpr std::uint8_t click_effect = 2;
inline constexpr std::uint8_t dig_effect = 3;
inline constexpr std::uint8_t flinch_effect = 4;
inline constexpr std::uint8_t hit_detail = 1;
/// kind of journal entry for filling; for digging: edit_wish
inline constexpr std::uint8_t fill_entry = 100;

/// Ground of 32 x 8 x 32 cells of 1 m, 3 m deep at first, on the deck.
inline constexpr Vec3 ground_at{20, 0, -60};
inline constexpr std::int32_t ground_depth = 3;

/// Hooks with which a test makes the game return invalid values.
struct YardMischief {
  std::function<void(world::World&, std::uint32_t spawner)> populate;
  std::function<void(world::World&, Tick)> drive;
  std::function<void(world::ActorContext&)> step;
  std::function<void(world::ActorSpawn&)> spawn;
  std::function<void(const world::World&, const world::UseAttempt&, world::UseOutcome&)> use;
  std::function<void(world::Judgement&)> judge, commit;
  std::function<void(world::Journal&, const world::Outcome&)> on_commit;
  std::function<void(world::Journal&, const world::Message&)> on_message;
  std::function<void(world::Journal&, const world::Participant&, std::span<const std::byte>)>
      on_words;  ///< of a client
  std::function<void(world::ThinkContext&)> think;
  std::function<PlayerInput(const world::NpcView&)> drive_npc;
  std::function<double(std::uint8_t effect)> cue_reach_m;
  std::function<void(world::Journal&, const world::Participant&)> on_join, on_leave;
  std::uint32_t profile_version = 0;
  std::function<std::optional<std::vector<std::byte>>(std::uint32_t, std::span<const std::byte>)>
      upgrade_profile;
  std::function<void(world::Recall&, const world::JournalEntry&)> recall;
};

struct YardOptions {
  Vec3 spawn{0, 0.91, 0};   ///< of the first player, on the deck
  Vec3 spacing{3, 0, 0};    ///< to the next player
  bool pillars = false;     ///< entities as obstacles
  std::uint32_t posts = 0;  ///< additional pillars, away from all players
  bool pen = false;         ///< four walls, 6 m apart, around the origin
  bool barge = false;       ///< a large body in flight
  Vec3 barge_at{0, 20, 0};  ///< its deck at tick 0
  Vec3 barge_velocity{5, 0, 0};
  bool second_barge = false;     ///< attached to the first one by a hinge
  bool vehicle = false;          ///< the barge can be steered
  double center_x_m = 0;         ///< place of the deck
  bool gravity = true;           ///< of the deck and of barges
  double players_below_x = 1e6;  ///< players begin only in regions that begin below
  bool weapons = false;
  double shot_m = 1'000;     ///< range
  bool ground = false;       ///< to dig in; all players have picks
  std::uint16_t stones = 0;  ///< of a new player
  std::uint8_t hits = 3;     ///< number of hits that kill a player
  /// If set, each shot gives a stone to one of these players.
  const std::vector<Handle>* givers = nullptr;
  std::uint32_t entries_per_gift = 0;  ///< journal entries per gift, with different targets
  std::uint16_t pick_ticks = 12;       ///< between two blows
  std::uint32_t dead_ticks = 100'000;  ///< time until the respawn
  /// Where the dead begin anew, instead of a respawn.
  std::optional<world::ActorPlace> placed;
  bool score = false;       ///< the world has a state: a Post
  std::uint16_t takes = 0;  ///< of a new post
  Techniques techniques;    ///< default of the game's players
  const YardMischief* mischief = nullptr;
  const InputLayout* inputs = nullptr;  ///< the game's own fields, if any
  /// If set: the players that have joined and left.
  std::vector<world::Participant>* joined = nullptr;
  std::vector<world::Participant>* left = nullptr;
};

class Yard final : public world::GameModule {
 public:
  explicit Yard(const YardOptions& options = {}) : options_(options), types_(yard_rows) {
    post_codec_.initial.as<Post>().takes = options.takes;
    const world::GravityBox down{{0, -9.81, 0}, {{-200, -5, -200}, {200, 200, 200}}};
    std::vector<world::Box> deck{slab({0, -0.5, 0}, {150, 0.5, 150}),
                                 slab({0, 1, 12}, {150, 1, 0.2}), slab({-9, 1, 0}, {0.2, 1, 150}),
                                 slab({4, 0.1, 4}, {1, 0.1, 1}), slab({6, 0.2, 5}, {1, 0.2, 1})};
    for (const double side : {-3.0, 3.0}) {
      if (!options.pen) break;
      deck.push_back(slab({side, 2, 0}, {0.1, 2, 3}));
      deck.push_back(slab({0, 2, side}, {3, 2, 0.1}));
    }
    types_[deck_row] = {.name = "deck",
                        .kind = world::EntityKind::Static,
                        .shape = world::make_shape(std::move(deck)),
                        .size = world::SizeClass::Large,
                        .parent_eligible = true,
                        .gravity = down};
    types_[door_row] = {.name = "door",
                        .kind = world::EntityKind::Timeline,
                        .shape = world::make_shape({slab({0, 1, 0}, {0.1, 1, 1})}),
                        .size = world::SizeClass::Medium,
                        .travel = {.slide = {0, 0, 2}},
                        .state = &post_codec_};
    types_[pillar_row] = {.name = "pillar",
                          .kind = world::EntityKind::Static,
                          .shape = world::make_shape({slab({0, 1, 0}, {0.3, 1, 0.3})}),
                          .state = &post_codec_};
    types_[barge_row] = {.name = "barge",
                         .kind = world::EntityKind::Body,
                         .shape = world::make_shape({slab({0, -0.5, 0}, {10, 0.5, 10})}),
                         .mass_kg = 1e6,
                         .size = world::SizeClass::Large,
                         .parent_eligible = true,
                         .gravity = {{0, -9.81, 0}, {{-10, -1, -10}, {10, 10, 10}}},
                         .vehicle = {.thrust_m_s2 = 20, .seat = {0, 0.91, 0}},
                         .state = &post_codec_};
    types_[person_row] = {.name = "person",
                          .kind = world::EntityKind::Actor,
                          .shape = world::actor_shape({}),
                          .techniques = options.techniques};
    types_[ground_row] = {
        .name = "ground",
        .kind = world::EntityKind::Static,
        .shape = world::make_voxel_shape(world::make_voxel_plan(
            {32, 8, 32}, 1, [](const world::Cell& cell) { return cell.y < ground_depth; })),
        .size = world::SizeClass::Medium};
    if (!options.gravity) types_[deck_row].gravity = types_[barge_row].gravity = {};
    types_[score_row] = world::world_row(score_row, "score", post_codec_);
    for (std::size_t i = 0; i < types_.size(); ++i) types_[i].id = static_cast<world::TypeId>(i);
    codec_.initial.as<Marksman>().stones = options.stones;
    codec_.initial.as<Marksman>().hits_left = options.hits;
  }

  void change_state_of(YardRow row, const world::GameStateCodec* state) {
    types_[row].state = state;
  }

  std::string_view name() const override { return "yard"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }

  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    const Vec3 center{options_.center_x_m, 0, 0};
    if (!region.contains(center)) return;
    if (mischief().populate) mischief().populate(world, spawner);
    std::uint32_t ordinal = 0;
    const auto spawn = [&](YardRow row, Handle parent, const Vec3& at, const Vec3& velocity = {}) {
      return world.spawn({.id = world::make_entity_id(spawner, Tick{}, ordinal++),
                          .type = row,
                          .parent = parent,
                          .local = {at, {}},
                          .velocity = velocity});
    };
    const Handle deck = spawn(deck_row, no_entity, center);
    spawn(door_row, deck, {2, 0, 0});
    if (options_.score) spawn(score_row, no_entity, center);
    if (options_.ground) spawn(ground_row, no_entity, center + ground_at);
    if (options_.pillars) {
      for (int i = 0; i < 144; ++i) {
        const int column = i % 12, row = i / 12;
        spawn(pillar_row, no_entity, center + Vec3{2.5 * column - 5, 0, 2.5 * row - 20});
      }
    }
    for (std::uint32_t i = 0; i < options_.posts; ++i) {
      const std::uint32_t column = i % 100, row = i / 100;
      spawn_post(world, spawner, i, center + Vec3{2.5 * column, 0, 200 + 2.5 * row});
    }
    if (options_.barge) {
      const Handle barge = spawn(barge_row, no_entity, options_.barge_at, options_.barge_velocity);
      if (options_.second_barge) {
        const Vec3 beside = options_.barge_at + Vec3{22, 0, 0};
        world.add_hinge({.a = barge,
                         .b = spawn(barge_row, no_entity, beside),
                         .frame_a = {{11, 0, 0}, {}},
                         .frame_b = {{-11, 0, 0}, {}}});
      }
    }
  }
  /// Ordinals have 12 bits, so each thousand gets its own tick.
  static void spawn_post(world::World& world, std::uint32_t spawner, std::uint32_t i,
                         const Vec3& at) {
    world.spawn({.id = world::make_entity_id(spawner, Tick{1 + i / 1000}, i % 1000),
                 .type = pillar_row,
                 .local = {at, {}}});
  }
  void drive(world::World& world, Tick tick) const override {
    if (mischief().drive) mischief().drive(world, tick);
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      if (entity.type == barge_row) world.set_drive(handle, options_.barge_velocity, {});
    }
  }
  bool spawns_players(const world::World&, const world::Bounds& region) const override {
    return region.low.x < options_.players_below_x;
  }
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds&,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out{.type = person_row};
    out.parent = handle_of(world, deck_row);
    out.state.position = options_.spawn + options_.spacing * ordinal;
    if (mischief().spawn) mischief().spawn(out);
    return out;
  }
  world::UseOutcome accept_use(const world::World& world,
                               const world::UseAttempt& attempt) const override {
    world::UseOutcome outcome = used(world, attempt);
    if (mischief().use) mischief().use(world, attempt, outcome);
    return outcome;
  }
  world::UseOutcome used(const world::World& world, const world::UseAttempt& attempt) const {
    const world::Entity* target = world.find(attempt.target);
    if (target != nullptr && target->type == barge_row && options_.vehicle) {
      const bool sits = (attempt.state.flags & actor_at_controls) != 0;
      return {.verdict = world::UseVerdict::Accepted,
              .vehicle = sits ? VehicleChange::Leave : VehicleChange::Take};
    }
    const world::TimelineLog* log = world.timeline(attempt.target);
    if (world.find(attempt.target) == nullptr) {
      return {.verdict = world::UseVerdict::UnknownTarget};
    }
    if (log == nullptr) return {.verdict = world::UseVerdict::NotUsable};
    const auto parent = world.motion(attempt.parent, attempt.now);
    const auto door = world.pose(attempt.target, attempt.now);
    const Vec3 user = transform(parent->pose, attempt.state.position);
    if (distance(user, door->position) > 3) return {.verdict = world::UseVerdict::TooFar};
    const std::uint8_t goal = log->last_goal() == 0 ? 1 : 0;
    return {.verdict = world::UseVerdict::Accepted,
            .change = world.propose_change(attempt.target, attempt.at, goal)};
  }

  const world::GameStateCodec& state_codec() const override { return codec_; }
  const InputLayout& input_layout() const override {
    return options_.inputs != nullptr ? *options_.inputs : no_own_input();
  }
  double cue_reach_m(std::uint8_t effect) const override {
    return mischief().cue_reach_m ? mischief().cue_reach_m(effect) : world::cue_reach_default_m;
  }
  std::uint8_t hit_effect(std::uint8_t kind) const override {
    return kind == arrow_wish ? flinch_effect : 0;
  }
  void step(world::ActorContext& context, world::GameState& state) const override {
    auto& self = state.as<Marksman>();
    if (mischief().step) mischief().step(context);
    if (self.reload_ticks > 0) --self.reload_ticks;
    if (self.dead()) {
      context.mute();
      if (context.tick() == Tick{self.died_at} + static_cast<std::int32_t>(options_.dead_ticks)) {
        context.propose({.kind = begin_anew_wish}, 0);
      }
      return;
    }
    dig(context, self);
    if (options_.givers != nullptr) {
      const auto& all = *options_.givers;
      if (!context.wants(button_fire) || all.empty()) return;
      const auto whom = static_cast<std::size_t>(context.random().next() % all.size());
      context.propose({.kind = give_wish, .target = all[whom]}, 0);
      return;
    }
    const bool arrow = context.wants(button_alternate);
    if (!options_.weapons || (!arrow && !context.wants(button_fire))) return;
    if (self.reload_ticks > 0) {
      context.cue(click_effect);
      return;
    }
    self.reload_ticks = 12;
    context.propose({.kind = arrow ? arrow_wish : shot_wish,
                     .from = context.motion().position + Vec3{0, 0.6, 0},
                     .direction = context.look(),
                     .speed_m_s = arrow ? 60.0 : 0.0},
                    flash_effect);
  }
  static constexpr double reach_m = 3;
  void dig(world::ActorContext& context, Marksman& self) const {
    if (self.pick_ticks > 0) --self.pick_ticks;
    const bool digs = context.wants(button_dig);
    if (!options_.ground || self.pick_ticks > 0 || (!digs && !context.wants(button_fill))) return;
    self.pick_ticks = options_.pick_ticks;
    const Vec3 eye = context.motion().position + Vec3{0, 0.6, 0};
    const auto hit = context.dig_ray(eye, context.look(), reach_m);
    world::CellEdit edit;
    if (hit && digs) edit = {hit->patch, hit->cell, false};
    if (hit && !digs && hit->before && !context.occupied(hit->patch, *hit->before, {})) {
      edit = {hit->patch, *hit->before, true};
    }
    context.propose({.kind = edit_wish, .target = edit.patch, .edit = edit}, dig_effect);
  }
  void apply_event(const world::GameEvent& event, world::GameState& state) const override {
    auto& self = state.as<Marksman>();
    if (event.kind == kill_news) ++self.kills;
    if (event.kind == stone_news) ++self.stones;
    if (event.kind == spent_news) --self.stones;
    if (event.kind == begin_anew_news) self = {.kills = self.kills};
    if (event.kind == hit_news && --self.hits_left == 0) self.died_at = event.tick.count;
  }
  void think(world::ThinkContext& context) const override {
    if (mischief().think) mischief().think(context);
  }
  PlayerInput drive_npc(const world::NpcView& view) const override {
    return mischief().drive_npc ? mischief().drive_npc(view) : PlayerInput{};
  }
  std::uint32_t profile_version() const override { return mischief().profile_version; }
  std::optional<std::vector<std::byte>> upgrade_profile(
      std::uint32_t version, std::span<const std::byte> profile) const override {
    return mischief().upgrade_profile ? mischief().upgrade_profile(version, profile) : std::nullopt;
  }
  void on_join(world::Journal& journal, const world::Participant& who) const override {
    if (mischief().on_join) mischief().on_join(journal, who);
    PERIGEE_ASSERT(journal.state(who.actor), "its actor is in the world");
    if (options_.joined != nullptr) options_.joined->push_back(who);
  }
  void on_message(world::Journal& journal, const world::Participant& who,
                  std::span<const std::byte> message) const override {
    if (mischief().on_words) mischief().on_words(journal, who, message);
  }
  void on_leave(world::Journal& journal, const world::Participant& who) const override {
    if (mischief().on_leave) mischief().on_leave(journal, who);
    PERIGEE_ASSERT(journal.state(who.actor), "its actor is in the world");
    if (options_.left != nullptr) options_.left->push_back(who);
  }
  world::Judgement judge(const world::DrawnScene& scene,
                         const world::Outcome& outcome) const override {
    world::Judgement judgement = judged(scene, outcome);
    if (mischief().judge) mischief().judge(judgement);
    return judgement;
  }
  world::Judgement judged(const world::DrawnScene& scene, const world::Outcome& outcome) const {
    if (outcome.wish.kind == begin_anew_wish || outcome.wish.kind == give_wish) return {};
    if (outcome.wish.kind >= first_aimless_wish) return {};
    const auto hit = scene.cast(options_.shot_m);
    if (!hit || !hit->actor) return {};
    return {.detail = hit_detail, .target = hit->entity};
  }
  world::Judgement commit(world::Journal& journal, const world::Outcome& outcome,
                          const world::Judgement& judged) const override {
    if (mischief().on_commit) mischief().on_commit(journal, outcome);
    world::Judgement judgement = committed(journal, outcome, judged);
    if (mischief().commit) mischief().commit(judgement);
    return judgement;
  }
  world::Judgement committed(world::Journal& journal, const world::Outcome& outcome,
                             const world::Judgement& judged) const {
    if (outcome.wish.kind == begin_anew_wish) {
      journal.notify(outcome.actor, {.kind = begin_anew_news, .tick = outcome.tick});
      if (options_.placed) {
        journal.place(outcome.actor, *options_.placed);
      } else {
        journal.respawn(outcome.actor);
      }
      return judged;
    }
    if (outcome.wish.kind == give_wish) return give(journal, outcome);
    if (outcome.wish.edit) {
      if (judged.reason != CancelReason::None) return judged;
      if (!outcome.wish.edit->solid) {
        journal.notify(outcome.actor, {.kind = stone_news, .tick = outcome.tick});
      }
      journal.write({.tick = outcome.tick,
                     .index = outcome.wish.index,
                     .kind = outcome.wish.edit->solid ? fill_entry : std::uint8_t{edit_wish},
                     .actor = outcome.actor,
                     .target = outcome.wish.target,
                     .amount = static_cast<std::int32_t>(outcome.wish.edit->cell)});
      return judged;
    }
    const auto shooter = journal.state(outcome.actor);
    if (shooter && !outcome.flew && died_before(shooter->as<Marksman>(), outcome.tick)) {
      return {.reason = CancelReason::Overruled};
    }
    if (judged.detail != hit_detail) return judged;
    journal.send({.tick = outcome.tick,
                  .index = outcome.wish.index,
                  .kind = hit_news,
                  .from = outcome.actor,
                  .to = judged.target});
    return judged;
  }
  /// A giver with a stone pays first; if the receiver cannot be found, the giver gets the stone
  /// back.
  world::Judgement give(world::Journal& journal, const world::Outcome& outcome) const {
    const auto giver = journal.state(outcome.actor);
    const bool pays = giver && giver->as<Marksman>().stones > 0 &&
                      journal.notify(outcome.actor, {.kind = spent_news, .tick = outcome.tick});
    if (!pays) return {.reason = CancelReason::NotAllowed};
    const bool sent = journal.send({.tick = outcome.tick,
                                    .index = outcome.wish.index,
                                    .kind = stone_news,
                                    .from = outcome.actor,
                                    .to = outcome.wish.target});
    if (!sent) journal.notify(outcome.actor, {.kind = stone_news, .tick = outcome.tick});
    return {};
  }
  void receive(world::Journal& journal, const world::Message& message,
               bool returned) const override {
    if (mischief().on_message && !returned) mischief().on_message(journal, message);
    if (message.kind == stone_news) {
      journal.notify(returned ? message.from : message.to,
                     {.kind = stone_news, .tick = message.tick});
      for (std::uint32_t i = 1; i <= options_.entries_per_gift; ++i) {
        journal.write(
            {.tick = message.tick, .kind = stone_news, .actor = message.from, .target = i});
      }
      return;
    }
    if (returned) return;
    if (message.kind == kill_news) {
      journal.notify(message.to, {.kind = kill_news, .tick = message.tick, .other = message.from});
      return;
    }
    const auto target = journal.state(message.to);
    if (!target || target->as<Marksman>().dead()) return;  // the hit has no effect any more
    journal.notify(message.to, {.kind = hit_news, .tick = message.tick, .other = message.from});
    if (!journal.state(message.to)->as<Marksman>().dead()) return;
    journal.send({.tick = message.tick,
                  .index = message.index,
                  .kind = kill_news,
                  .from = message.to,
                  .to = message.from});
    journal.write({.tick = message.tick,
                   .index = message.index,
                   .kind = kill_news,
                   .actor = message.from,
                   .target = message.to});
  }
  void recall(world::Recall& recall, const world::JournalEntry& entry) const override {
    if (mischief().recall) return mischief().recall(recall, entry);
    world::GameState* actor = recall.state(entry.actor);
    if (entry.kind == kill_news) {
      if (actor != nullptr) ++actor->as<Marksman>().kills;
      if (world::GameState* target = recall.state(entry.target)) {
        target->as<Marksman>().hits_left = 0;
        target->as<Marksman>().died_at = entry.tick.count;
      }
      return;
    }
    recall.set_cell(entry.target, static_cast<std::uint32_t>(entry.amount),
                    entry.kind == fill_entry);
    if (actor != nullptr && entry.kind == edit_wish) ++actor->as<Marksman>().stones;
  }
  static bool died_before(const Marksman& person, Tick tick) {
    return person.dead() && before(Tick{person.died_at}, tick);
  }

  static Handle handle_of(const world::World& world, world::TypeId type) {
    for (const Handle handle : world.in_order()) {
      if (world.find(handle)->type == type) return handle;
    }
    return no_entity;
  }

 private:
  const YardMischief& mischief() const {
    static const YardMischief none;
    return options_.mischief != nullptr ? *options_.mischief : none;
  }
  static world::Box slab(const Vec3& center, const Vec3& half) {
    return {.center = center, .half = half};
  }
  YardOptions options_;
  std::vector<world::EntityType> types_;
  world::ParentingParams parenting_;
  world::GameStateCodec codec_ = world::codec_of<Marksman>();
  world::GameStateCodec post_codec_ = world::codec_of<Post>();
};

}  // namespace perigee::test
