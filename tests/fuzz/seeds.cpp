#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz.hpp"

namespace perigee::fuzz {

void write_seeds(const char* folder) {
  std::filesystem::create_directories(folder);
  std::size_t count = 0;
  for (const Bytes& seed : target.seeds()) {
    std::ofstream file(std::filesystem::path(folder) / ("seed-" + std::to_string(count++)),
                       std::ios::binary);
    file.write(reinterpret_cast<const char*>(seed.data()),
               static_cast<std::streamsize>(seed.size()));
  }
}

}  // namespace perigee::fuzz
