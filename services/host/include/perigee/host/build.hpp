/// Which build this process is.
#pragma once

#include <string>

namespace perigee::host {

/// The project's version, and what tells this program from one that was linked from anything else:
/// "0.1.0-1a2b3c4d", the beginning of the linker's build id; without one the version alone.
std::string build_name();

}  // namespace perigee::host
