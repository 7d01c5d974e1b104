/// Queries of pages to Prometheus, passed through. Blocks for up to 5 s; any thread.
#pragma once

#include <string>
#include <string_view>

#include "web_server.hpp"

namespace perigee::console {

class Prometheus {
 public:
  static constexpr std::size_t answer_bytes_max = 8U << 20U;
  static constexpr long call_ms_max = 5'000;

  /// `url`: "http://127.0.0.1:9090". Empty: there is none, and every query says how to get one.
  explicit Prometheus(std::string url);
  /// `function`: query or query_range, with Prometheus's own parameters. The answer is its JSON, or
  /// an error of ours.
  WebAnswer ask(std::string_view function, const WebQuery& query) const;

 private:
  std::string url_;
};

}  // namespace perigee::console
