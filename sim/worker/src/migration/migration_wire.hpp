/// Messages of the migration protocol as bytes between workers.
#pragma once

#include <optional>
#include <vector>

#include "migration/migrations.hpp"
#include "perigee/base/bytes.hpp"

namespace perigee::worker {

inline constexpr std::size_t migration_state_bytes_max = 64 << 20;

std::vector<std::byte> to_bytes(const migration::Message<MigrationTraits>& message);
/// None: the bytes are no message.
std::optional<migration::Message<MigrationTraits>> message_from_bytes(
    std::span<const std::byte> bytes);

}  // namespace perigee::worker
