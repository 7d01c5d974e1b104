#include "profile_files.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>

namespace perigee::lab {
namespace {

constexpr std::uintmax_t file_bytes_max = 64 << 20;

Error wrong(std::string_view file, const std::string& why) {
  return Error{"profile-file '" + std::string(file) + "': " + why};
}

std::optional<double> milliseconds(std::string_view text) {
  constexpr double ms_max = 10'000;
  double ms = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), ms);
  const bool whole = code == std::errc{} && end == text.data() + text.size();
  return whole && ms >= 0 && ms <= ms_max ? std::optional(ms) : std::nullopt;
}

/// The part after the @.
struct Delay {
  std::optional<double> ping_ms, jitter_ms;
};
Result<Delay> read_delay(std::string_view file, std::string_view text) {
  const std::size_t slash = text.find('/');
  Delay out{milliseconds(text.substr(0, slash)), {}};
  if (slash != std::string_view::npos) out.jitter_ms = milliseconds(text.substr(slash + 1));
  if (out.ping_ms && (slash == std::string_view::npos || out.jitter_ms)) return out;
  return wrong(file, "expected PING_MS or PING_MS/JITTER_MS after @, 0 to 10000, such as @100/20");
}

Result<std::string> read_text(std::string_view file, const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) return wrong(file, "cannot read " + path);
  if (static_cast<std::uintmax_t>(in.tellg()) > file_bytes_max) {
    return wrong(file, path + " has more than 64 MiB; truncate it");
  }
  in.seekg(0);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// One direction of a link, from a file.
Result<LinkProfile> read_way(std::string_view file, const std::string& path, const Delay& delay) {
  const auto text = read_text(file, path);
  if (!text) return text.error();
  const bool table = path.ends_with(".dist");
  auto trace = table ? read_spread_table(*text) : read_link_trace(*text);
  if (!trace) return wrong(file, path + ", " + trace.error().message);
  if (table && !delay.jitter_ms) {
    return wrong(file, "a table of delays needs a ping and its jitter: " + path + "@100/20");
  }
  if (!table && (delay.jitter_ms || (delay.ping_ms && !trace->rows.empty()))) {
    return wrong(file, trace->rows.empty() ? "a trace takes a ping only: " + path + "@100"
                                           : "the trace has delays of its own; omit the @");
  }
  return LinkProfile{.delay_ms = delay.ping_ms.value_or(0) / 2,
                     .jitter_ms = delay.jitter_ms.value_or(0) / 2,
                     .trace = std::make_shared<const LinkTrace>(std::move(*trace))};
}

}  // namespace

Result<Ok> ProfileFiles::read(std::string_view files) {
  for (std::size_t at = 0; at < files.size();) {
    const std::size_t end = std::min(files.find(',', at), files.size());
    if (auto one = read_one(files.substr(at, end - at)); !one) return one;
    at = end + 1;
  }
  return Ok{};
}

Result<Ok> ProfileFiles::read_one(std::string_view file) {
  const std::size_t equals = file.find('=');
  if (equals == 0 || equals == std::string_view::npos || equals + 1 == file.size()) {
    return wrong(file,
                 "expected NAME=PATH or NAME=UP:DOWN, for example lte=verizon.up:verizon.down or "
                 "pareto=pareto.dist@100/20");
  }
  const std::string_view name = file.substr(0, equals);
  const auto same_name = [&](const LinkPair& pair) { return pair.name == name; };
  if (find_link_profile(name) || std::ranges::any_of(profiles_, same_name)) {
    return wrong(file, "a profile has this name already; choose another");
  }
  const std::size_t at = std::min(file.rfind('@'), file.size());
  const std::string paths(file.substr(equals + 1, at - equals - 1));
  Delay delay;
  if (at < file.size()) {
    const auto given = read_delay(file, file.substr(at + 1));
    if (!given) return given.error();
    delay = *given;
  }
  const std::size_t colon = std::min(paths.find(':'), paths.size());
  const auto up = read_way(file, paths.substr(0, colon), delay);
  if (!up) return up.error();
  const auto down =
      colon < paths.size() ? read_way(file, paths.substr(colon + 1), delay) : Result(*up);
  if (!down) return down.error();
  profiles_.push_back(
      {texts_.emplace_back(name), texts_.emplace_back("from " + paths), *up, *down});
  return Ok{};
}

}  // namespace perigee::lab
