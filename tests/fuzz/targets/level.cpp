// Files of levels, from any author: a level that is read can be written again, with the same
// meshes.
#include "fuzz/fuzz.hpp"
#include "unit/level/levels.hpp"

namespace perigee::fuzz {
namespace {

/// The contents with the head of a file, as an attacker would write it: the fuzzer cannot guess the
/// hash.
Bytes with_head(Input contents) {
  Bytes out(level::level_head_bytes);
  append(out, contents);
  return level::sealed_level(std::move(out));
}

void run(Input input) {
  const auto raw = level::read_level(input);
  PERIGEE_ASSERT(raw.ok() || !raw.error().message.empty(), "a refusal has a reason");
  const auto level = level::read_level(with_head(input));
  if (!level) {
    PERIGEE_ASSERT(level.error().message.find("damaged") == std::string::npos, "the hash is right");
    return;
  }
  const auto written = level::write_level(level::source_of(*level));
  PERIGEE_ASSERT(written.ok(), "what is read can be written");
  const auto again = level::read_level(*written);
  PERIGEE_ASSERT(again.ok() && again->meshes.size() == level->meshes.size(), "and read again");
  for (std::size_t i = 0; i < level->meshes.size(); ++i) {
    PERIGEE_ASSERT(again->meshes[i].mesh->hash() == level->meshes[i].mesh->hash(), "as it was");
  }
  for (std::size_t i = 0; i < level->heightfields.size(); ++i) {
    PERIGEE_ASSERT(
        again->heightfields[i].heightfield->hash() == level->heightfields[i].heightfield->hash(),
        "as it was");
  }
  for (std::size_t i = 0; i < level->hulls.size(); ++i) {
    PERIGEE_ASSERT(again->hulls[i].hull->hash() == level->hulls[i].hull->hash(), "as it was");
  }
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  level::LevelSource one = level::courtyard();
  for (int i = 0; i < 3; ++i) {
    const Bytes whole = level::bytes_of(one);
    out.emplace_back(whole.begin() + level::level_head_bytes, whole.end());
    if (i == 0) {
      one.materials.clear();
      for (auto& mesh : one.meshes) mesh.source.material_of.clear();
      one.heightfields[0].source.cells.clear();
    } else {
      one.instances.clear();
      one.meshes.clear();
      one.hulls.clear();
      one.heightfields.clear();
    }
  }
  return out;
}

}  // namespace

const Target target{run, seeds, 4000};

}  // namespace perigee::fuzz
