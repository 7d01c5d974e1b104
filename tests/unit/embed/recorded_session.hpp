/// A session of one player as a file: the decrypted payloads of both directions, each with the time
/// at which it left, and where the avatar was. Lost datagrams are not in it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "perigee/base/bytes.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::recorded {

inline constexpr std::array<char, 8> session_magic{'P', 'G', 'S', 'E', 'S', 'S', '1', '\n'};
/// More than any session that a test can play.
inline constexpr std::uint32_t list_max = 20'000;

struct Sent {
  Micros at_us = 0;  ///< after the stage's beginning
  std::uint64_t sequence = 0;
  std::vector<std::byte> bytes;
};

struct Place {
  Micros at_us = 0;
  Vec3 position;
};

struct Session {
  std::array<char, 8> magic = session_magic;
  std::uint16_t major = 0, minor = 0;  ///< of the project
  std::uint16_t wire = 0;              ///< wire_version
  std::uint16_t step = 0;              ///< world::step_version
  std::vector<Sent> up, down;          ///< from the client, and to it
  std::vector<Place> on_server, on_client;
  std::uint32_t laps = 0;
  std::uint32_t corrections = 0;
};

template <class Cursor, class List, class WalkOne>
bool walk_each(Cursor& cursor, List& list, WalkOne walk_one) {
  auto count = static_cast<std::uint32_t>(list.size());
  if (!cursor.number(count) || count > list_max) return false;
  if constexpr (Cursor::reading) list.resize(count);
  for (auto& each : list) {
    if (!walk_one(each)) return false;
  }
  return true;
}

template <class Cursor, class SessionOrConst>
bool walk(Cursor& cursor, SessionOrConst& session) {
  for (auto& letter : session.magic) {
    if (!cursor.number(letter)) return false;
  }
  const auto sent = [&](auto& each) {
    return cursor.number(each.at_us) && cursor.number(each.sequence) &&
           walk_each(cursor, each.bytes, [&](auto& byte) {
             auto value = static_cast<std::uint8_t>(byte);
             if (!cursor.number(value)) return false;
             if constexpr (Cursor::reading) byte = static_cast<std::byte>(value);
             return true;
           });
  };
  const auto place = [&](auto& each) {
    return cursor.number(each.at_us) && cursor.vec3(each.position);
  };
  return session.magic == session_magic && cursor.number(session.major) &&
         cursor.number(session.minor) && cursor.number(session.wire) &&
         cursor.number(session.step) && walk_each(cursor, session.up, sent) &&
         walk_each(cursor, session.down, sent) && walk_each(cursor, session.on_server, place) &&
         walk_each(cursor, session.on_client, place) && cursor.number(session.laps) &&
         cursor.number(session.corrections);
}

}  // namespace perigee::recorded
