/// Messages of the migration protocol as bytes between workers.
#pragma once

#include <optional>
#include <vector>

#include "handoffs.hpp"
#include "perigee/netcode/bytes.hpp"

namespace perigee::worker {

inline constexpr std::size_t handoff_state_bytes_max = 64 << 20;

std::vector<std::byte> to_bytes(const handoff::Message<HandoffTraits>& message);
/// None: the bytes are no message.
std::optional<handoff::Message<HandoffTraits>> message_from_bytes(std::span<const std::byte> bytes);

}  // namespace perigee::worker
