/// The metrics of the console's process, one row each.
#pragma once

#include "perigee/base/metric_table.hpp"

namespace perigee::console {

struct ProcessMetrics : MetricTable<ProcessMetrics> {
  Gauge sockets = gauge({.name = "console_sockets",
                         .help = "WebSockets of pages.",
                         .note = "`perigee_console_sockets`, at most 64"});
  Gauge relayed = gauge({.name = "console_relayed_players",
                         .help = "Players in browsers whose datagrams pass through the console.",
                         .note = "`perigee_console_relayed_players`"});
  Counter requests = counter({.name = "console_requests_total",
                              .help = "HTTP requests.",
                              .note = "`rate(perigee_console_requests_total[1m])`"});
  Counter dropped = counter(
      {.name = "console_messages_dropped_total",
       .help = "Messages to pages that read too slowly.",
       .note =
           "`rate(perigee_console_messages_dropped_total[1m])` above 0: a slow browser or path"});
  Counter stuck = counter({.name = "console_sockets_stuck_total",
                           .help = "Sockets closed because nothing could be written for 10 s.",
                           .note = "`increase(perigee_console_sockets_stuck_total[1h])`"});
  Counters malformed = counters(
      {.name = "console_malformed_total",
       .label = "what",
       .help = "Requests, messages and datagrams that break a rule, and were dropped.",
       .note = "`rate(perigee_console_malformed_total[5m])` above 0: no page of ours sends them"});
  Counter malformed_web = value(malformed, "message");
  Counter malformed_relay = value(malformed, "datagram");
  Counter refused_relay = value(malformed, "gateway");
  Counter foreign_relay = value(malformed, "sender");
  Counters datagrams = counters({.name = "console_relay_datagrams_total",
                                 .label = "direction",
                                 .help = "Datagrams between browsers and gateways.",
                                 .note = "`rate(perigee_console_relay_datagrams_total[1m])`"});
  Counter up = value(datagrams, "up");
  Counter down = value(datagrams, "down");
};
inline constexpr ProcessMetrics process_metric;

}  // namespace perigee::console
