/// The sockets that show the cluster (/live): each gets the newest of everything, and misses what
/// it reads too slowly.
///
/// To a page, text: {"map": ClusterMap}, {"status": StatusReply, "slot": n}, {"kinds": [...]},
/// {"unreachable": {"why": sentence}}, in the JSON form of proto/. To pages that sent
/// {"watch":"entities"}, binary: u8 1, u8 slot, u16 0, u32 tick, then the records of an
/// Observation. To pages that sent {"watch":"players"}: {"gateway": slot, "report": PlayersReport}.
/// A page watches one of both, or nothing; {"watch":"all"} watches both.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "cluster_watch.hpp"
#include "web_server.hpp"

namespace perigee::console {

class Live {
 public:
  explicit Live(WebServer& web) : web_(web) {}

  // Any thread.
  bool has(WebId socket) const;
  void open(WebId socket);
  void close(WebId socket);
  void on_message(WebId socket, std::string_view text);

  void show(const directory::v1::ClusterMap& map);
  void show(std::uint32_t slot, const sim::v1::StatusReply& status);
  void show(std::uint32_t slot, const sim::v1::Observation& observation);
  void show(std::uint32_t gateway_slot, const gateway::v1::PlayersReport& report);
  void show_unreachable(const std::string& why);
  ClusterWatch::Wanted wanted() const;
  std::size_t pages() const;

 private:
  using Text = std::shared_ptr<const std::string>;
  void send_to_all(std::uint32_t kind, std::string text);

  WebServer& web_;
  mutable std::mutex mutex_;
  std::map<WebId, ClusterWatch::Wanted> pages_;  // guarded by mutex_
  std::map<std::uint32_t, Text> newest_;  // guarded by mutex_: by kind, for pages that come later
};

}  // namespace perigee::console
