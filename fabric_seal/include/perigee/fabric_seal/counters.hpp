/// Counters of sealed fabric, one row each; gateways and workers export them.
#pragma once

#include "perigee/base/counts.hpp"
#include "perigee/base/metric_table.hpp"

namespace perigee::fabric_seal {

struct Metrics : MetricTable<Metrics> {
  Counters datagrams = counters(
      {.name = "fabric_sealed_datagrams_total",
       .label = "direction",
       .help = "Fabric datagrams that this process sealed or opened.",
       .note = "`sum by (direction) (rate(perigee_fabric_sealed_datagrams_total[1m]))`; 0 while "
               "players play: `directory.fabric_seal` is plain"});
  // Datagrams opened: genuine, and new.
  Counter opened = value(datagrams, "in");
  // Datagrams sealed.
  Counter sealed = value(datagrams, "out");

  Counters refused = counters(
      {.name = "fabric_refused_datagrams_total",
       .label = "reason",
       .help = "Fabric datagrams that were refused before any of their records was read.",
       .note =
           "`sum by (reason) (rate(perigee_fabric_refused_datagrams_total[1m]))` is 0, except "
           "for a second after a member or directory started. forged, replayed, not_sealed "
           "later than that: another program or an attacker sends to the fabric port, so close it. "
           "unknown_epoch: this process does not reach the directory, and has old keys"});
  // Too short, or of another protocol or version.
  Counter malformed = value(refused, "malformed");
  // Without a seal, while datagrams must be sealed.
  Counter not_sealed = value(refused, "not_sealed");
  // Of another cluster id.
  Counter other_cluster = value(refused, "other_cluster");
  // Not from the fabric address of the member that it names.
  Counter unknown_sender = value(refused, "unknown_sender");
  // Sealed with a key that this process does not have, or no longer accepts.
  Counter unknown_epoch = value(refused, "unknown_epoch");
  // The tag is wrong: changed on the way, made without the key, or for another receiver.
  Counter forged = value(refused, "forged");
  // Received before, or older than the window of 1,024 datagrams.
  Counter replayed = value(refused, "replayed");

  Counters unsent = counters(
      {.name = "fabric_unsent_datagrams_total",
       .label = "reason",
       .help = "Fabric datagrams that could not be sealed, and were dropped.",
       .note = "`sum by (reason) (rate(perigee_fabric_unsent_datagrams_total[1m]))` is 0, except "
               "for a second after a start"});
  // The directory has not dealt a key yet.
  Counter without_key = value(unsent, "no_key");
  // The receiver is not in the map, or has registered without sealing.
  Counter without_receiver = value(unsent, "unknown_receiver");
};
inline constexpr Metrics metric;
using Count = Metrics::Counter;

}  // namespace perigee::fabric_seal

template <>
inline constexpr std::size_t perigee::enum_count<perigee::fabric_seal::Count> =
    perigee::fabric_seal::metric.series();
