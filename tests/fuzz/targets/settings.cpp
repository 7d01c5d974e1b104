// A settings file, as every process reads it; the output of --print-config is such a file again.
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "fuzz/fuzz.hpp"
#include "perigee/host/settings.hpp"

namespace perigee::fuzz {
namespace {

/// A program with a setting of each kind.
struct Program {
  host::Settings settings{"perigee-fuzz", "reads files", "perigee-fuzz"};
  std::string level = "info", place = "here";
  std::uint16_t port = 7;
  std::int64_t offset = -5;
  double radius_m = 1.5;
  bool deep = false;
  std::array<double, 3> rings{1, 2, 3};
  std::array<std::uint32_t, 2> counts{4, 5};

  Program() {
    settings.choice("log.level", &level, {"debug", "info"}, "how much is said");
    settings.text("session.place", &place, "where");
    settings.number("gateway.port", &port, {1, 65535}, "", "port");
    settings.number("sim.offset_us", &offset, host::Range<std::int64_t>{-1000, 1000}, "us", "off");
    settings.number("sim.radius_m", &radius_m, host::Range<double>{0, 1e6}, "m", "radius");
    settings.flag("sim.deep", &deep, "deep");
    settings.numbers("replication.rings_m", rings, {0, 1e5}, "m", "rings");
    settings.numbers("sim.counts", counts, {0, 100}, "", "counts");
  }
};

/// A file in memory.
class MemoryFile {
 public:
  explicit MemoryFile(Input bytes) : fd_(memfd_create("settings", MFD_CLOEXEC)) {
    PERIGEE_ASSERT(
        fd_ >= 0 && write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
        "the kernel keeps the file");
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

host::Settings::Loaded load(Program& program, Input bytes) {
  const MemoryFile file(bytes);
  const std::vector<std::string> arguments{"--config", file.path()};
  return program.settings.load(arguments, [](const std::string&) { return std::nullopt; });
}

void run(Input input) {
  Program first;
  const auto loaded = load(first, input);
  if (loaded.exit_code) {
    PERIGEE_ASSERT(*loaded.exit_code == host::exit_usage && !loaded.to_stderr.empty(),
                   "a refusal has a reason");
    return;
  }
  const std::string printed = first.settings.print();
  Program second;
  const auto again = load(second, as_bytes_of(printed.data(), printed.size()));
  PERIGEE_ASSERT(!again.exit_code, "what --print-config prints can be loaded");
  PERIGEE_ASSERT(second.level == first.level && second.place == first.place &&
                     second.port == first.port && second.offset == first.offset &&
                     second.radius_m == first.radius_m && second.deep == first.deep &&
                     second.rings == first.rings && second.counts == first.counts,
                 "and says the same");
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  const auto add = [&](std::string_view text) {
    out.push_back(bytes_of(as_bytes_of(text.data(), text.size())));
  };
  Program program;
  add(program.settings.print());
  add("[log]\nlevel = \"debug\"\n[sim]\nradius_m = 1e3\noffset_us = -7\ndeep = true\n");
  add("[sim]\ncounts = [1, 2]\n[replication]\nrings_m = [1, 2.5, 3e2]\n");
  add("gateway.port = 0x10\nsession.place = 'a\\b' # where\n[bots]\nmany = 1\n");
  add("[session]\nplace = \"\"\"two\nlines \\u00e9 \\\"\"\"\"\n");
  add("[sim]\nradius_m = inf\noffset_us = 9999999999\ndeep = 1979-05-27\n[[sim.x]]\n");
  return out;
}

}  // namespace

const Target target{run, seeds, 3000};

}  // namespace perigee::fuzz
