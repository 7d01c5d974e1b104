/// Reads files written by operators and other processes: completely, with a size limit, and without
/// exceptions.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "perigee/base/result.hpp"

namespace perigee::host {

inline constexpr std::size_t file_bytes_max = 256U << 20;

/// Reads the rest of an open file. The error lacks the file's name.
Result<std::string> read_rest(int fd, std::size_t bytes_max);
/// None if the file does not exist. A folder or an unreadable file is an error.
Result<std::optional<std::string>> read_if_present(const std::filesystem::path& path,
                                                   std::size_t bytes_max = file_bytes_max);

}  // namespace perigee::host
