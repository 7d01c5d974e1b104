/// A part of a checkpoint as bytes: a head, then blocks with their sizes. The format depends on the
/// names of types and the fields of the game's state, and on nothing else of a build.
#pragma once

#include <span>
#include <vector>

#include "outcomes/mailbox_codec.hpp"
#include "perigee/worker/durability/checkpoint.hpp"

namespace perigee::worker {

/// `InDoubt`: groups that have left and are not acknowledged. They count unless another part has
/// them. `Mailbox`: mailbox messages that are not acknowledged, and those that were processed here.
enum class CheckpointBlock : std::uint8_t { Here, InDoubt, Mailbox, last = Mailbox };

/// Writes a part. Each block: begin(), add() per entity, end() with the rest.
class CheckpointWriter {
 public:
  /// `settled`: the newest tick with outcomes that are in the states of things.
  CheckpointWriter(Tick tick, Tick settled, const world::GameModule& game, std::size_t room_bytes);
  void begin(CheckpointBlock kind);
  /// `state`: null, unless the type has one.
  void add(const world::Entity& entity, const Motion& motion, const world::TimelineLog& log,
           const world::ThingState* state);
  void end(std::span<const world::HingeDrive> hinges, std::span<const CheckpointGround> grounds,
           std::span<const CheckpointPlayer> players);
  /// A block of its own.
  void add(std::span<const MailboxEntry> mailbox);
  Tick tick() const { return tick_; }
  std::size_t size() const { return out_.size(); }
  std::vector<std::byte> take() { return std::move(out_); }

 private:
  void begin_block(CheckpointBlock kind);
  void end_block();

  Tick tick_;
  std::vector<std::byte> out_;
  std::size_t block_at_ = 0;  ///< of its content
  std::uint32_t entities_ = 0;
};

}  // namespace perigee::worker
