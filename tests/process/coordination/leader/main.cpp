// Campaigns and, as the leader, writes its name to "owner" in a loop: coordination_leader
// ENDPOINT... Prints when it begins to lead and when it ceases to. The test stops, continues and
// ends it.
#include <cstdio>
#include <ctime>

#include "perigee/coordination/etcd.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/secrets.hpp"

using namespace perigee;

int main(int count, char** arguments) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  const auto opened = coordination::open_etcd({.endpoints = {arguments + 1, arguments + count},
                                               .name = "stopped",
                                               .instance = host::random_u64(),
                                               .lease_us = 2'000'000});
  if (!opened) return 1;
  coordination::Store& store = **opened;
  store.campaign({[](coordination::Revision term) { std::printf("leads in term %lu\n", term); },
                  [](const std::string& why) { std::printf("leads no more: %s\n", why.c_str()); }});
  const std::function<void(const coordination::Outcome&)> next = [&](const auto&) {
    store.commit({{}, {{"owner", "stopped"}}, {}}, next);
  };
  next(coordination::NotLeader{});
  for (constexpr timespec pause{0, 200'000};; nanosleep(&pause, nullptr)) {
    store.poll(host::Loop::clock_us());
  }
}
