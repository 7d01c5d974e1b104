// Metric tables: the rows that the compiler refuses, and the series behind the handles.
#include "perigee/base/metric_table.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace perigee {
namespace {

enum class Reason : std::uint8_t { Malformed, Replayed, last = Replayed };
constexpr std::array<std::string_view, 2> reasons{"malformed", "replayed"};
constexpr std::array bounds_s{0.004, 0.008, 0.0167};

struct Some : MetricTable<Some> {
  Counter ticks = counter({.name = "ticks_total", .help = "Ticks.", .note = "60 a second"});
  Counters inputs = counters(
      {.name = "inputs_total", .label = "result", .help = "Inputs.", .note = "few are late"});
  Counter inputs_applied = value(inputs, "applied");
  Counter inputs_late = value(inputs, "late");
  GaugeOf<std::size_t> rings = gauges<std::size_t>(
      {.name = "rings", .label = "ring", .help = "Entities.", .note = "by distance"}, reasons);
  Counters drops =
      counters({.name = "drops_total", .label = "reason", .help = "Drops.", .note = "0"});
  CounterOf<Reason> drops_by = values<Reason>(drops, reasons);
  Counter drops_of_others = value(drops, "other");
  Histogram tick =
      histogram({.name = "tick_seconds", .help = "Duration.", .note = "short", .bounds = bounds_s});
};
constexpr Some some;
struct Others : MetricTable<Others> {};

TEST(AMetricTable, NumbersItsSeriesInTheOrderOfItsRows) {
  EXPECT_EQ(some.series(), 9U);
  EXPECT_EQ(some.ticks.series, 0);
  EXPECT_EQ(some.inputs_late.series, 2);
  EXPECT_EQ(some.rings[1].series, 4);
  EXPECT_EQ(some.drops_by[Reason::Replayed].series, 6);
  EXPECT_EQ(some.tick.series, 8);
  ASSERT_EQ(some.families().size(), 5U);
  const MetricFamily& drops = some.families()[3];
  EXPECT_EQ(drops.row.name, "drops_total");
  EXPECT_EQ(drops.first, 5U);
  EXPECT_EQ(drops.series, 3U);
}

TEST(AMetricTable, KnowsTheValueOfTheLabelOfEachSeries) {
  EXPECT_EQ(some.value_of(some.inputs_late.series), "late");
  EXPECT_EQ(some.value_of(some.drops_by[Reason::Malformed].series), "malformed");
  EXPECT_EQ(some.value_of(some.drops_of_others.series), "other");
  EXPECT_EQ(some.value_of(some.ticks.series), "");
}

TEST(AMetricTable, GivesHandlesThatNoOtherTableTakes) {
  EXPECT_FALSE((std::is_same_v<Some::Counter, Others::Counter>));
  EXPECT_FALSE((std::is_convertible_v<Some::Counter, Others::Counter>));
  EXPECT_FALSE((std::is_convertible_v<Some::Gauge, Some::Counter>));
}

/// A function adds the rows of this table.
template <class Build>
struct Built : MetricTable<Built<Build>> {
  using Base = MetricTable<Built<Build>>;
  using Base::counter;
  using Base::counters;
  using Base::gauge;
  using Base::histogram;
  using Base::value;
  constexpr Built() { Build{}(*this); }
};
/// Whether the compiler takes that table as a constant.
template <class Build>
constexpr bool compiles(Build) {
  return requires { typename std::bool_constant<(Built<Build>{}.series() > 0)>; };
}

constexpr MetricRow good{.name = "good_total", .help = "Good.", .note = "look"};
constexpr MetricRow labelled{
    .name = "labelled_total", .label = "reason", .help = "Good.", .note = "look"};
constexpr std::array descending_s{0.2, 0.1};

static_assert(compiles([](auto& table) {
  table.counter(good);
  table.value(table.counters(labelled), "late");
}));
static_assert(compiles([](auto& table) {
  table.value(table.counters({.name = "a_total",
                              .label = "reason",
                              .help = "A.",
                              .note = "look",
                              .former_name = "b_total"}),
              "late", "tardy");
}));
static_assert(!compiles([](auto& table) {
  table.value(table.counters(labelled), "late", "tardy");  // no former name to export it under
}));
static_assert(!compiles([](auto& table) {
  table.counter({.name = "perigee_a_total", .help = "A.", .note = "look"});
}));
static_assert(!compiles([](auto& table) {
  table.counter({.name = "A_total", .help = "A.", .note = "look"});
}));
static_assert(!compiles([](auto& table) {
  table.counter({.name = "a", .help = "A.", .note = "look"});
}));
static_assert(!compiles([](auto& table) {
  table.gauge({.name = "a_total", .help = "A.", .note = "look"});
}));
static_assert(!compiles([](auto& table) { table.counter({.name = "a_total", .note = "look"}); }),
              "no help");
static_assert(!compiles([](auto& table) { table.counter({.name = "a_total", .help = "A."}); }),
              "no note");
static_assert(!compiles([](auto& table) {
  table.histogram({.name = "a_seconds", .help = "A.", .note = "look"});
}));
static_assert(!compiles([](auto& table) {
  table.histogram({.name = "a_s", .help = "A.", .note = "look", .bounds = descending_s});
}));
static_assert(!compiles([](auto& table) {
  table.gauge({.name = "a", .help = "A.", .note = "look", .bounds = bounds_s});
}));
static_assert(!compiles([](auto& table) {
  table.counter(good);
  table.counter(good);
}));
static_assert(!compiles([](auto& table) { table.counter(labelled); }), "no values");
static_assert(!compiles([](auto& table) { table.value(table.counters(labelled), ""); }));
static_assert(!compiles([](auto& table) {
  const auto family = table.counters(labelled);
  table.value(family, "late");
  table.value(family, "late");
}));
static_assert(!compiles([](auto& table) {
  const auto family = table.counters(labelled);
  table.counter(good);
  table.value(family, "late");
}),
              "the values stand right below their family");

}  // namespace
}  // namespace perigee
