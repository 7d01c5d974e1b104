#include "perigee/replay/last_words.hpp"

#include <array>

#include "file_codec.hpp"
#include "perigee/netcode/input_codec.hpp"
#include "perigee/replay/step_codec.hpp"

namespace perigee::replay {
namespace {

constexpr std::array magic{'p', 'e', 'r', 'i', 'g', 'e', 'e', ' ', 'l',  'a',
                           's', 't', ' ', 'w', 'o', 'r', 'd', 's', '\n', '\x1a'};

template <class Cursor, class P>
bool walk_player(Cursor& cursor, P& player) {
  return cursor.number(player.client_id) && cursor.number(player.session) &&
         cursor.number(player.avatar) && cursor.number(player.parent) &&
         walk_state(cursor, player.state) && walk_game(cursor, player.game) &&
         cursor.number(player.delay_ticks) &&
         walk_counted<std::uint8_t>(cursor, player.inputs, LastWords::inputs_max,
                                    [&](auto& input) { return walk_input(cursor, input); });
}

template <class Cursor, class W>
bool walk_words(Cursor& cursor, W& words) {
  return walk_text(cursor, words.game) && cursor.number(words.schema_hash) &&
         walk_text(cursor, words.build) && cursor.number(words.incarnation) &&
         cursor.number(words.slot) && cursor.number(words.life) && cursor.tick(words.tick) &&
         cursor.tick(words.written) && cursor.enumerator(words.fate, Fate::last) &&
         walk_counted<std::uint16_t>(cursor, words.players, LastWords::players_max,
                                     [&](auto& player) { return walk_player(cursor, player); });
}

}  // namespace

bool begins_as_last_words(std::span<const std::byte> bytes) {
  const auto begin = std::as_bytes(std::span(magic));
  return bytes.size() >= begin.size() && std::equal(begin.begin(), begin.end(), bytes.begin());
}

std::vector<std::byte> write_last_words(const LastWords& words) {
  return written(last_words_bytes_max, [&](ByteWriter& writer) {
    return writer.copy(std::as_bytes(std::span(magic))) && writer.number(last_words_version) &&
           walk_words(writer, words);
  });
}

Result<LastWords> read_last_words(std::span<const std::byte> bytes) {
  if (!begins_as_last_words(bytes)) {
    return Error{"not a crash report of a worker's players: the file begins otherwise"};
  }
  ByteReader reader(bytes.subspan(magic.size()));
  std::uint16_t version = 0;
  if (reader.number(version) && version != last_words_version) {
    return Error{"the crash report has version " + std::to_string(version) +
                 ", this program reads version " + std::to_string(last_words_version) +
                 "; use the version of perigee that wrote it"};
  }
  LastWords words;
  if (!walk_words(reader, words) || !reader.at_end()) {
    return Error{"the crash report is truncated or damaged: invalid at byte " +
                 std::to_string(magic.size() + reader.position()) + " of " +
                 std::to_string(bytes.size())};
  }
  return words;
}

}  // namespace perigee::replay
