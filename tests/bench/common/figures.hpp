/// Results of a benchmark: named numbers, as a table for people or as one JSON object for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perigee::bench {

struct Figure {
  /// begins with the measured quantity: inputs_per_core_s_64, latency_p50_us, ...
  std::string name;
  double value = 0;
  std::string unit;
  std::string vs;    ///< the peer measured in the same run; empty: none
  double ratio = 0;  ///< ours / peer, higher is better for rates, lower for times; 0: there is none
};

/// Source of the figures.
struct Origin {
  std::string suite;
  std::string commit;
  std::string machine;
};

class Figures {
 public:
  void add(std::string name, double value, std::string unit);
  /// Adds our figure with its ratio, and the peer's own with the suffix `_peer`.
  void add_against(std::string_view peer, const std::string& name, double ours, double peers,
                   const std::string& unit);
  const std::vector<Figure>& all() const { return figures_; }

  std::string json(const Origin& origin) const;
  std::string table(const Origin& origin) const;

 private:
  std::vector<Figure> figures_;
};

}  // namespace perigee::bench
