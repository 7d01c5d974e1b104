/// Identifies this process's build.
#pragma once

#include <string>

namespace perigee::host {

/// The project's version plus the beginning of the linker's build id, e.g. "0.1.0-1a2b3c4d"; the
/// version alone if there is no build id.
std::string build_name();

}  // namespace perigee::host
