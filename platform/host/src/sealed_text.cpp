#include "perigee/host/sealed_text.hpp"

#include <charconv>

#include "perigee/base/hash.hpp"

namespace perigee::host {
namespace {

std::string checksum(std::string_view text) {
  StateHash hash;
  for (const char message : text) hash.add(message);
  char digits[16];
  const auto [end, code] = std::to_chars(digits, digits + sizeof digits, hash.value(), 16);
  return {digits, end};
}

}  // namespace

std::string seal_text(std::string_view heading, std::string_view text) {
  return std::string(heading) + checksum(text) + "\n" + std::string(text);
}

Result<std::string_view> unseal_text(std::string_view heading, std::string_view sealed) {
  const std::size_t line = sealed.find('\n');
  if (!sealed.starts_with(heading) || line == std::string_view::npos) {
    return Error{"it does not begin with '" + std::string(heading) + "'"};
  }
  const std::string_view stored = sealed.substr(heading.size(), line - heading.size());
  const std::string_view text = sealed.substr(line + 1);
  if (stored != checksum(text)) return Error{"its checksum does not match: damaged or edited"};
  return text;
}

}  // namespace perigee::host
