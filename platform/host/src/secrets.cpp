#include "perigee/host/secrets.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

#include "descriptor.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/host/read_file.hpp"

namespace perigee::host {
namespace {

std::string to_hex(std::span<const std::byte> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte b : bytes) {
    text += digits[static_cast<unsigned>(b) >> 4];
    text += digits[static_cast<unsigned>(b) & 15U];
  }
  return text;
}

int from_hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string random_hex() {
  Key key;
  fill_random(key);
  return to_hex(key);
}

Error file_error(const std::filesystem::path& path, int code) {
  return Error{"secret " + path.string() + ": " + std::strerror(code) +
               "; check owner and mode of the folder, or set another --state-dir"};
}

/// Writes to a temporary file and links it into place: of several processes that start at once one
/// wins, and none reads an incomplete file.
Result<Ok> create(const std::filesystem::path& path, const std::string& text) {
  std::error_code failure;
  std::filesystem::create_directories(path.parent_path(), failure);
  if (failure) return file_error(path, failure.value());
  std::filesystem::permissions(path.parent_path(), std::filesystem::perms::owner_all, failure);
  std::string temporary = path.string() + ".XXXXXX";
  const int fd = mkstemp(temporary.data());  // mode 0600
  if (fd < 0) return file_error(path, errno);
  const std::string line = text + "\n";
  const bool written =
      write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size()) && fsync(fd) == 0;
  const int write_error = errno;
  close(fd);
  const bool linked = written && link(temporary.c_str(), path.c_str()) == 0;
  const int link_error = errno;
  unlink(temporary.c_str());
  if (!written) return file_error(path, write_error);
  if (!linked && link_error != EEXIST) return file_error(path, link_error);
  return Ok{};
}

constexpr std::size_t secret_bytes_max = 4'096;
constexpr std::size_t private_key_bytes_max = 16'384;  // RSA of 8192 bits in PEM takes half

Result<std::string> load(const std::filesystem::path& path,
                         std::size_t bytes_max = secret_bytes_max) {
  const auto named = [&](const std::string& what) {
    return Error{"secret " + path.string() + ": " + what};
  };
  // Opening a pipe in its place would block the loop at a SIGHUP.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return file_error(path, errno);
  struct stat is{};
  struct statvfs place{};
  if (fstat(file.get(), &is) != 0 || fstatvfs(file.get(), &place) != 0) {
    return file_error(path, errno);
  }
  if (!S_ISREG(is.st_mode)) return named("not a regular file; put the key's file there");
  if (!well_kept(is.st_mode, (place.f_flag & ST_RDONLY) != 0)) {
    return named("users other than its owner may read or write it; chmod 600 " + path.string());
  }
  auto text = read_rest(file.get(), bytes_max);
  if (!text) return named(text.error().message);
  while (!text->empty() && (text->back() == '\n' || text->back() == '\r')) text->pop_back();
  return text;
}

Result<std::string> load_or_create(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) {
    if (const auto made = create(path, random_hex()); !made) return made.error();
  }
  return load(path);
}

std::optional<Key> parse_key(std::string_view line) {
  Key key;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line.size() != 2 * key.size()) return std::nullopt;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const int high = from_hex(line[2 * i]);
    const int low = from_hex(line[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    key[i] = static_cast<std::byte>(high << 4 | low);
  }
  return key;
}

Result<BackendKeys> parse_keys(const std::filesystem::path& path, std::string_view text) {
  const Error zero{
      "key " + path.string() +
      ": all digits are 0, which anyone can guess; remove the file to have a key generated, for "
      "all processes, or write the output of `openssl rand -hex 32` into it"};
  const Error error{"key " + path.string() +
                    ": expected one line of 64 hex digits, or two (current, previous); restore it, "
                    "or remove the file to have a new one generated, for all processes"};
  const std::size_t end = text.find('\n');
  const auto current = parse_key(text.substr(0, end));
  if (!current) return error;
  if (*current == Key{}) return zero;
  if (end == std::string_view::npos) return BackendKeys{*current, std::nullopt};
  const auto previous = parse_key(text.substr(end + 1));
  if (!previous) return error;
  if (*previous == Key{}) return zero;
  return BackendKeys{*current, previous};
}

}  // namespace

bool well_kept(unsigned mode, bool read_only_mount) {
  constexpr unsigned others = S_IRWXG | S_IRWXO;
  return read_only_mount || (mode & others) == 0;
}

Result<std::string> load_private_file(const std::filesystem::path& path) {
  return load(path, private_key_bytes_max);
}

Result<BackendKeys> load_keys(const std::filesystem::path& path) {
  const auto text = load(path);
  if (!text) return text.error();
  return parse_keys(path, *text);
}

Result<BackendKeys> load_or_create_keys(const std::filesystem::path& path) {
  const auto text = load_or_create(path);
  if (!text) return text.error();
  return parse_keys(path, *text);
}

Result<std::string> load_or_create_secret(const std::filesystem::path& path) {
  auto text = load_or_create(path);
  if (text && text->size() < 16) {
    return Error{"secret " + path.string() + ": shorter than 16 characters; remove the file to " +
                 "have a new one generated"};
  }
  return text;
}

void fill_random(std::span<std::byte> out) {
  while (!out.empty()) {
    const ssize_t got = getrandom(out.data(), out.size(), 0);
    PERIGEE_ASSERT(got > 0 || errno == EINTR, "the kernel must provide random numbers");
    if (got > 0) out = out.subspan(static_cast<std::size_t>(got));
  }
}

std::uint64_t random_u64() {
  std::uint64_t value = 0;
  fill_random(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

}  // namespace perigee::host
