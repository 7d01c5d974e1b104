/// A few JSON values, without a library: this code is part of browser modules.
#pragma once

#include <cmath>
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
  /// `,"name":`, without the comma after a bracket.
  JsonText& name(std::string_view name) {
    comma();
    text(name);
    out_ += ':';
    return *this;
  }
  /// A comma, unless a value cannot stand before it.
  void comma() {
    const char last = out_.empty() ? '{' : out_.back();
    if (last != '{' && last != '[' && last != ':') out_ += ',';
  }
  JsonText& text(std::string_view value) {
    out_ += '"';
    for (const char c : value) {
      const auto code = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') out_ += '\\';
      out_ += code < 0x20 || code > 0x7e ? '?' : c;
    }
    out_ += '"';
    return *this;
  }
  JsonText& whole(std::int64_t value) {
    out_ += std::to_string(value);
    return *this;
  }
  JsonText& truth(bool value) { return raw(value ? "true" : "false"); }
  /// With at most that many digits after the point; null if it is not finite or huge.
  JsonText& number(double value, int decimals) {
    constexpr double huge = 1e11;
    if (!std::isfinite(value) || std::abs(value) > huge) return raw("null");
    std::int64_t unit = 1;
    for (int i = 0; i < decimals; ++i) unit *= 10;
    const std::int64_t scaled = std::llround(value * static_cast<double>(unit));
    const std::int64_t size = scaled < 0 ? -scaled : scaled;
    if (scaled < 0) out_ += '-';
    out_ += std::to_string(size / unit);
    std::string digits = std::to_string(size % unit + unit);  // a 1 and the digits
    while (digits.back() == '0') digits.pop_back();
    if (digits.size() > 1) out_ += '.' + digits.substr(1);
    return *this;
  }
  /// Hexadecimal, as a text: JavaScript's numbers have 53 bits.
  JsonText& hex(std::uint64_t value) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    do {
      out.insert(out.begin(), digits[value % 16]);
      value /= 16;
    } while (value != 0);
    return text(out);
  }

 private:
  std::string& out_;
};

}  // namespace perigee::replay
