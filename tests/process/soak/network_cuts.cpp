#include "network_cuts.hpp"

#include <iterator>

#include "process/child.hpp"

namespace perigee::process_test {
namespace {

constexpr unsigned first_group = 61'000;

Result<std::string> nft(const std::string& script) {
  Child child({"/usr/bin/env", "nft", script});
  if (child.wait() == 0) return child.output();
  return Error{"nft: " + child.output()};
}

}  // namespace

NetworkCuts::NetworkCuts(Ports ports) : ports_(std::move(ports)) {}

unsigned NetworkCuts::group(const std::string& process) const {
  return first_group + static_cast<unsigned>(std::distance(ports_.begin(), ports_.find(process)));
}

// Each connection is marked with the group of the process that began it. The port of a client is
// not known, so the packets of a server to a client are recognised by that mark.
Result<Ok> NetworkCuts::begin() {
  std::string script =
      "add table inet cuts; add counter inet cuts dropped; add chain inet cuts cut; "
      "add chain inet cuts out { type filter hook output priority 0; }; ";
  for (const auto& [process, ports] : ports_) {
    const std::string number = std::to_string(group(process));
    script += "add rule inet cuts out ct state new meta skgid " + number + " ct mark set " +
              number + "; ";
  }
  script += "add rule inet cuts out jump cut";
  if (const auto made = nft(script); !made) return made.error();
  Child may(as(ports_.begin()->first, {"/bin/true"}));
  if (may.wait() != 0) return Error{"a process of another group: " + may.output()};
  return Ok{};
}

std::vector<std::string> NetworkCuts::as(const std::string& process,
                                         std::vector<std::string> command) const {
  std::vector<std::string> all{"/usr/bin/setpriv", "--regid", std::to_string(group(process)),
                               "--clear-groups", "--"};
  all.insert(all.end(), command.begin(), command.end());
  return all;
}

void NetworkCuts::cut(const std::string& from, const std::string& to) {
  const std::string rule = "add rule inet cuts cut meta skgid " + std::to_string(group(from)) + " ";
  const std::string drop = " counter name dropped drop; ";
  std::string ports;
  for (const unsigned port : ports_.at(to))
    ports += (ports.empty() ? "" : ", ") + std::to_string(port);
  const auto done = nft(rule + "th dport { " + ports + " }" + drop + rule + "ct mark " +
                        std::to_string(group(to)) + drop);
  PERIGEE_ASSERT(done.ok(), "nft has to accept a further rule");
}

void NetworkCuts::heal() {
  PERIGEE_ASSERT(nft("flush chain inet cuts cut").ok(), "nft has to flush its own chain");
}

std::uint64_t NetworkCuts::dropped() const {
  const auto listed = nft("list counter inet cuts dropped");
  if (!listed) return 0;
  const std::string before = "packets ";
  const std::size_t at = listed->find(before);
  return at == std::string::npos ? 0 : std::stoull(listed->substr(at + before.size()));
}

}  // namespace perigee::process_test
