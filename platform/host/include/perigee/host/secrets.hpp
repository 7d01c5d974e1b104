/// Secrets of a local cluster and random numbers for processes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "perigee/base/result.hpp"

namespace perigee::host {

using Key = std::array<std::byte, 32>;

/// Below state_dir: encrypts connect tokens; shared by the session service and all gateways.
inline constexpr std::string_view token_key_file = "secrets/backend.key";
/// Below state_dir: authenticates doors to gateways; shared by all of them.
inline constexpr std::string_view door_key_file = "secrets/door.key";
/// Below the state folder: the credential of every player of a development server.
inline constexpr std::string_view dev_secret_file = "secrets/dev_secret";

/// Tokens are encrypted with the first key and accepted with both, so that keys can be changed
/// while tokens of the old key are in use.
struct BackendKeys {
  Key current{};
  std::optional<Key> previous;
};
/// Whether a secret's file is accessible to its owner only. On a read-only file system, as
/// orchestrators mount secrets, any mode is accepted because the orchestrator sets it.
bool well_kept(unsigned mode, bool read_only_mount);
/// One line of 64 hex digits, or two: current, previous. All-zero keys, files that are not
/// well_kept() and anything but a regular file are rejected.
Result<BackendKeys> load_keys(const std::filesystem::path& path);
/// Creates a missing key from the kernel's random source, mode 0600, folders 0700. Safe when
/// several processes start at once: all get the same key.
Result<BackendKeys> load_or_create_keys(const std::filesystem::path& path);
/// The text of a private file, as that of a private key. Files that are not well_kept(), and
/// anything but a regular file, are rejected.
Result<std::string> load_private_file(const std::filesystem::path& path);
/// A line of text, at least 16 characters; created like a key when missing.
Result<std::string> load_or_create_secret(const std::filesystem::path& path);

/// From the kernel (getrandom).
void fill_random(std::span<std::byte> out);
std::uint64_t random_u64();

}  // namespace perigee::host
