/// The parts of a fuzz target. The same target runs under libFuzzer (preset `fuzz`) and, in all
/// other builds, as a test that replays known inputs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "perigee/base/assert.hpp"
#include "perigee/base/bytes.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::fuzz {

using Bytes = std::vector<std::byte>;
using Input = std::span<const std::byte>;

/// Each file of targets/ defines one.
struct Target {
  /// Takes any bytes. Ends the process if a contract is broken (PERIGEE_ASSERT, a sanitizer).
  void (*run)(Input);
  /// Well-formed initial inputs, made with the real writers, so that they follow changes of the
  /// wire.
  std::vector<Bytes> (*seeds)();
  /// Mutations that the replay makes of the seeds: as many as take less than a second in release.
  std::uint32_t mutations = 4000;
};
extern const Target target;

/// Longest useful input: a datagram, or some dozen steps of a script.
inline constexpr std::size_t input_bytes_max = 4096;

inline Bytes bytes_of(Input view) { return {view.begin(), view.end()}; }
template <class T>
void append(Bytes& to, const T& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  to.insert(to.end(), bytes.begin(), bytes.end());
}
inline void append(Bytes& to, Input bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

/// Parses an input into decisions; zeros after its end.
class Choices {
 public:
  explicit Choices(Input input) : reader_(input) {}
  bool empty() const { return reader_.at_end(); }
  template <class T>
  T number() {
    T value{};
    std::array<std::byte, sizeof(T)> raw{};
    const std::size_t size = std::min(sizeof(T), reader_.remaining());
    reader_.copy(std::span(raw).first(size));
    std::memcpy(&value, raw.data(), sizeof(T));
    return value;
  }
  std::uint8_t byte() { return number<std::uint8_t>(); }
  std::uint32_t below(std::uint32_t count) { return number<std::uint16_t>() % count; }
  /// Length-prefixed (u16), at most `size_max` and the remaining bytes.
  Input bytes(std::size_t size_max = input_bytes_max) {
    const std::size_t wanted = number<std::uint16_t>();
    Input out;
    reader_.view(out, std::min({wanted, size_max, reader_.remaining()}));
    return out;
  }
  Input rest() {
    Input out;
    reader_.view(out, reader_.remaining());
    return out;
  }

 private:
  ByteReader reader_;
};

/// The inverse, for seeds: writes bytes for Choices::bytes().
inline void append_sized(Bytes& to, Input bytes) {
  append(to, static_cast<std::uint16_t>(bytes.size()));
  append(to, bytes);
}

/// Reproducible bytes in place of random ones.
inline auto seeded(std::uint64_t seed) {
  return [random = Random(seed)](std::span<std::byte> out) mutable {
    for (std::byte& b : out) b = static_cast<std::byte>(random.next());
  };
}

/// Creates a folder and writes the seeds into it as files 0, 1, ...
void write_seeds(const char* folder);

}  // namespace perigee::fuzz
