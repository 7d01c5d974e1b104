/// The coordination store of a single process: a file, without an external program.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "perigee/coordination/store.hpp"

namespace perigee::coordination {

struct EmbeddedOptions {
  std::filesystem::path state_dir;
  std::uint64_t drawn_store_id = 0;  ///< random; used for a new file
  /// The file was restored from a backup: it takes `drawn_store_id`, too.
  bool restored = false;
  /// An existing file is put aside as coordination.state.old.
  bool anew = false;
};

/// state_dir/coordination.state. Each commit writes the whole file (temporary file, fsync, rename)
/// before it is answered: meant for hundreds of keys, not for thousands. Writes on its own thread.
class Embedded {
 public:
  /// Keys and values together: the maximum that one commit writes.
  static constexpr std::size_t bytes_max = 4 * 1024 * 1024;
  /// Changes that a watch can resume across; of this process only.
  static constexpr std::size_t history_max = 1'024;

  static Result<std::unique_ptr<Embedded>> open(const EmbeddedOptions& options);
  ~Embedded();
  Embedded(const Embedded&) = delete;
  Embedded& operator=(const Embedded&) = delete;

  /// A connection for one thread. It must be destroyed before this object.
  std::unique_ptr<Store> connect();

 private:
  class Engine;
  class Side;
  explicit Embedded(std::shared_ptr<Engine> engine);
  std::shared_ptr<Engine> engine_;
  std::uint32_t sides_ = 0;
};

}  // namespace perigee::coordination
