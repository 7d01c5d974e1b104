#include "json_text.hpp"

#include <cmath>

namespace perigee::replay {

JsonText& JsonText::name(std::string_view name) {
  comma();
  return text(name).raw(":");
}

void JsonText::comma() {
  const char last = out_.empty() ? '{' : out_.back();
  if (last != '{' && last != '[' && last != ':') out_ += ',';
}

JsonText& JsonText::text(std::string_view value) {
  out_ += '"';
  for (const char c : value) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out_ += '\\';
    out_ += code < 0x20 || code > 0x7e ? '?' : c;
  }
  return raw("\"");
}

JsonText& JsonText::whole(std::int64_t value) { return raw(std::to_string(value)); }

JsonText& JsonText::number(double value, int decimals) {
  constexpr double huge = 1e11;
  if (!std::isfinite(value) || std::abs(value) > huge) return raw("null");
  std::int64_t unit = 1;
  for (int i = 0; i < decimals; ++i) unit *= 10;
  const std::int64_t scaled = std::llround(value * static_cast<double>(unit));
  const std::int64_t size = scaled < 0 ? -scaled : scaled;
  if (scaled < 0) out_ += '-';
  whole(size / unit);
  std::string digits = std::to_string(size % unit + unit);  // a 1 and the digits
  while (digits.back() == '0') digits.pop_back();
  if (digits.size() > 1) {
    digits.front() = '.';
    out_ += digits;
  }
  return *this;
}

JsonText& JsonText::hex(std::uint64_t value) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  do {
    out.insert(out.begin(), digits[value % 16]);
    value /= 16;
  } while (value != 0);
  return text(out);
}

}  // namespace perigee::replay
