#include "escaped_text.hpp"

#include <cstdio>

#include "perigee/base/shown_text.hpp"

namespace perigee::host {
namespace {

void append_unit(std::string& out, unsigned utf16) {
  char code[8];
  std::snprintf(code, sizeof code, "\\u%04x", utf16 & 0xffffU);
  out += code;
}

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    const auto value = static_cast<unsigned>(point.value);
    if (!point.well_formed) {
      append_unit(out, 0xfffd);
    } else if (value == '"' || value == '\\') {
      out += '\\';
      out += text.front();
    } else if (shows_itself(point.value)) {
      out += text.substr(0, point.bytes);
    } else if (value > 0xffff) {
      append_unit(out, 0xd7c0 + (value >> 10));
      append_unit(out, 0xdc00 + (value & 0x3ff));
    } else {
      append_unit(out, value);
    }
    text.remove_prefix(point.bytes);
  }
}

}  // namespace perigee::host
