/// Which builds may be in one cluster: all members must use the same protocol versions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/directory/members.hpp"

namespace perigee::directory {

class BuildRules {
 public:
  /// Entries and members by slot.
  struct Needs {
    const std::vector<WorkerEntry>& workers;
    const std::vector<GatewayEntry>& gateways;
    const std::vector<Member>& worker_members;
    const std::vector<Member>& gateway_members;
  };
  explicit BuildRules(const Needs& needs) : needs_(needs) {}

  /// Why a member with these versions may not join the living ones.
  std::optional<Refusal> refusal(MemberKind kind, const Speaks& speaks) const;
  /// Why a member of this name was refused, and the remedy. If the builds differ, the text names
  /// both.
  std::string explain(Refusal refusal, std::string_view name, const Speaks& speaks,
                      std::string_view build) const;

 private:
  const Member* stranger(MemberKind kind, const Speaks& speaks) const;
  const Member* stranger_to_links(const Speaks& speaks) const;

  Needs needs_;
};

}  // namespace perigee::directory
