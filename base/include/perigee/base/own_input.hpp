/// The fields that a game adds to the inputs of its players: a struct of small whole numbers with
/// one list of fields, as a game's state has it.
///   struct Controls {
///     std::uint8_t throttle = 0;
///     std::uint8_t slot = 1;
///     std::uint8_t emote = 0;
///     static void fields(auto&& field, auto& controls) {
///       using perigee::WhenMissing;
///       field(controls.throttle, "throttle");
///       field(controls.slot, "slot", {.low = 1, .high = 5, .missing = WhenMissing::Kept});
///       field(controls.emote, "emote", {.high = 7, .missing = WhenMissing::Momentary});
///     }
///   };
/// The game returns input_layout_of<Controls>() from GameModule::input_layout().
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "perigee/base/bits.hpp"
#include "perigee/base/ring.hpp"

namespace perigee {

/// A field's value in a tick without an input.
enum class WhenMissing : std::uint8_t {
  Held,       ///< the last one while held buttons stay down, then the default: an axis, a trigger
  Kept,       ///< the last one, as the look: a weapon slot
  Momentary,  ///< the default: an emote
  last = Momentary
};

/// The values of these fields, relative to the game's defaults: an input without any has the
/// defaults in every game.
struct OwnInput {
  static constexpr std::size_t bytes_max = 16;
  /// The bits of the game's struct that differ from the struct of defaults.
  std::array<std::byte, bytes_max> changed{};

  template <class Fields>
  Fields as() const {
    auto bytes = bytes_of(Fields{});
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] ^= changed[i];
    return std::bit_cast<Fields>(bytes);
  }
  template <class Fields>
  void set(const Fields& fields) {
    const auto bytes = bytes_of(fields), initial = bytes_of(Fields{});
    changed = {};
    for (std::size_t i = 0; i < bytes.size(); ++i) changed[i] = bytes[i] ^ initial[i];
  }
  /// All fields have their defaults.
  bool unset() const { return changed == decltype(changed){}; }
  friend bool operator==(const OwnInput&, const OwnInput&) = default;

 private:
  template <class Fields>
  static auto bytes_of(const Fields& fields) {
    static_assert(std::is_trivially_copyable_v<Fields> && sizeof(Fields) <= bytes_max,
                  "own fields of an input must be a plain struct of at most 16 bytes");
    static_assert(std::has_unique_object_representations_v<Fields>,
                  "it must consist of whole numbers without padding: larger fields first");
    return std::bit_cast<std::array<std::byte, sizeof(Fields)>>(fields);
  }
};

/// A game's declaration of a field. Without limits the field has all values of its type.
struct InputRule {
  std::optional<std::int64_t> low = std::nullopt;
  std::optional<std::int64_t> high = std::nullopt;
  WhenMissing missing = WhenMissing::Held;
};

struct InputField {
  std::string_view name;
  std::uint8_t offset = 0;  ///< in the game's struct
  std::uint8_t size = 1;    ///< bytes: 1, 2 or 4
  bool is_signed = false;
  WhenMissing missing = WhenMissing::Held;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t initial = 0;

  /// Width on the wire.
  int bits() const {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(high - low)));
  }
  /// The value in an input's bytes. Bytes of a program may be out of the range.
  std::int64_t stored(const OwnInput& own) const;
};

/// The own fields of a game's inputs: how they are read, checked, guessed and encoded. Empty for a
/// game without any.
class InputLayout {
 public:
  static constexpr std::size_t fields_max = 16;
  static constexpr std::size_t name_bytes_max = 31;
  /// Of a difference: a bit for each field, and all values.
  static constexpr std::size_t encoded_bytes_max = OwnInput::bytes_max + fields_max / 8;

  std::span<const InputField> fields() const { return {fields_.begin(), fields_.size()}; }
  bool empty() const { return fields_.empty(); }
  std::size_t bytes() const { return bytes_; }  ///< of the game's struct; 0: there is none
  /// Of everything that both sides must agree on; 0 without fields.
  std::uint64_t hash() const { return hash_; }
  /// None: there is no field of that name.
  const InputField* find(std::string_view name) const;

  /// False, and no change: the value is out of the field's range.
  bool set(OwnInput& own, const InputField& field, std::int64_t value) const;
  /// The first field that is out of its range. None: there is no such field, and the input has no
  /// bits outside of the fields.
  std::optional<std::string_view> unusable(const OwnInput& own) const;
  /// From the bytes of the game's struct. None: another size, or a value out of its range.
  std::optional<OwnInput> from_struct(std::span<const std::byte> bytes) const;
  /// Moves each value into its range, and clears bits outside of the fields.
  void confine(OwnInput& own) const;
  /// For a tick without an input: momentary fields get their defaults ...
  void hold(OwnInput& own) const { keep(own, held_); }
  /// ... and after a longer time all fields that are not kept.
  void release(OwnInput& own) const { keep(own, kept_); }

  /// The fields in which `own` differs from `from`.
  void write(BitWriter& writer, const OwnInput& own, const OwnInput& from) const;
  /// On reading, `own` holds the other input's values. False: a value is out of its range.
  bool read(BitReader& reader, OwnInput& own) const;

  /// Adds a field. It must not overlap another one, its default must be in its range, and its name
  /// must be new, of visible ASCII characters.
  void add(const InputField& field);
  /// After the last field: each byte of the struct must belong to one.
  void close(std::size_t struct_bytes);

 private:
  static void keep(OwnInput& own, const OwnInput& mask);

  FixedVector<InputField, fields_max> fields_;
  OwnInput covered_;  ///< ones in the bytes of all fields,
  OwnInput held_;     ///< ... of those that are not momentary,
  OwnInput kept_;     ///< ... of those that are kept
  std::size_t bytes_ = 0;
  std::uint64_t hash_ = 0;
};

/// For a game without own fields. The reference is valid until the program ends.
const InputLayout& no_own_input();

namespace detail {

template <class Value>
constexpr std::int64_t number_of(Value value) {
  if constexpr (std::is_enum_v<Value>) {
    return static_cast<std::int64_t>(static_cast<std::underlying_type_t<Value>>(value));
  } else {
    return static_cast<std::int64_t>(value);
  }
}

template <class Value>
InputField describe(const Value& initial, std::string_view name, const InputRule& rule,
                    std::ptrdiff_t offset) {
  static_assert((std::is_integral_v<Value> || std::is_enum_v<Value>) && sizeof(Value) <= 4,
                "an own field of an input is a whole number, a flag or an enumeration, of at most "
                "4 bytes");
  const auto limits = [] {
    if constexpr (std::is_enum_v<Value>) {
      return std::numeric_limits<std::underlying_type_t<Value>>();
    } else {
      return std::numeric_limits<Value>();
    }
  }();
  return {.name = name,
          .offset = static_cast<std::uint8_t>(offset),
          .size = sizeof(Value),
          .is_signed = number_of(limits.min()) < 0,
          .missing = rule.missing,
          .low = rule.low.value_or(number_of(limits.min())),
          .high = rule.high.value_or(number_of(limits.max())),
          .initial = number_of(initial)};
}

}  // namespace detail

template <class Fields>
InputLayout input_layout_of() {
  InputLayout layout;
  const Fields initial{};
  const auto* begin = reinterpret_cast<const std::byte*>(&initial);
  Fields::fields(
      [&](const auto& value, std::string_view name, const InputRule& rule = InputRule()) {
        const auto offset = reinterpret_cast<const std::byte*>(&value) - begin;
        layout.add(detail::describe(value, name, rule, offset));
      },
      initial);
  layout.close(sizeof(Fields));
  return layout;
}

}  // namespace perigee
