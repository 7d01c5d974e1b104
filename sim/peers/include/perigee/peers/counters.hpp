/// Counters of links between workers, one row each; the shell exports them.
#pragma once

#include "perigee/base/counts.hpp"
#include "perigee/base/metric_table.hpp"

namespace perigee::peers {

struct Metrics : MetricTable<Metrics> {
  Counter linked = counter(
      {.name = "sim_links_made_total",
       .help = "Links established with other workers, including re-established ones.",
       .note =
           "`increase(perigee_sim_links_made_total[10m])` is 0 while no worker starts or stops"});

  Counters links_lost = counters(
      {.name = "sim_links_lost_total",
       .label = "reason",
       .help = "Links with other workers that ended.",
       .note = "`sum by (reason) (increase(perigee_sim_links_lost_total[10m]))`. closed: by the "
               "other worker or the network. silent: 2 s without a message; the worker stalled, or "
               "packets are lost. overflow: 32 MiB waited for it. broken: bytes were changed on "
               "the way, perhaps by an attacker. replaced: the other side gave up the link first. "
               "unwanted: according to the map; nothing is wrong"});
  // Links closed by the other side or the network.
  Counter lost_closed = value(links_lost, "closed");
  // Links on which nothing was received for 2 s.
  Counter lost_silent = value(links_lost, "silent");
  // Links on which too many bytes waited for the other side.
  Counter lost_overflow = value(links_lost, "overflow");
  // Links that received bytes not sealed by the other side.
  Counter lost_broken = value(links_lost, "broken");
  // Links replaced by a newer one.
  Counter lost_replaced = value(links_lost, "replaced");
  // Links to workers that are no longer in the map, or differ there.
  Counter lost_unwanted = value(links_lost, "unwanted");

  Counters links_refused = counters(
      {.name = "sim_link_refusals_total",
       .label = "reason",
       .help = "Connections, in or out, that did not become a link.",
       .note =
           "`sum by (reason) (increase(perigee_sim_link_refusals_total[10m]))`. wrong_secret: all "
           "workers need the same `workers.key`. unknown: maps of different versions, for a "
           "second; otherwise a worker of another cluster. unreachable, slow: a firewall between "
           "workers, TCP +40 … +49. turned_away: see the other worker's refusals. other_version: "
           "an incompatible build ([upgrade](upgrading.md#upgrade-a-running-world)). garbage, "
           "crowd: unauthenticated peers on a private network"});
  // Connections that did not begin with a hello.
  Counter refused_garbage = value(links_refused, "garbage");
  // Hellos and replies made with another key.
  Counter refused_secret = value(links_refused, "wrong_secret");
  // Hellos from or to a worker or incarnation that is not in this worker's map, or of another
  // cluster id.
  Counter refused_unknown = value(links_refused, "unknown");
  // Handshakes that took more than 2 s.
  Counter refused_slow = value(links_refused, "slow");
  // Connections dropped as the oldest of too many without a handshake.
  Counter refused_crowd = value(links_refused, "crowd");
  // Connections that the other side ended before the handshake was complete.
  Counter refused_by_peer = value(links_refused, "turned_away");
  // Dials to unreachable addresses.
  Counter unreachable = value(links_refused, "unreachable");
  // Hellos of a build with another version of the protocol between workers.
  Counter refused_version = value(links_refused, "other_version");

  Counters link_words =
      counters({.name = "sim_link_messages_total",
                .label = "direction",
                .help = "Messages between workers; unsent: there was no link.",
                .note = "`rate(perigee_sim_link_messages_total{direction=\"unsent\"}[1m])` is 0, "
                        "except for seconds after a link was lost"});
  // Messages delivered.
  Counter words_in = value(link_words, "in");
  // Messages sent.
  Counter words_out = value(link_words, "out");
  // Messages without a link.
  Counter words_unsent = value(link_words, "unsent");

  Counters link_bytes =
      counters({.name = "sim_link_bytes_total",
                .label = "direction",
                .help = "Bytes on links between workers, good or bad.",
                .note = "`8 * sum by (direction) (rate(perigee_sim_link_bytes_total[1m]))` bits/s; "
                        "an idle link between workers takes 860 bytes/s each way"});
  // Bytes read from connections, including invalid ones.
  Counter bytes_in = value(link_bytes, "in");
  // Bytes written to connections.
  Counter bytes_out = value(link_bytes, "out");
};
inline constexpr Metrics metric;
using Count = Metrics::Counter;

}  // namespace perigee::peers

template <>
inline constexpr std::size_t perigee::enum_count<perigee::peers::Count> =
    perigee::peers::metric.series();
