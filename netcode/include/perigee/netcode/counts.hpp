/// Event counts as one table indexed by an enum, with one row that names each enumerator: the
/// compiler refuses an enumerator without a row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perigee {

/// `Enum` counts 0 .. Enum::last, without gaps.
template <class Enum>
inline constexpr std::size_t enum_count = static_cast<std::size_t>(Enum::last) + 1;

template <class Enum>
class Counts {
 public:
  void add(Enum what, std::uint64_t n = 1) { values_[static_cast<std::size_t>(what)] += n; }
  std::uint64_t operator[](Enum what) const { return values_[static_cast<std::size_t>(what)]; }
  std::uint64_t sum() const {
    std::uint64_t all = 0;
    for (const std::uint64_t value : values_) all += value;
    return all;
  }
  friend bool operator==(const Counts&, const Counts&) = default;

 private:
  std::array<std::uint64_t, enum_count<Enum>> values_{};
};

template <class Enum>
struct CountRow {
  Enum what;
  std::string_view name;  ///< snake_case, as in a metric's label or name
  std::string_view help;
};

template <class Enum, std::size_t N>
constexpr bool one_row_each(const std::array<CountRow<Enum>, N>& rows) {
  if (N != enum_count<Enum>) return false;
  for (std::size_t i = 0; i < N; ++i) {
    if (static_cast<std::size_t>(rows[i].what) != i || rows[i].name.empty()) return false;
  }
  return true;
}

}  // namespace perigee
