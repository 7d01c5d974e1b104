/// Measuring: medians and percentiles, alternating contenders, processor time, a reference.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "perigee/base/assert.hpp"

namespace perigee::bench {

/// The p-quantile (0..1) of at least one sample, by the nearest rank. Reorders them.
template <class T>
T percentile(std::vector<T>& samples, double p) {
  PERIGEE_ASSERT(!samples.empty(), "a percentile of something");
  const double rank = std::ceil(p * static_cast<double>(samples.size()));
  const auto at = static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::nth_element(samples.begin(), samples.begin() + at, samples.end());
  return samples[static_cast<std::size_t>(at)];
}
template <class T>
T median(std::vector<T> samples) {
  return percentile(samples, 0.5);
}

/// A B A B ...: each contender once per round, so that variations of the machine affect all of
/// them.
template <class... Contender>
void interleave(int rounds, Contender&&... contenders) {
  for (int round = 0; round < rounds; ++round) (contenders(), ...);
}

std::int64_t now_ns();
/// Processor time of the calling thread so far: time taken by other processes is left out.
std::int64_t thread_time_ns();
/// User and system time of a process so far, all of its threads; 0 if there is no such process.
std::int64_t cpu_time_ns(pid_t pid);
/// Resident memory and open descriptors of a process.
std::size_t resident_bytes(pid_t pid);
std::size_t open_descriptors(pid_t pid);

/// Time for one step of a fixed chain of multiplications, the median of nine short runs: with it
/// absolute times can be compared across machines, and across states of this one.
double reference_ns();

/// Keeps an unused result from being optimised away.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

/// Processor time in ns per call of `work`, called `calls` times.
template <class Work>
double ns_per_call(std::uint64_t calls, Work&& work) {
  const std::int64_t begin = thread_time_ns();
  for (std::uint64_t i = 0; i < calls; ++i) work();
  return static_cast<double>(thread_time_ns() - begin) / static_cast<double>(calls);
}

}  // namespace perigee::bench
