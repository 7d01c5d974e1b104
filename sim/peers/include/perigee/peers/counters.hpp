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
               "the way, perhaps by an attacker. revoked: the other worker's certificate. "
               "replaced: the other side gave up the link first. unwanted: according to the map; "
               "nothing is wrong"});
  // Links closed by the other side or the network.
  Counter lost_closed = value(links_lost, "closed");
  // Links on which nothing was received for 2 s.
  Counter lost_silent = value(links_lost, "silent");
  // Links on which too many bytes waited for the other side.
  Counter lost_overflow = value(links_lost, "overflow");
  // Links that received bytes which the other side did not send, or which do not fit.
  Counter lost_broken = value(links_lost, "broken");
  // Links with a worker whose certificate was revoked meanwhile.
  Counter lost_revoked = value(links_lost, "revoked");
  // Links replaced by a newer one.
  Counter lost_replaced = value(links_lost, "replaced");
  // Links to workers that are no longer in the map, or differ there.
  Counter lost_unwanted = value(links_lost, "unwanted");

  Counters links_refused = counters(
      {.name = "sim_link_refusals_total",
       .label = "reason",
       .help = "Connections, in or out, that did not become a link.",
       .note =
           "`sum by (reason) (increase(perigee_sim_link_refusals_total[10m]))`. not_tls, "
           "tls_handshake, no_certificate, unknown_ca, certificate_…: [certificates]"
           "(certificates.md#why-a-connection-was-closed); a worker without certificates is "
           "not_tls, or garbage at its own end. unknown: maps of different versions, for a "
           "second; otherwise a worker of another cluster. unreachable, slow: a firewall between "
           "workers, TCP +40 … +49. turned_away: see the other worker's refusals. other_version: "
           "an incompatible build ([upgrade](upgrading.md#upgrade-a-running-world)). garbage, "
           "crowd, too_fast: unauthenticated peers on a private network"});
  // Connections that did not begin with a hello.
  Counter refused_garbage = value(links_refused, "garbage");
  // Connections that did not begin with a handshake of TLS.
  Counter refused_not_tls = value(links_refused, "not_tls");
  // Handshakes with another version or protocol, or with bytes that do not fit.
  Counter refused_handshake = value(links_refused, "tls_handshake");
  // Diallers without a certificate.
  Counter refused_no_certificate = value(links_refused, "no_certificate");
  // Certificates that no CA of this worker has signed.
  Counter refused_ca = value(links_refused, "unknown_ca");
  // Certificates that have ended, or not begun.
  Counter refused_date = value(links_refused, "certificate_out_of_date");
  // Certificates on the revocation list.
  Counter refused_revoked = value(links_refused, "certificate_revoked");
  // Certificates without a role.
  Counter refused_no_role = value(links_refused, "certificate_no_role");
  // Certificates of a gateway or an operator.
  Counter refused_role = value(links_refused, "certificate_wrong_role");
  // Hellos or welcomes from or to a worker or incarnation that is not in this worker's map, or of
  // another cluster id.
  Counter refused_unknown = value(links_refused, "unknown");
  // Handshakes that took more than 2 s.
  Counter refused_slow = value(links_refused, "slow");
  // Connections dropped as the oldest of too many without a handshake.
  Counter refused_crowd = value(links_refused, "crowd");
  // Connections that began a TLS handshake while others had begun too many.
  Counter refused_too_fast = value(links_refused, "too_fast");
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
                .help = "Bytes on links between workers, before encryption.",
                .note = "`8 * sum by (direction) (rate(perigee_sim_link_bytes_total[1m]))` bits/s; "
                        "an idle link between workers takes 540 bytes/s each way"});
  // Bytes received, including invalid ones.
  Counter bytes_in = value(link_bytes, "in");
  // Bytes sent.
  Counter bytes_out = value(link_bytes, "out");
};
inline constexpr Metrics metric;
using Count = Metrics::Counter;

}  // namespace perigee::peers

template <>
inline constexpr std::size_t perigee::enum_count<perigee::peers::Count> =
    perigee::peers::metric.series();
