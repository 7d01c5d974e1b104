/// Event counts as one table, indexed by the handles of a metric table or by an enum with one row
/// that names each enumerator: the compiler refuses an enumerator without a row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perigee {

/// `Enum` counts 0 .. Enum::last, without gaps. Handles of a metric table specialise it.
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

/// The names in order, as values of a metric's label.
template <class Row, std::size_t N>
constexpr std::array<std::string_view, N> names_of(const std::array<Row, N>& rows) {
  std::array<std::string_view, N> names;
  for (std::size_t i = 0; i < N; ++i) names[i] = rows[i].name;
  return names;
}

}  // namespace perigee
