#include "perigee/plugin/build.hpp"

namespace perigee::plugin {

const char* build_text() {
#ifdef __clang__
  return "perigee " PERIGEE_VERSION " by clang " __clang_version__;
#else
  return "perigee " PERIGEE_VERSION " by g++ " __VERSION__;
#endif
}

}  // namespace perigee::plugin
