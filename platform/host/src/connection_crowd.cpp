#include "perigee/host/connection_crowd.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "perigee/base/hash.hpp"

namespace perigee::host {
namespace {

/// The member that is greatest by (weight of its source, own weight, age).
template <class Weight>
std::optional<std::uint64_t> heaviest(std::span<const CrowdMember> members, Weight own,
                                      Weight in_source) {
  if (members.empty()) return std::nullopt;
  std::unordered_map<std::uint64_t, std::uint64_t> of_source;
  for (const CrowdMember& member : members) of_source[member.source] += in_source(member);
  const auto rank = [&](const CrowdMember& member) {
    return std::tuple(of_source[member.source], own(member), ~member.id);
  };
  return std::max_element(
             members.begin(), members.end(),
             [&](const CrowdMember& a, const CrowdMember& b) { return rank(a) < rank(b); })
      ->id;
}

using Weight = std::uint64_t (*)(const CrowdMember&);
constexpr Weight none = [](const CrowdMember&) -> std::uint64_t { return 0; };
constexpr Weight one = [](const CrowdMember&) -> std::uint64_t { return 1; };
constexpr Weight its_calls = [](const CrowdMember& member) -> std::uint64_t {
  return member.calls;
};

}  // namespace

std::uint64_t source_of(const Address& client) {
  StateHash hash;
  const std::size_t bytes = client.family == Address::Family::IPv6 ? 8 : 4;
  for (std::size_t i = 0; i < bytes; ++i) hash.add(client.ip[i]);
  return hash.add(client.family).value();
}

std::optional<std::uint64_t> most_connected(std::span<const CrowdMember> members) {
  return heaviest(members, none, one);
}
std::optional<std::uint64_t> most_calling(std::span<const CrowdMember> members) {
  return heaviest(members, its_calls, its_calls);
}

std::vector<std::uint64_t> lightest_first(std::span<const CrowdMember> members,
                                          const std::set<std::uint64_t>& wanted) {
  std::unordered_map<std::uint64_t, std::uint64_t> of_source;
  for (const CrowdMember& member : members) of_source[member.source] += member.calls;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranked;
  for (const CrowdMember& member : members) {
    if (wanted.contains(member.id)) ranked.emplace_back(of_source[member.source], member.id);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::uint64_t> out;
  out.reserve(ranked.size());
  for (const auto& [_, id] : ranked) out.push_back(id);
  return out;
}

}  // namespace perigee::host
