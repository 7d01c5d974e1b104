/// A player as bytes, for the worker that takes over: everything that decides what becomes of the
/// inputs under way. What can be computed again is not in it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "perigee/worker/player.hpp"
#include "perigee/world/game.hpp"

namespace perigee::worker {

/// As it is before `next` runs.
void append(std::vector<std::byte>& out, const Player& player, Tick next,
            std::span<const world::ShapePtr> shapes);
/// Null: not such bytes. Its `params` are the caller's to set.
std::unique_ptr<Player> read_player(ByteReader& reader, Tick next,
                                    const InputTimeline::Settings& inputs,
                                    std::span<const world::ShapePtr> shapes);
/// The same for whoever goes on once this worker has died: with the inputs that wait, and of the
/// past only the ticks later than `settled` in which something was asked for. What ran before
/// `next` is for good.
void append_replica(std::vector<std::byte>& out, const Player& player, Tick next, Tick settled,
                    std::span<const world::ShapePtr> shapes);
std::unique_ptr<Player> read_replica(ByteReader& reader, Tick next,
                                     const InputTimeline::Settings& inputs,
                                     std::span<const world::ShapePtr> shapes);
/// Runs the recorded ticks again: reports and wishes follow from the rest. False: they lead
/// elsewhere than where they ran, so that is another program.
bool play_again(Player& player, Tick next, const world::GameModule& game);
/// By type id, for both.
std::vector<world::ShapePtr> shapes_of(const world::GameModule& game);

}  // namespace perigee::worker
