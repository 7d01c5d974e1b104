// A worker with a game that has the fault named by PERIGEE_TEST_FAULT, as FUNCTION:KIND.
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "perigee/base/assert.hpp"
#include "perigee/skiff/skiff.hpp"
#include "perigee/worker/process.hpp"

namespace {

using namespace perigee;

class FaultyGame final : public skiff::Skiff {
 public:
  void drive(world::World& world, Tick tick) const override {
    Skiff::drive(world, tick);
    if (++drives_ > 60) fail_in("drive");
  }
  void step(world::ActorContext& context, world::GameState& state) const override {
    Skiff::step(context, state);
    if (++steps_ > 60) fail_in("step");
  }

 private:
  void fail_in(const std::string& function) const {
    if (!fault_.starts_with(function + ":")) return;
    const std::string kind = fault_.substr(function.size() + 1);
    if (kind == "segv") *missing_ = 1;
    if (kind == "throw") throw std::runtime_error("a door without a frame");
    PERIGEE_ASSERT(kind != "assert", "the game keeps its promise");
  }
  const std::string fault_ = std::getenv("PERIGEE_TEST_FAULT");
  int* volatile missing_ = nullptr;
  mutable int drives_ = 0, steps_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return worker::run_process(argc, argv, FaultyGame()); }
