#include "perigee/directory/build_rules.hpp"

namespace perigee::directory {
namespace {

constexpr const char* runbook = "docs/upgrading.md, \"Upgrade a running world\"";

std::string named(std::string_view name, std::string_view build) {
  std::string out(name);
  return build.empty() ? out : out + " of build " + std::string(build);
}

std::string versions(const std::string& of, const std::string& what, std::uint32_t its,
                     const std::string& other, std::uint32_t theirs) {
  return of + " speaks version " + std::to_string(its) + " " + what + ", but the living member " +
         other + " speaks version " + std::to_string(theirs) + ": ";
}

}  // namespace

/// A living member that uses another fabric version than a member of this kind would. Workers speak
/// it with all members, gateways with workers only.
const Member* BuildRules::stranger(MemberKind kind, const Speaks& speaks) const {
  for (const WorkerEntry& worker : needs_.workers) {
    const Member& member = needs_.worker_members[worker.slot.index()];
    if (worker.alive && member.speaks.fabric != speaks.fabric) return &member;
  }
  if (kind == MemberKind::Gateway) return nullptr;
  for (const GatewayEntry& gateway : needs_.gateways) {
    const Member& member = needs_.gateway_members[gateway.slot.index()];
    if (gateway.alive && member.speaks.fabric != speaks.fabric) return &member;
  }
  return nullptr;
}

const Member* BuildRules::stranger_to_links(const Speaks& speaks) const {
  for (const WorkerEntry& worker : needs_.workers) {
    const Member& member = needs_.worker_members[worker.slot.index()];
    if (worker.alive && member.speaks.workers != speaks.workers) return &member;
  }
  return nullptr;
}

std::optional<Refusal> BuildRules::refusal(MemberKind kind, const Speaks& speaks) const {
  if (stranger(kind, speaks) != nullptr) return Refusal::OtherFabric;
  if (kind == MemberKind::Worker && stranger_to_links(speaks) != nullptr) {
    return Refusal::OtherWorkers;
  }
  return std::nullopt;
}

std::string BuildRules::explain(Refusal refusal, std::string_view name, const Speaks& speaks,
                                std::string_view build) const {
  const std::string self = named(name, build);
  if (refusal == Refusal::OtherWorkers) {
    const Member* other = stranger_to_links(speaks);
    if (other == nullptr) return std::string(describe(refusal));
    return versions(self, "with other workers", speaks.workers, named(other->name, other->build),
                    other->speaks.workers) +
           "start a build with their version, or stop all workers and start all of the new build "
           "(" +
           runbook + ")";
  }
  if (refusal == Refusal::OtherFabric) {
    const Member* other = stranger(MemberKind::Worker, speaks);
    if (other == nullptr) return std::string(describe(refusal));
    return versions(self, "of the fabric", speaks.fabric, named(other->name, other->build),
                    other->speaks.fabric) +
           "start a build with their version, or stop all workers and gateways and start all of "
           "the new build (" +
           runbook + ")";
  }
  if (refusal != Refusal::OtherGame) return std::string(describe(refusal));
  for (const WorkerEntry& worker : needs_.workers) {
    if (!worker.alive) continue;
    const Member& other = needs_.worker_members[worker.slot.index()];
    return std::string(describe(refusal)) + "; " + self + " and " + named(other.name, other.build) +
           " would misread each other's entities (" + runbook + ")";
  }
  return std::string(describe(refusal));
}

}  // namespace perigee::directory
