/// Rows of the result tables.
#pragma once

#include <cstdint>
#include <string>

#include "perigee/host/print.hpp"
#include "quantiles.hpp"

namespace perigee::bots {

inline void row(std::string& out, const char* name, double value, const char* unit, int digits) {
  host::print(out, "%-36s %12.*f %s\n", name, digits, value, unit);
}
inline void row(std::string& out, const char* name, std::uint64_t value) {
  host::print(out, "%-36s %12llu\n", name, static_cast<unsigned long long>(value));
}
inline void row(std::string& out, const char* name, const Quantiles& value, const char* unit) {
  host::print(out, "%-36s %12.1f %s   p99 %.1f\n", name, value.p50, unit, value.p99);
}

/// Log-ins, connections and gaps, of bots or of thin players.
template <class F>
void connection_rows(std::string& out, const F& f) {
  row(out, "joined", std::uint64_t{f.joined});
  row(out, "log-ins refused", std::uint64_t{f.refused});
  row(out, "disconnects", std::uint64_t{f.disconnects});
  row(out, "without snapshots at the end", std::uint64_t{f.silent});
  row(out, "stalls", f.stalls);
  row(out, "reconnected to a silent gateway", std::uint64_t{f.resumes});
  row(out, "longest time without a snapshot", f.longest_gap_ms, "ms", 0);
  row(out, "gaps over --gap-ms", f.gaps);
}

}  // namespace perigee::bots
