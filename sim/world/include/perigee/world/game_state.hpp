/// A game's state of one entity besides its motion. An actor's is predicted, rolled back and
/// replicated like the motion. Other entities have one if their row of the type table says so: that
/// changes by decided effects alone, see Journal::set_state.
///
/// The game defines plain structs of integers, each with one list of fields:
///   struct Fighter {
///     std::uint8_t health = 3;
///     std::uint8_t reload_ticks = 0;
///     static void fields(auto&& field, auto& fighter) {
///       field(fighter.health, SeenBy::Everybody);
///       field(fighter.reload_ticks, SeenBy::Owner);
///     }
///   };
/// Integers are equal on every machine, so no tolerance is needed.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

#include "perigee/base/assert.hpp"
#include "perigee/base/game_bytes.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/base/player_input.hpp"  // Handle

namespace perigee::world {

enum class SeenBy : std::uint8_t {
  Owner,      ///< actors: its own player only; other entities: workers only
  Everybody,  ///< also the clients that know the entity
};

/// Storage for any game's struct. Equal states have equal bytes.
struct GameState {
  static constexpr std::size_t bytes_max = 256;
  alignas(8) std::array<std::byte, bytes_max> bytes{};

  /// Access as the game's struct: the one for actors, or that of the entity's type.
  template <class State>
  State& as() {
    return *std::launder(reinterpret_cast<State*>(bytes.data()));
  }
  template <class State>
  const State& as() const {
    return *std::launder(reinterpret_cast<const State*>(bytes.data()));
  }
  friend bool operator==(const GameState&, const GameState&) = default;
};

/// Functions on a struct that only the game can name. Made by codec_of.
struct GameStateCodec {
  GameState initial;
  /// The fields visible to `reader`: a bit for each field, set if the field differs from the
  /// initial state, in two bytes or, from the 17th field on, in one for each eight; then these
  /// fields.
  GameBytes (*write)(const GameState& state, const GameState& initial, SeenBy reader) = nullptr;
  /// False if the bytes are malformed. Fields that are not visible to the reader get their initial
  /// value.
  bool (*read)(const GameBytes& bytes, const GameState& initial, SeenBy reader,
               GameState& state) = nullptr;
  std::uint64_t schema_hash = 0;
  std::size_t bytes = 0;   ///< of the game's struct
  std::size_t fields = 0;  ///< at most fields_max
  static constexpr std::size_t fields_max = 64;
};

namespace detail {

constexpr bool sent(SeenBy field, SeenBy reader) {
  return reader == SeenBy::Owner || field == SeenBy::Everybody;
}

template <class State>
std::size_t count_fields() {
  std::size_t count = 0;
  State none{};
  State::fields([&](const auto&, SeenBy) { ++count; }, none);
  return count;
}
/// Number of bytes that mark fields. A small state has two, whatever its number of fields.
constexpr std::size_t mark_bytes_of(std::size_t fields) {
  return std::max<std::size_t>(2, (fields + 7) / 8);
}
template <class Cursor>
bool walk_marks(Cursor& cursor, std::uint64_t& differs, std::size_t fields) {
  for (std::size_t i = 0; i < mark_bytes_of(fields); ++i) {
    auto eight = static_cast<std::uint8_t>(differs >> (8 * i));
    if (!cursor.number(eight)) return false;
    if constexpr (Cursor::reading) differs |= std::uint64_t{eight} << (8 * i);
  }
  return fields == GameStateCodec::fields_max || differs >> fields == 0;
}

/// The fields that `differs` marks, one bit each.
template <class State, class Cursor, class Holder>
bool walk_fields(Cursor& cursor, std::uint64_t& differs, SeenBy reader, Holder& holder) {
  bool ok = walk_marks(cursor, differs, count_fields<State>());
  std::uint64_t bit = 1;
  State::fields(
      [&](auto& value, SeenBy seen_by) {
        if ((differs & bit) != 0) {
          ok = ok && sent(seen_by, reader);
          if constexpr (std::same_as<std::remove_cvref_t<decltype(value)>, bool>) {
            ok = ok && cursor.flag(value);
          } else {
            ok = ok && cursor.number(value);
          }
        }
        bit <<= 1;
      },
      holder.template as<State>());
  return ok;
}

/// A bit for each field that is visible to the reader and not in its initial state.
template <class State>
std::uint64_t differing(const GameState& state, const GameState& initial, SeenBy reader) {
  std::array<std::uint64_t, GameStateCodec::fields_max> initial_values{};
  std::size_t at = 0;
  State::fields(
      [&](const auto& value, SeenBy) { initial_values[at++] = static_cast<std::uint64_t>(value); },
      initial.as<State>());
  std::uint64_t differs = 0;
  at = 0;
  State::fields(
      [&](const auto& value, SeenBy seen_by) {
        const bool differ = static_cast<std::uint64_t>(value) != initial_values[at];
        if (differ && sent(seen_by, reader)) differs |= std::uint64_t{1} << at;
        ++at;
      },
      state.as<State>());
  return differs;
}

template <class State>
GameBytes write_state(const GameState& state, const GameState& initial, SeenBy reader) {
  GameBytes out;
  std::uint64_t differs = differing<State>(state, initial, reader);
  if (differs == 0) return out;
  std::array<std::byte, game_bytes_max> room;
  ByteWriter writer(room);
  const bool fits = walk_fields<State>(writer, differs, reader, state);
  PERIGEE_ASSERT(fits, "a game's state must have at most GameState::bytes_max bytes");
  for (const std::byte b : writer.written()) out.push_back(b);
  return out;
}

template <class State>
bool read_state(const GameBytes& bytes, const GameState& initial, SeenBy reader, GameState& state) {
  state = initial;
  if (bytes.empty()) return true;
  ByteReader cursor(view_of(bytes));
  std::uint64_t differs = 0;
  if (walk_fields<State>(cursor, differs, reader, state) && cursor.at_end()) return true;
  state = initial;
  return false;
}

}  // namespace detail

template <class State>
GameStateCodec codec_of() {
  static_assert(std::is_trivially_copyable_v<State> && sizeof(State) <= GameState::bytes_max);
  static_assert(std::has_unique_object_representations_v<State>,
                "the state must consist of whole numbers without padding: larger fields first");
  GameStateCodec codec;
  const State initial{};
  std::memcpy(codec.initial.bytes.data(), &initial, sizeof initial);
  codec.write = detail::write_state<State>;
  codec.read = detail::read_state<State>;
  StateHash schema;
  State::fields(
      [&](const auto& value, SeenBy seen_by) {
        static_assert(std::integral<std::remove_cvref_t<decltype(value)>>);
        schema.add(static_cast<std::uint8_t>(sizeof value)).add(seen_by);
        ++codec.fields;
      },
      codec.initial.as<State>());
  PERIGEE_ASSERT(codec.fields <= GameStateCodec::fields_max,
                 "a game's state must have at most 64 fields");
  codec.schema_hash = schema.value();
  codec.bytes = sizeof(State);
  return codec;
}

/// The state of an entity that is not an actor.
struct ThingState {
  GameState value;
  /// Added to the version of a state that goes on from a copy of its dead owner's. Changes that the
  /// owner told and did not replicate are then older than all that follow. More than a minute of
  /// 256 changes a tick.
  static constexpr std::uint32_t lost_changes_max = 1U << 20;

  /// +1 with each change; 0: initial.
  std::uint32_t version = 0;
  friend bool operator==(const ThingState&, const ThingState&) = default;
};

/// For a game without state besides its actors' motion.
struct NoGameState {
  std::uint8_t none = 0;
  static void fields(auto&&, auto&) {}
};
/// The reference is valid until the program ends.
const GameStateCodec& no_game_state();

/// An event for an actor: sent by commit, handled by GameModule::apply_event at a tick's start.
struct GameEvent {
  std::uint8_t kind = 0;  ///< the game's
  Tick tick;              ///< of the outcome that caused it
  Handle other = no_entity;
  std::int32_t amount = 0;
  friend bool operator==(const GameEvent&, const GameEvent&) = default;
};

}  // namespace perigee::world
