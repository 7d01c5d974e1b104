// A target as a test: its seeds, the given files or folders, and seeded mutations of all of them.
// An input that ends the process is left behind as a file.
#include <fcntl.h>
#include <unistd.h>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <string_view>

#include "fuzz.hpp"

namespace perigee::fuzz {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t mutation_seed = 20'26;
constexpr const char* crash_file = "crash-input";

Input running;

extern "C" void keep_input(int number) {
  const int fd = open(crash_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const ssize_t wrote = write(fd, running.data(), running.size());
  constexpr std::string_view sent = "the input that ended this is kept in ./crash-input\n";
  const ssize_t said = write(STDERR_FILENO, sent.data(), sent.size());
  _exit(wrote >= 0 && said >= 0 ? 128 + number : 1);
}

void run(Input input) {
  running = input;
  target.run(input);
}

void load(const fs::path& path, std::vector<Bytes>& out) {
  if (fs::is_directory(path)) {
    std::vector<fs::path> files(fs::directory_iterator(path), fs::directory_iterator{});
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) load(file, out);
    return;
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  out.push_back(bytes_of(as_bytes_of(text.data(), text.size())));
}

/// Overwrites with values that break parsers: limits, signs, and huge or tiny floats.
template <class T>
void overwrite(Random& random, Bytes& bytes, std::size_t at) {
  constexpr std::array<T, 8> interesting{T{0},
                                         T{1},
                                         static_cast<T>(-1),
                                         T{127},
                                         std::numeric_limits<T>::max(),
                                         std::numeric_limits<T>::lowest(),
                                         std::numeric_limits<T>::min(),
                                         std::numeric_limits<T>::infinity()};
  const T value = interesting[random.below(interesting.size())];
  std::memcpy(bytes.data() + at, &value, std::min(sizeof value, bytes.size() - at));
}

void mutate(Random& random, Bytes& bytes, const std::vector<Bytes>& known) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  if (size == 0) return append(bytes, random.next());
  const std::uint32_t at = random.below(size);
  const auto from = bytes.begin() + at;
  switch (random.below(9)) {
    case 0:
      *from ^= static_cast<std::byte>(1U << random.below(8));
      return;
    case 1:
      *from = static_cast<std::byte>(random.next());
      return;
    case 2:
      return overwrite<std::uint16_t>(random, bytes, at);
    case 3:
      return overwrite<std::int32_t>(random, bytes, at);
    case 4:
      return overwrite<float>(random, bytes, at);
    case 5:
      return overwrite<double>(random, bytes, at);
    case 6:
      bytes.erase(from, from + 1 + random.below(size - at));
      return;
    case 7: {
      const Bytes copy(from, from + 1 + random.below(size - at));
      const auto to = static_cast<std::ptrdiff_t>(random.below(size));
      bytes.insert(bytes.begin() + to, copy.begin(), copy.end());
      return;
    }
    default: {
      const Bytes& other = known[random.below(static_cast<std::uint32_t>(known.size()))];
      bytes.resize(at);
      if (!other.empty()) {
        append(bytes, Input(other).subspan(random.below(static_cast<std::uint32_t>(other.size()))));
      }
    }
  }
}

}  // namespace
}  // namespace perigee::fuzz

int main(int argc, char** argv) {
  using namespace perigee;
  using namespace perigee::fuzz;
  if (argc == 3 && std::string_view(argv[1]) == "--seeds") {
    write_seeds(argv[2]);
    return 0;
  }
  for (const int number : {SIGABRT, SIGSEGV, SIGFPE, SIGILL}) std::signal(number, keep_input);
  std::vector<Bytes> known = target.seeds();
  for (int i = 1; i < argc; ++i) {
    if (fs::exists(argv[i])) load(argv[i], known);
  }
  for (const Bytes& input : known) run(input);
  Random random(mutation_seed);
  for (std::uint32_t i = 0; i < target.mutations; ++i) {
    Bytes bytes = known[random.below(static_cast<std::uint32_t>(known.size()))];
    for (std::uint32_t edits = 1 + random.below(4); edits > 0; --edits) {
      mutate(random, bytes, known);
    }
    bytes.resize(std::min(bytes.size(), input_bytes_max));
    run(bytes);
  }
  std::cout << known.size() << " known inputs and " << target.mutations << " mutations of them\n";
}
