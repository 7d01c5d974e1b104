/// A player as bytes, for the worker that continues it: everything that decides the effect of
/// inputs in flight. State that can be recomputed is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "perigee/worker/players/player.hpp"
#include "perigee/world/game.hpp"

namespace perigee::worker {

/// The player before `next` runs.
void append(std::vector<std::byte>& out, const Player& player, Tick next,
            std::span<const world::ShapePtr> shapes);
/// Null: the bytes are no player. The caller sets its `params`.
std::unique_ptr<Player> read_player(ByteReader& reader, Tick next,
                                    const InputTimeline::Settings& inputs,
                                    std::span<const world::ShapePtr> shapes);
/// The same for a standby: with the waiting inputs. Of the past it has only those ticks later than
/// `settled` that have proposals. Ticks before `next` are final.
void append_replica(std::vector<std::byte>& out, const Player& player, Tick next, Tick settled,
                    std::span<const world::ShapePtr> shapes);
std::unique_ptr<Player> read_replica(ByteReader& reader, Tick next,
                                     const InputTimeline::Settings& inputs,
                                     std::span<const world::ShapePtr> shapes);
/// The client id in the bytes of append_replica().
std::optional<std::uint64_t> client_of_replica(std::span<const std::byte> bytes);
/// Runs the recorded ticks that may still change to recompute reports and wishes. The recorded
/// results stand. False: a tick gave another result, although it is not one of `player.wrong`. A
/// tick of these may have a newer `before` than its result: it waits to run again.
bool play_again(Player& player, Tick next, const world::GameModule& game);
/// By type id, for both codecs.
std::vector<world::ShapePtr> shapes_of(const world::GameModule& game);

}  // namespace perigee::worker
