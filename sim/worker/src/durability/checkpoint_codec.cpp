#include "durability/checkpoint_codec.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "perigee/base/walk.hpp"
#include "perigee/replay/step_codec.hpp"
#include "perigee/world/codec.hpp"
#include "put_written.hpp"

namespace perigee::worker {
namespace {

constexpr std::uint32_t magic = 0x54554350;  // "PCUT"
constexpr std::uint16_t format = 4;
constexpr std::uint16_t format_without_states = 3;  // of entities that are not actors
constexpr std::uint16_t format_without_accounts = 2;
/// Outcomes that a worker has committed by the time of a checkpoint are newer than this.
constexpr std::int32_t looked_back_ticks = 128;
/// Limit for one list in a block; a worker has fewer items.
constexpr std::uint32_t items_max = 1U << 20U;

template <class Cursor, class E>
bool walk_entity(Cursor& cursor, E& entity) {
  return cursor.number(entity.id.bits) && cursor.number(entity.handle) &&
         cursor.number(entity.type) && cursor.number(entity.respawns) &&
         cursor.number(entity.parent) &&
         world::sparse(cursor, world::fields_of_pose(entity.local)) && entity.handle != no_entity;
}

/// An initial state takes one byte.
template <class Cursor>
bool walk_state_of_entity(Cursor& cursor, auto& state) {
  bool changed = state.has_value() && state->version != 0;
  if (!cursor.flag(changed)) return false;
  if constexpr (Cursor::reading) {
    if (changed) state.emplace();
  }
  return !changed || world::walk_thing_state(cursor, *state);
}

template <class Cursor, class H>
bool walk_checkpoint_hinge(Cursor& cursor, H& hinge) {
  auto& order = hinge.order;
  return cursor.number(order.a) && cursor.number(order.b) &&
         world::sparse(cursor, world::fields_of_pose(order.frame_a)) &&
         world::sparse(cursor, world::fields_of_pose(order.frame_b)) &&
         cursor.number(order.low_rad) && cursor.number(order.high_rad) &&
         cursor.number(order.motor_n_m) && cursor.number(hinge.rad_s);
}

/// Before format 4 a state had at most 32 bytes: its words that are not zero, and a mask of them.
template <class Cursor, class G>
bool walk_former_game(Cursor& cursor, G& game) {
  std::array<std::uint64_t, 4> words{};
  std::uint8_t mask = 0;
  if (!cursor.number(mask) || mask >= 1U << words.size()) return false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if ((mask & 1U << i) != 0 && !cursor.number(words[i])) return false;
  }
  game = {};
  std::memcpy(game.bytes.data(), words.data(), sizeof words);
  return true;
}
template <class Cursor, class G>
bool walk_game_of_player(Cursor& cursor, G& game, std::uint16_t version) {
  if constexpr (Cursor::reading) {
    if (version <= format_without_states) return walk_former_game(cursor, game);
  }
  return world::walk_game(cursor, game);
}

template <class Cursor, class P>
bool walk_player(Cursor& cursor, P& player, std::uint16_t version) {
  return cursor.number(player.client_id) && cursor.number(player.issue) &&
         cursor.number(player.identity) && cursor.number(player.avatar) &&
         cursor.number(player.parent) && cursor.number(player.ordinal) &&
         cursor.flag(player.respawns) && cursor.vec3(player.place) &&
         replay::walk_state(cursor, player.state) &&
         walk_game_of_player(cursor, player.game, version) && cursor.vec3(player.thrust) &&
         cursor.number(player.switch_version) && cursor.tick(player.settled) &&
         (version == format_without_accounts || walk(cursor, player.account)) &&
         player.avatar != no_entity &&
         length_squared(player.place) < world::number_max * world::number_max;
}

template <class Cursor, class C>
bool walk_chunk(Cursor& cursor, C& chunk) {
  if (!cursor.number(chunk.chunk) || !cursor.number(chunk.version)) return false;
  for (auto& row : chunk.bits) {
    if (!cursor.number(row)) return false;
  }
  return true;
}

template <class Cursor, class E>
bool walk_entry(Cursor& cursor, E& entry) {
  return cursor.tick(entry.tick) && cursor.number(entry.index) && cursor.number(entry.kind) &&
         cursor.number(entry.actor) && cursor.number(entry.target) && cursor.number(entry.amount);
}
/// Distinguishes rows with the same entry.
bool has_tail(const OutcomeRow& row) { return row.ordinal != 0 || row.message != MessageId{}; }
template <class Cursor>
bool walk_tail(Cursor& cursor, auto& row) {
  return cursor.number(row.ordinal) && walk_name(cursor, row.message);
}

struct PartFormat {
  std::uint16_t version = format;
};
template <class Cursor, class F>
bool walk_format(Cursor& cursor, F& of) {
  return walk_constant(cursor, magic) && cursor.number(of.version);
}
struct PartHead {
  struct Type {
    std::span<const std::byte> name;
    std::uint64_t state_schema = 0;  ///< 0: it has no state
  };
  Tick tick;
  std::uint64_t state_schema = 0;  ///< of players
  Tick settled;                    ///< see CheckpointWriter
  std::vector<Type> types;         ///< by the part's type number
};
template <class Cursor, class H>
bool walk_part_head(Cursor& cursor, H& head, std::uint16_t version) {
  const bool states = version > format_without_states;
  if (!cursor.tick(head.tick) || !cursor.number(head.state_schema)) return false;
  if constexpr (Cursor::reading) head.settled = head.tick;
  return (!states || cursor.tick(head.settled)) &&
         walk_one_by_one<std::uint16_t>(cursor, head.types,
                                        std::numeric_limits<std::uint16_t>::max(), [&](auto& type) {
                                          return walk_sized<std::uint8_t>(cursor, type.name) &&
                                                 (!states || cursor.number(type.state_schema));
                                        });
}

struct BlockHead {
  CheckpointBlock kind{};
  std::uint32_t size = 0;
};
template <class Cursor, class H>
bool walk_block_head(Cursor& cursor, H& head) {
  return cursor.enumerator(head.kind, CheckpointBlock::last) && cursor.number(head.size);
}

bool turns(const Quat& q) {
  const double squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  return squared > 0.99 && squared < 1.01;
}

/// The results of a part's head, with which the rest of the part is read.
struct KnownPart {
  std::uint16_t version = format;
  std::vector<world::TypeId> types;  ///< of the game, by the part's type number
  Tick settled;
};

template <class Cursor>
bool walk_checkpoint_entity(Cursor& cursor, auto& entity, auto& motion, auto& log, auto& state,
                            std::uint16_t version) {
  return walk_entity(cursor, entity) && world::walk_motion(cursor, motion) &&
         world::walk_log(cursor, log, entity.handle) &&
         (version <= format_without_states || walk_state_of_entity(cursor, state));
}

/// The lists after the entities of a block. Entities are written one by one before them.
template <class Cursor>
bool walk_rest_of_block(Cursor& cursor, auto& hinges, auto& grounds, auto& players,
                        std::uint16_t version) {
  const auto ground = [&](auto& checkpoint) {
    return cursor.number(checkpoint.patch) &&
           walk_one_by_one<std::uint32_t>(cursor, checkpoint.chunks, items_max,
                                          [&](auto& chunk) { return walk_chunk(cursor, chunk); });
  };
  return walk_one_by_one<std::uint32_t>(
             cursor, hinges, items_max,
             [&](auto& hinge) { return walk_checkpoint_hinge(cursor, hinge); }) &&
         walk_one_by_one<std::uint32_t>(cursor, grounds, items_max, ground) &&
         walk_one_by_one<std::uint32_t>(cursor, players, items_max, [&](auto& player) {
           return walk_player(cursor, player, version);
         });
}

bool read_content(ByteReader& reader, const KnownPart& part, CheckpointContent& out) {
  const auto entity = [&](CheckpointEntity& checkpoint) {
    if (!walk_checkpoint_entity(reader, checkpoint.entity, checkpoint.motion, checkpoint.log,
                                checkpoint.state, part.version)) {
      return false;
    }
    checkpoint.settled = part.settled;
    if (checkpoint.entity.type >= part.types.size()) return false;
    checkpoint.entity.type = part.types[checkpoint.entity.type];
    return turns(checkpoint.entity.local.rotation) && turns(checkpoint.motion.pose.rotation);
  };
  return walk_one_by_one<std::uint32_t>(reader, out.entities, items_max, entity) &&
         walk_rest_of_block(reader, out.hinges, out.grounds, out.players, part.version) &&
         reader.at_end() &&
         std::all_of(out.hinges.begin(), out.hinges.end(), [](const world::HingeDrive& hinge) {
           return turns(hinge.order.frame_a.rotation) && turns(hinge.order.frame_b.rotation);
         });
}

Result<KnownPart> read_head(ByteReader& reader, Tick tick, const world::GameModule& game) {
  const Error damaged{"a part is damaged: restore a backup"};
  PartFormat of;
  if (!walk_format(reader, of)) return damaged;
  if (of.version < format_without_accounts || of.version > format) {
    return Error{"it has format " + std::to_string(of.version) +
                 ", and this program reads formats " + std::to_string(format_without_accounts) +
                 " to " + std::to_string(format) + ": start the version of perigee that wrote it"};
  }
  PartHead head;
  if (!walk_part_head(reader, head, of.version) || head.tick != tick) return damaged;
  if (head.state_schema != game.state_codec().schema_hash) {
    return Error{
        "its player states have other fields than the game's: start the version that wrote it"};
  }
  KnownPart part{.version = of.version, .types = {}, .settled = head.settled};
  for (const PartHead::Type& type : head.types) {
    const std::string name(reinterpret_cast<const char*>(type.name.data()), type.name.size());
    const auto known = std::find_if(game.types().begin(), game.types().end(),
                                    [&](const auto& row) { return row.name == name; });
    if (known == game.types().end()) {
      return Error{"it has entities of type '" + name +
                   "', which the game no longer has: start the version that wrote it"};
    }
    const std::uint64_t state_schema = known->state != nullptr ? known->state->schema_hash : 0;
    if (type.state_schema != 0 && type.state_schema != state_schema) {
      return Error{"the states of its '" + name +
                   "' have other fields than the game's: start the version that wrote it"};
    }
    part.types.push_back(known->id);
  }
  return part;
}

struct PartRead {
  std::vector<CheckpointContent> here, in_doubt;
  std::map<MessageId, CheckpointMessage> open;
  std::set<MessageId> read;
};

bool read_mailbox(ByteReader& reader, PartRead& out) {
  while (!reader.at_end()) {
    MailboxEntry note;
    if (!walk_note(reader, note)) return false;
    if (note.kind == MailboxRecord::Open)
      out.open[note.name] = {note.name, note.open.message, note.open.returned};
    if (note.kind == MailboxRecord::Answer && note.answer.here) out.read.insert(note.name);
  }
  return true;
}

Result<Ok> read_part(std::span<const std::byte> bytes, Tick tick, const world::GameModule& game,
                     PartRead& out) {
  ByteReader reader(bytes);
  const auto part = read_head(reader, tick, game);
  if (!part) return part.error();
  while (!reader.at_end()) {
    BlockHead head;
    std::span<const std::byte> block;
    const bool ok = walk_block_head(reader, head) && reader.view(block, head.size);
    ByteReader inside(block);
    auto& contents = head.kind == CheckpointBlock::Here ? out.here : out.in_doubt;
    const bool whole = head.kind == CheckpointBlock::Mailbox
                           ? read_mailbox(inside, out)
                           : ok && read_content(inside, *part, contents.emplace_back());
    if (!ok || !whole) return Error{"a part is damaged: restore a backup"};
  }
  return Ok{};
}

/// Joins contents. Entities that are already known are left out, with everything that belongs to
/// them.
class Joined {
 public:
  explicit Joined(WholeCheckpoint& out) : out_(out) {}
  bool knows_any(const CheckpointContent& content) const {
    return std::any_of(content.entities.begin(), content.entities.end(),
                       [&](const auto& each) { return knows(each.entity); });
  }
  void add(CheckpointContent& content) {
    std::set<Handle> added;
    for (const CheckpointEntity& each : content.entities) {
      if (knows(each.entity)) {
        ++out_.twice;
        continue;
      }
      ids_.insert(each.entity.id.bits);
      handles_.insert(each.entity.handle);
      added.insert(each.entity.handle);
      out_.content.entities.push_back(each);
    }
    for (const world::HingeDrive& hinge : content.hinges) {
      const auto& [a, b] = std::pair(hinge.order.a, hinge.order.b);
      if (a != b && added.contains(a) && added.contains(b)) out_.content.hinges.push_back(hinge);
    }
    for (CheckpointGround& ground : content.grounds) {
      if (added.contains(ground.patch)) out_.content.grounds.push_back(std::move(ground));
    }
    for (const CheckpointPlayer& player : content.players) {
      if (!added.contains(player.avatar) || !clients_.insert(player.client_id).second) continue;
      out_.settled = before(player.settled, out_.settled) ? player.settled : out_.settled;
      out_.content.players.push_back(player);
    }
  }

