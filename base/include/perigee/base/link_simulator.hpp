/// One direction of an impaired network path: delay, jitter, loss, bursts, stalls, reordering and
/// duplication. The fate of a packet is a hash of (seed, link, direction, 1 ms send slot, index in
/// the slot), so every technique under test meets the same impairments.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/link_trace.hpp"
#include "perigee/base/tick.hpp"

namespace perigee {

struct LinkProfile {
  double delay_ms = 0;            ///< one way
  double jitter_ms = 0;           ///< uniform, plus or minus
  double loss = 0;                ///< 0..1, independent
  double burst_loss = 0;          ///< 0..1, long-run share lost in bursts (Gilbert-Elliott)
  double burst_packets_mean = 4;  ///< mean length of such a burst, in 1 ms slots of 60 Hz traffic
  double stall_every_s = 0;       ///< mean time between stalls, 0 = none
  double stall_ms_min = 120;      ///< packets sent during a stall wait and then arrive together
  double stall_ms_max = 250;
  double reorder = 0;           ///< share displaced
  double reorder_ms_max = 60;   ///< by up to this
  double duplicate = 0;         ///< share that arrives twice
  double bytes_per_s = 0;       ///< that the path carries, headers included; 0: any number
  double queue_ms_max = 1'000;  ///< before it; packets that would wait longer are lost
  /// A recorded trace; the impairments that it has replace those above.
  std::shared_ptr<const LinkTrace> trace{};
};

/// Both directions of a named profile of the lab: P0 LAN .. P13 narrow.
struct LinkPair {
  std::string_view name;
  std::string_view about;
  LinkProfile up;
  LinkProfile down;
};
/// All named profiles, in order.
const std::vector<LinkPair>& link_profiles();
/// By name, or an Error that lists the names.
Result<LinkPair> find_link_profile(std::string_view name);
/// A profile, with values that replace its own in both directions: "P5", "P2 loss-permille=50",
/// "delay-ms=75 jitter-ms=10" (of an undisturbed path), "P1 kbit-s=64". An Error names the keys.
Result<LinkPair> read_link(std::string_view text);

class LinkSimulator {
 public:
  LinkSimulator(const LinkProfile& profile, std::uint64_t seed, std::uint64_t link,
                std::uint32_t direction);

  /// UDP and IPv4 headers per datagram; they count against the path's rate or a trace's deliveries.
  static constexpr std::size_t header_bytes = 28;

  struct Fate {
    std::optional<Micros> arrives_us;    ///< none: lost
    std::optional<Micros> duplicate_us;  ///< a second copy
  };
  /// The fate of a datagram of that size sent at `now_us`; calls must be in order of time.
  Fate send(Micros now_us, std::size_t bytes);
  /// Delay of a packet sent now, from profile and trace, without jitter. None: the packet is lost.
  std::optional<Micros> way_us(Micros now_us) const;
  /// Position in the trace at time 0. Both directions of a link have the same position, different
  /// links have different ones.
  Micros trace_phase_us() const { return trace_phase_us_; }

 private:
  double chance(std::uint64_t purpose) const;
  bool in_burst(Micros now_us);
  Micros stall_end(Micros at_us) const;
  double delay_ms(Micros now_us) const;
  const LinkTrace::Row* row_at(Micros now_us) const;
  std::optional<Micros> let_through(Micros now_us, std::size_t bytes);
  std::optional<Micros> let_through_at_rate(Micros now_us, std::size_t bytes);

  LinkProfile profile_;
  std::uint64_t seed_;
  std::uint64_t slot_ = 0;
  std::uint32_t index_ = 0;
  bool burst_ = false;
  std::uint64_t burst_step_ = 0;
  Micros trace_phase_us_ = 0;
  std::uint64_t turn_ = 0;           ///< index of the trace's delivery in use
  std::size_t turn_bytes_left_ = 0;  ///< capacity left in this delivery
  double free_us_ = 0;               ///< all packets before have passed, of a path with a rate
};

}  // namespace perigee
