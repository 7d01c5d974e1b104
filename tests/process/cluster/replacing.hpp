/// Two workers with players, and the replacement of one worker by another.
#pragma once

#include <algorithm>
#include <cstdio>
#include <optional>

#include "inputs.hpp"
#include "operator.hpp"

namespace perigee::process_test {

struct Replacing : AnOperator {
  static constexpr unsigned players_there = 8;
  Child* gateway = nullptr;
  std::map<unsigned, Child*> sims;
  std::optional<Child> people;

  void start_worker(unsigned index, const std::string& binary = PERIGEE_SIM_BINARY) {
    sims[index] = &start(binary, {"--index", std::to_string(index)});
  }
  void start_two() {
    start_directory();
    gateway = &start(PERIGEE_GATEWAY_BINARY);
    for (const unsigned index : {0U, 1U}) start_worker(index);
    start(PERIGEE_SESSION_BINARY);
    for (const unsigned port : {102U, 100U, 110U, 111U, 101U}) {
      ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
    }
  }
  void people_play() {
    people.emplace(bots({"--count", std::to_string(players_there), "--seconds", "600", "--json"}));
    ASSERT_TRUE(people->says("playing " + std::to_string(players_there))) << people->output();
  }
  void people_leave() {
    people->signal(SIGINT);
    EXPECT_EQ(people->wait(), 0) << people->output();
  }
  /// A figure of the players' final report.
  double figure(const std::string& name) const {
    const double out = figure_of(people->output(), name);
    EXPECT_GE(out, 0) << name;
    return out;
  }
  void expect_none(std::initializer_list<const char*> names) const {
    for (const char* name : names) EXPECT_EQ(figure(name), 0) << name;
  }
  static std::string name(unsigned index) { return "sim-" + std::to_string(index); }
  std::vector<std::string> replacing(unsigned old_one, unsigned new_one) const {
    return ctl({"replace", name(old_one), name(new_one)});
  }
  /// Polls every 5 ms.
  template <class Done>
  bool at_once(Done done) const {
    return soon(done, 60, std::chrono::milliseconds(5));
  }
};

}  // namespace perigee::process_test