 private:
  bool knows(const world::Entity& entity) const {
    return ids_.contains(entity.id.bits) || handles_.contains(entity.handle);
  }
  WholeCheckpoint& out_;
  std::set<std::uint64_t> ids_, clients_;
  std::set<Handle> handles_;
};

}  // namespace

CheckpointWriter::CheckpointWriter(Tick tick, Tick settled, const world::GameModule& game,
                                   std::size_t room_bytes)
    : tick_(tick) {
  out_.reserve(room_bytes);
  const PartFormat of;
  PartHead head{.tick = tick,
                .state_schema = game.state_codec().schema_hash,
                .settled = settled,
                .types = {}};
  for (const world::EntityType& type : game.types()) {
    head.types.push_back({std::as_bytes(std::span(type.name.substr(0, 255))),
                          type.state != nullptr ? type.state->schema_hash : 0});
  }
  put_all_written(out_, [&](Appender& appender) {
    return walk_format(appender, of) && walk_part_head(appender, head, format);
  });
}

/// The block's size is set by end_block().
void CheckpointWriter::begin_block(CheckpointBlock kind) {
  const BlockHead head{.kind = kind};
  put_all_written(out_, [&](Appender& appender) { return walk_block_head(appender, head); });
  block_at_ = out_.size();
}

