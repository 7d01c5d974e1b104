#include "perigee/host/map_difference.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "directory.pb.h"
#include "perigee/host/map_proto.hpp"

namespace perigee::host {
namespace v1 = directory::v1;
namespace {

template <class Entry>
using Entries = google::protobuf::RepeatedPtrField<Entry>;
using Keys = google::protobuf::RepeatedField<std::uint32_t>;

std::uint32_t key_of(const v1::Worker& worker) { return worker.slot(); }
std::uint32_t key_of(const v1::Gateway& gateway) { return gateway.slot(); }
std::uint32_t key_of(const v1::Region& region) { return region.region(); }
std::uint32_t key_of(const v1::FailoverRecord& record) { return record.handle_base(); }

/// Failover records are ordered by age, all other entries by their key.
template <class Entry>
constexpr bool by_key = !std::is_same_v<Entry, v1::FailoverRecord>;

/// Calls `visit` for each kind of entry: those of `base`, those of `map`, and the removed keys of
/// `map`. False: one of the calls returned that.
template <class Visit>
bool each_kind(const v1::ClusterMap& base, v1::ClusterMap& map, Visit visit) {
  return visit(base.workers(), *map.mutable_workers(), *map.mutable_removed_workers()) &&
         visit(base.gateways(), *map.mutable_gateways(), *map.mutable_removed_gateways()) &&
         visit(base.regions(), *map.mutable_regions(), *map.mutable_removed_regions()) &&
         visit(base.failover_records(), *map.mutable_failover_records(),
               *map.mutable_removed_failover_records());
}

/// Leaves the new and the changed entries of the whole list `entries`.
template <class Entry>
void keep_changed(const Entries<Entry>& base, Entries<Entry>& entries, Keys& removed) {
  std::unordered_map<std::uint32_t, std::string> before;
  for (const Entry& entry : base) before.emplace(key_of(entry), entry.SerializeAsString());
  const auto unchanged = [&](const Entry& entry) {
    const auto found = before.find(key_of(entry));
    if (found == before.end()) return false;
    const bool same = found->second == entry.SerializeAsString();
    before.erase(found);
    return same;
  };
  entries.erase(std::remove_if(entries.begin(), entries.end(), unchanged), entries.end());
  for (const Entry& entry : base) {
    if (before.contains(key_of(entry))) removed.Add(key_of(entry));
  }
}

/// Replaces `changed`, the entries of a difference, by all entries of the whole map. False: the
/// difference removes an entry that the base does not have.
template <class Entry>
bool complete(const Entries<Entry>& base, Entries<Entry>& changed, const Keys& removed) {
  std::unordered_set<std::uint32_t> gone(removed.begin(), removed.end());
  std::unordered_map<std::uint32_t, Entry*> news;
  for (Entry& entry : changed) news[key_of(entry)] = &entry;
  Entries<Entry> out;
  out.Reserve(base.size() + changed.size());
  for (const Entry& entry : base) {
    if (gone.erase(key_of(entry)) > 0) continue;
    const auto found = news.find(key_of(entry));
    *out.Add() = found == news.end() ? entry : *found->second;
    if (found != news.end()) news.erase(found);
  }
  for (const Entry& entry : changed) {
    const auto found = news.find(key_of(entry));
    if (found != news.end() && found->second == &entry) *out.Add() = entry;
  }
  if (by_key<Entry> && !news.empty()) {
    std::sort(out.pointer_begin(), out.pointer_end(),
              [](const Entry* a, const Entry* b) { return key_of(*a) < key_of(*b); });
  }
  changed.Swap(&out);
  return gone.empty();
}

}  // namespace

std::optional<v1::ClusterMap> map_difference(const v1::ClusterMap& base,
                                             const v1::ClusterMap& map) {
  if (base.cluster_id() != map.cluster_id() || base.version() >= map.version()) return std::nullopt;
  v1::ClusterMap out = map;
  out.set_base_version(base.version());
  each_kind(base, out, [](const auto& before, auto& entries, Keys& removed) {
    keep_changed(before, entries, removed);
    return true;
  });
  if (out.ByteSizeLong() >= map.ByteSizeLong()) return std::nullopt;
  // An order of entries that a difference cannot express.
  v1::ClusterMap check = base;
  const bool exact =
      apply_difference(out, check) && check.SerializeAsString() == map.SerializeAsString();
  if (!exact) return std::nullopt;
  return out;
}

Result<Ok> apply_difference(v1::ClusterMap difference, v1::ClusterMap& map) {
  const auto version = [](std::uint64_t number) { return std::to_string(number); };
  if (difference.cluster_id() != map.cluster_id()) {
    return Error{"the directory's difference is to the map of another cluster"};
  }
  if (difference.base_version() != map.version()) {
    return Error{"the directory's difference is to version " + version(difference.base_version()) +
                 " of the map, and this process has " + version(map.version())};
  }
  const bool fits = each_kind(map, difference, [](const auto& base, auto& changed, Keys& removed) {
    return complete(base, changed, removed);
  });
  if (!fits) return Error{"the directory's difference removes what the map does not have"};
  difference.clear_base_version();
  each_kind(map, difference, [](const auto&, auto&, Keys& removed) {
    removed.Clear();
    return true;
  });
  map = std::move(difference);
  return Ok{};
}

FollowedMap::FollowedMap() = default;
FollowedMap::~FollowedMap() = default;

Result<ClusterMap> FollowedMap::take(v1::ClusterMap message) {
  if (!message.has_base_version()) {
    whole_ = std::make_unique<v1::ClusterMap>(std::move(message));
    return read_map(*whole_);
  }
  if (!whole_) return Error{"the directory sent a difference before a whole map"};
  const auto applied = apply_difference(std::move(message), *whole_);
  if (!applied) {
    whole_.reset();
    return applied.error();
  }
  return read_map(*whole_);
}

}  // namespace perigee::host
