#include "perigee/host/read_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "descriptor.hpp"

namespace perigee::host {

Result<std::string> read_rest(int fd, std::size_t bytes_max) {
  std::string text;
  std::array<char, 64 << 10> part;
  while (true) {
    const ssize_t got = read(fd, part.data(), part.size());
    if (got == 0) return text;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const char* remedy =
          errno == EISDIR ? "; expected a file here: move that folder away" : "; check the disk";
      return Error{std::strerror(errno) + std::string(remedy)};
    }
    if (text.size() + static_cast<std::size_t>(got) > bytes_max) {
      return Error{"has more than " + std::to_string(bytes_max) +
                   " bytes; is this the right file?"};
    }
    text.append(part.data(), static_cast<std::size_t>(got));
  }
}

Result<std::optional<std::string>> read_if_present(const std::filesystem::path& path,
                                                   std::size_t bytes_max) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    if (errno == ENOENT) return std::optional<std::string>{};
    return Error{path.string() + ": " + std::strerror(errno) +
                 "; check owner and mode of the file and its folder"};
  }
  auto text = read_rest(file.get(), bytes_max);
  if (!text) return Error{path.string() + ": " + text.error().message};
  return std::optional<std::string>(std::move(*text));
}

}  // namespace perigee::host