void CheckpointWriter::end_block() {
  const auto size = static_cast<std::uint32_t>(out_.size() - block_at_);
  std::memcpy(out_.data() + block_at_ - sizeof size, &size, sizeof size);
}

void CheckpointWriter::begin(CheckpointBlock kind) {
  begin_block(kind);
  entities_ = 0;
  put_all_written(out_, [&](Appender& appender) { return appender.number(entities_); });
}

void CheckpointWriter::add(const world::Entity& entity, const Motion& motion,
                           const world::TimelineLog& log, const world::ThingState* state) {
  ++entities_;
  const auto copy = state != nullptr ? std::optional(*state) : std::nullopt;
  put_all_written(out_, [&](Appender& appender) {
    return walk_checkpoint_entity(appender, entity, motion, log, copy, format);
  });
}

void CheckpointWriter::end(std::span<const world::HingeDrive> hinges,
                           std::span<const CheckpointGround> grounds,
                           std::span<const CheckpointPlayer> players) {
  put_all_written(out_, [&](Appender& appender) {
    return walk_rest_of_block(appender, hinges, grounds, players, format);
  });
  std::memcpy(out_.data() + block_at_, &entities_, sizeof entities_);
  end_block();
}

void CheckpointWriter::add(std::span<const MailboxEntry> mailbox) {
  begin_block(CheckpointBlock::Mailbox);
  put_all_written(out_, [&](Appender& appender) {
    return std::all_of(mailbox.begin(), mailbox.end(),
                       [&](const MailboxEntry& note) { return walk_note(appender, note); });
  });
  end_block();
}

