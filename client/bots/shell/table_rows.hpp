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

}  // namespace perigee::bots
