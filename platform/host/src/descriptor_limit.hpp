#pragma once

#include <cstdint>

namespace perigee::host {

/// Raises the process's limit of open descriptors, so that a port of this process can hold so many
/// beside those of its other ports. As far as the system allows.
void reserve_descriptors(std::uint32_t count);

}  // namespace perigee::host
