// The directory's state file: a text message with the cluster map in it, under a checksum. What it
// accepts a directory can go on with, and save again.
#include <google/protobuf/stubs/logging.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz/fuzz.hpp"
#include "perigee/directory/core.hpp"
#include "state_file.hpp"

namespace perigee::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace directory;

/// A folder of this process, in memory where the machine has such a place.
struct Folder {
  fs::path path;
  Folder() {
    const fs::path memory = "/dev/shm";
    const fs::path parent = fs::is_directory(memory) ? memory : fs::temp_directory_path();
    std::string name = (parent / "perigee-fuzz-XXXXXX").string();
    PERIGEE_ASSERT(mkdtemp(name.data()) != nullptr, "a folder can be made");
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
};

/// The file's first line is written by the program alone; here by the fuzzer, which cannot guess
/// it.
std::string with_checksum(std::string_view body) {
  StateHash hash;
  for (const char letter : body) hash.add(letter);
  char digits[17];
  std::snprintf(digits, sizeof digits, "%llx", static_cast<unsigned long long>(hash.value()));
  return "perigee-directory state 1 " + std::string(digits) + "\n" + std::string(body);
}

void write_file(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// The world goes on: members come back, time passes, and all of it can be saved and read.
void go_on(const fs::path& folder, const CoreSettings& settings, StateFile::World world) {
  Micros now_us = world.saved->map.time.base.wall_us;
  Core core(settings, std::move(*world.saved), now_us);
  const Address fabric = Address::v4(10, 0, 0, 1, 7000);
  core.register_worker(now_us, {"w0", fabric, fabric, 1, 2});
  core.register_gateway(now_us, {"g0", fabric, fabric, 3});
  for (int i = 0; i < 3; ++i) {
    now_us += 6'000'000;
    core.advance(now_us);
  }
  const ClusterMap before = core.map();
  {
    StateFile::World nothing;
    fs::remove(folder / "directory.state");
    const auto file = StateFile::open(folder, settings, false, nothing);
    PERIGEE_ASSERT(file && file->save(core.saved(), world.clock).ok(), "a world can be saved");
  }
  StateFile::World again;
  const auto file = StateFile::open(folder, settings, false, again);
  PERIGEE_ASSERT(file && again.saved && again.saved->map == before, "and read again");
}

void run(Input input) {
  static const Folder folder;
  const google::protobuf::LogSilencer silent;  // the file's mistakes are the point
  Choices choices(input);
  const bool sealed = (choices.byte() & 1) == 0;
  const Input rest = choices.rest();
  const std::string_view body(reinterpret_cast<const char*>(rest.data()), rest.size());
  write_file(folder.path / "directory.state", sealed ? with_checksum(body) : std::string(body));
  const CoreSettings settings;
  StateFile::World world;
  {
    const auto file = StateFile::open(folder.path, settings, false, world);
    if (!file) {
      PERIGEE_ASSERT(!file.error().message.empty(), "a file that is refused is told why");
      return;
    }
  }
  PERIGEE_ASSERT(world.saved.has_value(), "a file that is there is no new world");
  go_on(folder.path, settings, std::move(world));
}

std::vector<Bytes> seeds() {
  const Folder folder;
  const CoreSettings settings;
  Core core(settings, 77, 1'000'000);
  std::vector<Bytes> out;
  for (const bool members : {false, true}) {
    if (members) {
      const Address fabric = Address::v4(10, 0, 0, 1, 7000);
      core.register_worker(2'000'000, {"w0", fabric, fabric, 1, 2});
      core.register_worker(2'000'000, {"w1", Address::v4(10, 0, 0, 2, 7000), fabric, 1, 2});
      core.register_gateway(2'000'000, {"g0", fabric, fabric, 3});
      core.advance(3'000'000);
    }
    StateFile::World nothing;
    fs::remove(folder.path / "directory.state");
    const auto file = StateFile::open(folder.path, settings, false, nothing);
    PERIGEE_ASSERT(file && file->save(core.saved(), {}).ok(), "a world can be saved");
    std::ifstream saved(file->path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(saved), {}};
    const std::string body = text.substr(text.find('\n') + 1);
    append(out.emplace_back(), std::uint8_t{0});
    append(out.back(), as_bytes_of(body.data(), body.size()));
    append(out.emplace_back(), std::uint8_t{1});
    append(out.back(), as_bytes_of(text.data(), text.size()));
  }
  return out;
}

}  // namespace

const Target target{run, seeds, 2000};

}  // namespace perigee::fuzz