std::vector<std::byte> empty_part(Tick tick, const world::GameModule& game) {
  return CheckpointWriter(tick, tick, game, 0).take();
}

std::vector<std::byte> payload_of(const OutcomeRow& row) {
  std::vector<std::byte> out;
  put_all_written(out, [&](Appender& appender) {
    return walk_entry(appender, row.entry) && (!has_tail(row) || walk_tail(appender, row));
  });
  return out;
}

std::optional<world::JournalEntry> entry_of(std::span<const std::byte> payload) {
  ByteReader reader(payload);
  OutcomeRow row;
  if (!walk_entry(reader, row.entry)) return std::nullopt;
  if (reader.at_end()) return row.entry;
  if (!walk_tail(reader, row) || !has_tail(row) || !reader.at_end()) return std::nullopt;
  return row.entry;
}

Result<WholeCheckpoint> join_parts(Tick tick, std::span<const std::vector<std::byte>> parts,
                                   const world::GameModule& game) {
  PartRead read;
  for (const auto& part : parts) {
    if (const auto ok = read_part(part, tick, game, read); !ok) return ok.error();
  }
  WholeCheckpoint out{.tick = tick, .settled = tick - looked_back_ticks};
  Joined joined(out);
  for (CheckpointContent& content : read.here) joined.add(content);
  for (CheckpointContent& content : read.in_doubt) {
    if (!joined.knows_any(content)) joined.add(content);
  }
  for (const auto& [name, message] : read.open) {
    if (!read.read.contains(name)) out.messages.push_back(message);
  }
  std::sort(out.content.entities.begin(), out.content.entities.end(),
            [](const auto& a, const auto& b) { return a.entity.id < b.entity.id; });
  return out;
}

}  // namespace perigee::worker
