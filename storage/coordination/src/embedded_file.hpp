/// The embedded store's file: read and written as a whole.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "perigee/coordination/store.hpp"

namespace perigee::coordination {

struct EmbeddedState {
  std::uint64_t store_id = 0;
  Revision revision = 0;
  std::map<std::string, Entry> entries;
};

/// Revision 0: the file does not exist. Invalid content is an error with its remedy.
Result<EmbeddedState> read_state(const std::filesystem::path& path);
/// An error leaves the former file unchanged.
Result<Ok> write_state(const std::filesystem::path& path, const EmbeddedState& state);

}  // namespace perigee::coordination
