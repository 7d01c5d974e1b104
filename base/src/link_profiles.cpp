// The lab's named links.
#include <algorithm>
#include <array>
#include <charconv>

#include "perigee/base/hash.hpp"
#include "perigee/base/link_simulator.hpp"

namespace perigee {
namespace {

LinkProfile way(double delay_ms, double jitter_ms, double loss) {
  return {.delay_ms = delay_ms, .jitter_ms = jitter_ms, .loss = loss};
}

/// The link with a trace: its rows replace the link's delay and loss.
LinkProfile with_rows(LinkProfile link, std::vector<LinkTrace::Row> rows) {
  LinkTrace trace;
  trace.rows = std::move(rows);
  link.trace = std::make_shared<const LinkTrace>(std::move(trace));
  return link;
}

/// Once in `every_s` all packets are lost for `gap_ms`.
LinkProfile with_gaps(const LinkProfile& link, double every_s, double gap_ms) {
  const auto every_us = static_cast<Micros>(every_s * 1e6);
  const Micros begins_us = every_us - static_cast<Micros>(gap_ms * 1e3);
  return with_rows(
      link, {{0, link.delay_ms, link.loss}, {begins_us, link.delay_ms, 1}, {every_us, 0, 0}});
}

/// An uplink queue. The player's own upload fills it within a second and keeps it at 3 s for four
/// seconds; then it drains at the rate of the link. All of this takes 8 s of each minute.
LinkProfile with_bloat(const LinkProfile& link) {
  constexpr Micros step_us = 5'000, second_us = 1'000'000;
  constexpr double queue_ms_max = 3'000;
  std::vector<LinkTrace::Row> rows{{0, link.delay_ms, link.loss}};
  const Micros begins_us = 30 * second_us;
  for (Micros at_us = 0; at_us < 8 * second_us; at_us += step_us) {
    const double fills_ms = queue_ms_max * static_cast<double>(at_us) / 1e6;
    const double drains_ms = static_cast<double>(8 * second_us - at_us) / 1e3;
    const double queue_ms = std::min({fills_ms, queue_ms_max, drains_ms});
    rows.push_back({begins_us + at_us, link.delay_ms + queue_ms, link.loss});
  }
  rows.push_back({begins_us + 8 * second_us, link.delay_ms, link.loss});
  rows.push_back({60 * second_us, 0, 0});
  return with_rows(link, std::move(rows));
}

/// The rate of a cell changes about every second. A download of 6 Mbit/s shares the cell's queue of
/// 1 s. Once the queue is full, the download backs off, and 2 % of the packets are dropped.
LinkProfile with_cell(const LinkProfile& link, std::uint64_t seed) {
  constexpr Micros step_us = 20'000, length_us = 60'000'000;
  constexpr double mbit_s_min = 0.5, mbit_s_max = 20, download_mbit_s = 6;
  constexpr double queue_ms_max = 1'000, full_loss = 0.02;
  std::vector<LinkTrace::Row> rows;
  double queue_ms = 0;
  double mbit_s = 5;
  Random random(seed);
  for (Micros at_us = 0; at_us < length_us; at_us += step_us) {
    if (random.below(40) == 0) {  // 0.8 s on average
      // Each octave is equally likely: low rates are as frequent as high ones.
      const double octaves = random.between(0, 5.32);
      mbit_s = mbit_s_min;
      for (double octave = 0; octave + 1 <= octaves; ++octave) mbit_s *= 2;
      mbit_s = std::min(mbit_s * random.between(1, 2), mbit_s_max);
    }
    const double step_ms = static_cast<double>(step_us) / 1e3;
    queue_ms = std::clamp(queue_ms + step_ms * (download_mbit_s / mbit_s - 1), 0.0, queue_ms_max);
    rows.push_back(
        {at_us, link.delay_ms + queue_ms, queue_ms < queue_ms_max ? link.loss : full_loss});
  }
  rows.push_back({length_us, 0, 0});
  return with_rows(link, std::move(rows));
}

std::vector<LinkPair> make_profiles() {
  std::vector<LinkPair> all;
  const auto symmetric = [&](std::string_view name, std::string_view about,
                             const LinkProfile& each) { all.push_back({name, about, each, each}); };
  const LinkProfile good = way(25, 1, 0.001);
  symmetric("P0", "LAN, 1 ms", way(0.5, 0, 0));
  symmetric("P1", "good: 50 +- 2 ms, 0.1 % loss", good);
  symmetric("P2", "average: 100 +- 20 ms, 1 % loss", way(50, 10, 0.01));
  symmetric("P3", "far: 300 +- 30 ms, 1 % loss", way(150, 15, 0.01));
  symmetric("P4", "satellite: 700 +- 50 ms, 2 % loss", way(350, 25, 0.02));
  LinkProfile wifi = way(20, 2.5, 0);
  wifi.burst_loss = 0.02;
  wifi.burst_packets_mean = 4;
  wifi.stall_every_s = 5;
  symmetric("P5", "bursty wifi: 40 +- 5 ms, 2 % loss in bursts, stalls", wifi);
  LinkProfile shuffled = good;
  shuffled.reorder = 0.1;
  shuffled.duplicate = 0.01;
  symmetric("P6", "reorder-heavy: 10 % displaced by up to 60 ms, 1 % duplicated", shuffled);
  all.push_back({"P7", "asymmetric: 20 ms up, 80 ms down, +- 5", way(20, 5, 0), way(80, 5, 0)});
  all.push_back({"P8", "bufferbloat: P1, uplink queue to 3 s for 8 s, once a minute",
                 with_bloat(good), good});
  symmetric("P9", "satellite handover: 40 +- 10 ms, 0.5 % loss, a gap of 450 ms every 15 s",
            with_gaps(way(20, 5, 0.005), 15, 450));
  symmetric(
      "P10", "steps: P1, every 30 s from 50 to 700 ms or back",
      with_rows(good, {{0, 25, good.loss}, {30'000'000, 350, good.loss}, {60'000'000, 0, 0}}));
  symmetric("P11", "outages: P1, interrupted for 1.5 s every 20 s", with_gaps(good, 20, 1'500));
  const LinkProfile cell = way(20, 3, 0.001);
  all.push_back({"P12", "cellular: 40 +- 6 ms, 0.5 to 20 Mbit/s beside a download, queue of 1 s",
                 with_cell(cell, 1), with_cell(cell, 2)});
  LinkProfile narrow = good;
  narrow.queue_ms_max = 2'000;
  const auto at_rate = [&](double kbit_s) {
    LinkProfile out = narrow;
    out.bytes_per_s = kbit_s * 125;
    return out;
  };
  all.push_back(
      {"P13", "narrow: P1, 64 kbit/s up, 48 kbit/s down, queues of 2 s", at_rate(64), at_rate(48)});
  return all;
}

}  // namespace

const std::vector<LinkPair>& link_profiles() {
  static const std::vector<LinkPair> profiles = make_profiles();
  return profiles;
}

Result<LinkPair> find_link_profile(std::string_view name) {
  std::string names;
  for (const LinkPair& pair : link_profiles()) {
    if (pair.name == name) return pair;
    names += (names.empty() ? "" : ", ") + std::string(pair.name);
  }
  return Error{"profile '" + std::string(name) + "' is not one of " + names};
}

namespace {

struct LinkKey {
  std::string_view name;
  double LinkProfile::* value;
  double unit;
  int max;
};
constexpr std::array link_keys{LinkKey{"delay-ms", &LinkProfile::delay_ms, 1, 10'000},
                               LinkKey{"jitter-ms", &LinkProfile::jitter_ms, 1, 10'000},
                               LinkKey{"loss-permille", &LinkProfile::loss, 1e-3, 1'000},
                               LinkKey{"kbit-s", &LinkProfile::bytes_per_s, 125, 1'000'000},
                               LinkKey{"queue-ms", &LinkProfile::queue_ms_max, 1, 10'000}};

Result<Ok> set_link_value(std::string_view word, LinkPair& pair) {
  const std::string_view name = word.substr(0, word.find('='));
  const auto key = std::ranges::find(link_keys, name, &LinkKey::name);
  if (key == link_keys.end() || name.size() == word.size()) {
    return Error{"link '" + std::string(word) +
                 "': write a profile, and delay-ms=, jitter-ms= (one way), loss-permille=, kbit-s= "
                 "or queue-ms="};
  }
  const std::string_view digits = word.substr(name.size() + 1);
  int value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code != std::errc{} || end != digits.data() + digits.size() || value < 0 ||
      value > key->max) {
    return Error{"link '" + std::string(word) + "': a whole number from 0 to " +
                 std::to_string(key->max) + " is needed"};
  }
  pair.up.*key->value = pair.down.*key->value = value * key->unit;
  return Ok{};
}

}  // namespace

Result<LinkPair> read_link(std::string_view text) {
  LinkPair pair{"own", "values of one's own", {}, {}};
  bool first = true;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) break;
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    if (first && word.find('=') == std::string_view::npos) {
      const auto profile = find_link_profile(word);
      if (!profile) return profile.error();
      pair = *profile;
    } else if (const auto set = set_link_value(word, pair); !set) {
      return set.error();
    }
    first = false;
  }
  if (first) return Error{"link '': write a profile such as P5, or values such as delay-ms=75"};
  return pair;
}

}  // namespace perigee
