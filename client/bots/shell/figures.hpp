/// The bots' results: summed over all bots, printed as a table, a line or JSON.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bot.hpp"
#include "perigee/host/stall_watch.hpp"
#include "quantiles.hpp"
#include "thin_figures.hpp"

namespace perigee::bots {

struct Figures {
  std::string profile;
  std::uint32_t bots = 0;
  std::uint32_t joined = 0;  ///< has played at some time
  std::uint32_t playing = 0;
  std::uint32_t refused = 0;      ///< at the log-in
  std::uint64_t stalls = 0;       ///< two seconds without a final state
  std::uint32_t disconnects = 0;  ///< connections that ended, or were never established
  std::uint32_t silent = 0;       ///< connected at the end, but without a snapshot for two seconds
  double measured_s = 0;          ///< play without warm-up, summed over the bots
  Quantiles rtt_ms, full_loop_ms, jitter_ms, lead_ms;
  Quantiles input_to_display_ms;  ///< sampling to the frame with the input's whole effect
  Quantiles shown_error_m;        ///< own avatar: rendered position to true position
  double loss = 0;                ///< share of packets, downwards
  std::uint64_t corrections = 0;
  std::uint64_t corrections_static = 0;
  std::array<std::uint64_t, enum_count<CorrectionCause>> corrections_by_cause{};
  double largest_correction_m = 0;
  Deeds deeds;
  std::uint64_t bytes = 0;  ///< received in the measured time
  std::uint64_t unknown_records = 0;
  std::uint64_t malformed = 0;
  std::uint64_t inputs = 0;           ///< sent, not counting repetitions
  std::uint32_t resumes = 0;          ///< reconnections after a silent server
  std::uint32_t avatars_changed = 0;  ///< reconnections with another avatar
  double longest_gap_ms = 0;          ///< without a snapshot, over all bots, since their first one
  std::uint64_t gaps = 0;             ///< longer than --gap-ms
  double stalled_ms = 0;              ///< longest time without processor for this process
  std::uint64_t orders_obeyed = 0;    ///< orders of techniques, summed over the bots
  std::map<std::string, std::uint32_t> techniques;  ///< in use at the end: number of bots
  std::uint64_t held_back_lost = 0;  ///< packets that did not fit into the impaired link
  std::uint64_t frames_skipped = 0;  ///< of all players: this process had no time for them
  ThinFigures thin;

  double per_minute(std::uint64_t count) const;  ///< and player
  double moving_share() const;
  double aboard_share() const;
  double bytes_per_s() const;  ///< per bot
  bool all_well() const {
    return joined == bots && disconnects == 0 && silent == 0 && thin.all_well();
  }
};

/// Values sampled from every full bot once a second after its warm-up.
struct Samples {
  static constexpr std::size_t samples_max = 1'000'000;
  /// Room for `samples`, at most samples_max.
  explicit Samples(std::size_t samples);
  void take(const Bot& bot);
  /// As many as there is room for.
  void add(const Samples& other);
  std::vector<double> full_loop_ms, jitter_ms, lead_ms;
};

/// All fields of full bots except profile, samples, stalled_ms, held_back_lost and frames_skipped.
Figures sum_up(std::span<const Bot* const> bots, Micros now_us);

/// All listed gaps of these players, by number, as CSV, oldest first: wall time of its end, player,
/// length, and the part of it during which this process itself was stalled.
std::string gap_csv(std::span<const Player* const> players, const host::StallWatch& stalls);

std::string table(const Figures& figures);
/// One object on one line.
std::string json(const Figures& figures);
/// The keys of json(), for --help.
extern const std::string_view json_keys;

}  // namespace perigee::bots
