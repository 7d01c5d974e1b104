// glTF files for perigee-level, from any author: a level, or a reason why not.
#include "perigee/gltf/gltf.hpp"

#include "fuzz/fuzz.hpp"
#include "unit/gltf/files.hpp"

namespace perigee::fuzz {
namespace {

void run(Input input) {
  for (const bool join : {false, true}) {
    const auto imported = gltf::read_gltf(input, {.join = join, .drop_slivers = join});
    if (!imported) {
      PERIGEE_ASSERT(!imported.error().message.empty(), "a refusal has a reason");
      continue;
    }
    const auto written = level::write_level(imported->level);
    PERIGEE_ASSERT(written.ok() || !written.error().message.empty(), "a refusal has a reason");
  }
}

std::vector<Bytes> seeds() {
  gltf::File file = gltf::square();
  std::vector<Bytes> out{file.glb(), file.embedded()};
  file.json["nodes"][0]["children"] = {1};
  file.json["nodes"][1]["mesh"] = 0;
  file.json["nodes"][1]["scale"] = {-1, 2, 1};
  file.json["scenes"][0]["nodes"] = {0};
  file.json["materials"][0]["doubleSided"] = true;
  out.push_back(file.glb());
  return out;
}

}  // namespace

const Target target{run, seeds, 2000};

}  // namespace perigee::fuzz
