#include "flight_files.hpp"

#include <filesystem>
#include <fstream>

#include "perigee/host/log.hpp"

namespace perigee::lab {
namespace {

Result<Ok> write_file(const std::filesystem::path& path, const replay::Recording& recording) {
  const auto bytes = replay::write_recording(recording);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  if (file.flush()) return Ok{};
  return Error{"cannot write " + path.string() + "; set another --record"};
}

}  // namespace

Result<Ok> write_flights(std::span<const Cell> cells, const std::string& folder) {
  if (folder.empty()) return Ok{};
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  for (const Cell& cell : cells) {
    if (cell.worst == nullptr) continue;
    std::string name;
    for (const std::string_view part : {cell.scenario, cell.profile, cell.preset}) {
      name += std::string(part) + "-";
    }
    name += std::to_string(cell.seed);
    const std::filesystem::path stem = std::filesystem::path(folder) / name;
    for (const auto& [side, recording] : {std::pair("-client.flight", &cell.worst->client),
                                          std::pair("-worker.flight", &cell.worst->worker)}) {
      const auto written = write_file(stem.string() + side, *recording);
      if (!written) return written;
    }
  }
  return Ok{};
}

}  // namespace perigee::lab
