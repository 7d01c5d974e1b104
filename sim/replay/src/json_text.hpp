/// A few JSON values, without a library: this code is part of browser modules.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perigee::replay {

/// Appends values of one document to a text; the caller writes brackets.
class JsonText {
 public:
  explicit JsonText(std::string& out) : out_(out) {}

  JsonText& raw(std::string_view text) {
    out_ += text;
    return *this;
  }
  /// A name and a colon, with a comma before it unless it is the first.
  JsonText& name(std::string_view name);
  /// A comma, unless a value cannot stand before it.
  void comma();
  /// Characters that are not printable ASCII become question marks.
  JsonText& text(std::string_view value);
  JsonText& whole(std::int64_t value);
  JsonText& truth(bool value) { return raw(value ? "true" : "false"); }
  /// With at most that many digits after the point; null if it is not finite or huge.
  JsonText& number(double value, int decimals);
  /// Hexadecimal, as a text: JavaScript's numbers have 53 bits.
  JsonText& hex(std::uint64_t value);

 private:
  std::string& out_;
};

}  // namespace perigee::replay
