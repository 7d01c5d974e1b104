#include "perigee/world/game_fault.hpp"

#include <cstdio>
#include <utility>

#include "perigee/world/entity_type.hpp"

namespace perigee::world {

std::string_view type_name(const GameFault& fault, std::span<const EntityType> types) {
  return fault.type < types.size() ? types[fault.type].name : std::string_view("unknown");
}

std::string place_text(const GameFault& fault) {
  if (!fault.place) return {};
  char text[80];
  std::snprintf(text, sizeof text, "(%.1f, %.1f, %.1f)", fault.place->x, fault.place->y,
                fault.place->z);
  return text;
}

std::string to_sentence(const GameFault& fault, std::span<const EntityType> types) {
  const GameValueRow& row = row_of(fault.value);
  std::string out(row.name);
  out += " (type " + std::string(type_name(fault, types));
  if (fault.entity != no_entity) out += ", entity " + std::to_string(fault.entity);
  out += ", tick " + std::to_string(fault.tick.count);
  if (!fault.field.empty()) out += ", field " + std::string(fault.field);
  if (fault.place) out += ", at " + place_text(fault);
  return out + "): " + std::string(row.instead);
}

void GameFaults::note(const GameFault& fault) {
  ++total_;
  std::uint64_t& sent = sent_[fault.type];
  const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(fault.value);
  if ((sent & bit) == 0 && unsent_.push_back(fault)) sent |= bit;
}

GameFaults::Unsent GameFaults::take_unsent() { return std::exchange(unsent_, {}); }

}  // namespace perigee::world
