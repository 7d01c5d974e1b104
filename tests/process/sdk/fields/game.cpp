// A client library whose game adds three fields to inputs. It has nothing else: the tests of the
// bindings set the fields, and ask for them.
#include "perigee/world/game.hpp"
#include "perigee/client/c_abi.hpp"

namespace {

using namespace perigee;

struct Controls {
  std::int16_t lean = 0;
  std::uint8_t slot = 1;
  std::uint8_t emote = 0;
  static void fields(auto&& field, auto& controls) {
    field(controls.lean, "lean", {.low = -100, .high = 100});
    field(controls.slot, "slot", {.low = 1, .high = 5, .missing = WhenMissing::Kept});
    field(controls.emote, "emote", {.high = 6, .missing = WhenMissing::Momentary});
  }
};

class Fields final : public world::GameModule {
 public:
  std::string_view name() const override { return "fields"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return {}; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  const InputLayout& input_layout() const override { return inputs_; }
  void populate(world::World&, const world::Bounds&, std::uint32_t) const override {}
  void drive(world::World&, Tick) const override {}
  world::ActorSpawn spawn_state(const world::World&, const world::Bounds&,
                                std::uint32_t) const override {
    return {};
  }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }

 private:
  world::ParentingParams parenting_;
  InputLayout inputs_ = input_layout_of<Controls>();
};

}  // namespace

extern "C" perigee_client* perigee_client_create(uint32_t abi) {
  return perigee::client::create_handle<Fields>(abi);
}
