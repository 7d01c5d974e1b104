#include "files.hpp"

#include <filesystem>
#include <fstream>

#include "perigee/level/level.hpp"

namespace perigee::gltf {

namespace fs = std::filesystem;

Result<Bytes> contents_of(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) return Error{"it cannot be read: " + error.message()};
  if (size > level::bytes_max) return Error{"it has more than 1 GiB"};
  Bytes out(static_cast<std::size_t>(size));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
  if (!file) return Error{"it cannot be read to its end"};
  return out;
}

bool store(const std::string& path, const Bytes& bytes) {
  const std::string unfinished = path + beside;
  std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code error;
  if (file) fs::rename(unfinished, path, error);
  if (file && !error) return true;
  fs::remove(unfinished, error);
  return false;
}

}  // namespace perigee::gltf
