#include "perigee/skiff_library/stages.hpp"

#include "perigee/skiff/skiff.hpp"

namespace perigee::skiff {

plugin::Stages stages() {
  plugin::Stages all;
  for (std::size_t i = 0; i < stage_names.size(); ++i) {
    const Tunables tunables{.stage = static_cast<Stage>(i)};
    all.push_back({std::string(stage_names[i]), std::make_shared<const Skiff>(tunables)});
  }
  return all;
}

}  // namespace perigee::skiff
