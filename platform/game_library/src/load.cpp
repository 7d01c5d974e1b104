#include "perigee/game_library/load.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string_view>

#include "perigee/host/crash_report.hpp"
#include "perigee/world/schema.hpp"

namespace perigee::game_library {
namespace {

using plugin::Exports;
using plugin::Stages;

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

Result<void*> opened(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path whole = std::filesystem::absolute(path, failure);
  if (!std::filesystem::exists(whole, failure)) {
    return Error{"there is no file " + path + "; build the game's library, or correct the path"};
  }
  // By its whole path: dlopen searches a name without a slash elsewhere. All symbols now: a missing
  // one would end the process in the middle of a tick.
  void* library = dlopen(whole.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  const char* why = dlerror();
  return Error{path + " cannot be loaded: " + (why != nullptr ? why : "no reason given") +
               "; it must be a shared library for this machine, linked with perigee::game"};
}

/// Why the library does not fit into this program.
std::optional<std::string> misfit(const Exports& exports) {
  if (exports.magic != Exports::magic_text || exports.format != Exports::format_now) {
    return "has another form of plug-in than this program reads; build the game with the perigee "
           "of this program";
  }
  if (exports.code != plugin::code_hash()) {
    return "was built with another perigee (" + std::string(exports.build) + ", code " +
           hex(exports.code) + ") than this program (" + plugin::build_text() + ", code " +
           hex(plugin::code_hash()) + "); build the game with the perigee of this program";
  }
  if (exports.layout != plugin::layout_hash()) {
    return "was compiled with options that change the layout of types (" +
           std::string(exports.build) + "; this program: " + plugin::build_text() +
           "); link it with perigee::game, and use this program's compiler and options";
  }
  return std::nullopt;
}

Result<Stages> made(const std::string& path, const Exports& exports) {
  const std::string where = path + ": the game's constructor threw ";
  try {
    return exports.make();
  } catch (const std::exception& error) {
    return Error{where + "'" + error.what() + "'; correct it in the game"};
  } catch (...) {
    return Error{where + "something that is no std::exception; correct it in the game"};
  }
}

Result<Ok> check(const std::string& path, const Stages& stages) {
  if (stages.empty()) return Error{path + " has no stage; its function must return at least one"};
  for (const plugin::Stage& stage : stages) {
    if (!stage.game) {
      return Error{path + ": stage '" + stage.name + "' has no game; its function must make one"};
    }
    if (const auto usable = world::check(stage.game->types()); !usable) {
      return Error{path + ": " + usable.error().message};
    }
    if (world::agreed_schema(*stage.game) != world::agreed_schema(*stages.front().game)) {
      return Error{path + ": stage '" + stage.name + "' has another schema_hash() than '" +
                   stages.front().name + "'; clients could not play both, so give them one"};
    }
  }
  return Ok{};
}

/// A hash of addresses or of memory without a value differs from process to process: the session
/// service would refuse all players.
Result<Ok> check_hash(const std::string& path, const Exports& exports, const Stages& stages) {
  const auto again = made(path, exports);
  if (!again) return again.error();
  if (!again->empty() && again->front().game &&
      world::agreed_schema(*again->front().game) == world::agreed_schema(*stages.front().game)) {
    return Ok{};
  }
  return Error{path +
               ": schema_hash() differs between two objects of the game; hash values alone, "
               "no addresses and no uninitialised members"};
}

}  // namespace

Result<Stages> load(const std::string& path) {
  const auto library = opened(path);
  if (!library) return library.error();
  const auto function =
      reinterpret_cast<plugin::ExportedFunction>(dlsym(*library, plugin::exported_name));
  if (function == nullptr) {
    return Error{path + " is not a game of perigee: it has no function " + plugin::exported_name +
                 "; add the line PERIGEE_GAME(YourGame) to one of its sources"};
  }
  const Exports* exports = function();
  if (exports == nullptr) return Error{path + " is not a game of perigee: it exports nothing"};
  if (const auto why = misfit(*exports)) return Error{path + " " + *why};
  if (exports->listen != nullptr) exports->listen(host::keep_assertion);
  auto stages = made(path, *exports);
  if (!stages) return stages;
  if (const auto usable = check(path, *stages); !usable) return usable.error();
  if (const auto usable = check_hash(path, *exports, *stages); !usable) return usable.error();
  return stages;
}

}  // namespace perigee::game_library
