// Records in a directory's store: text, and parts of one message with the cluster map in it. A
// directory can continue from every state that it accepts, and save it again.
#include "perigee/directory_leadership/records.hpp"

#include <google/protobuf/stubs/logging.h>

#include <string>

#include "fuzz/fuzz.hpp"
#include "perigee/directory/core.hpp"

namespace perigee::fuzz {
namespace {

using namespace directory;

constexpr char between = '\0';
const Moment moment{{.monotonic_us = 1'000'000, .wall_us = 5'000'000}, "a boot"};

/// The world continues: members return, time passes, and all of it can be written and read.
void go_on(const CoreSettings& settings, World world) {
  Micros now_us = world.saved.map.time.base.wall_us;
  Core core(settings, std::move(world.saved), now_us);
  const Address fabric = Address::v4(10, 0, 0, 1, 7000);
  core.register_worker(now_us, {"w0", fabric, fabric, 1, 2});
  core.register_gateway(now_us, {"g0", fabric, fabric, 3});
  for (int i = 0; i < 3; ++i) {
    now_us += 6'000'000;
    core.advance(now_us);
  }
  const auto again =
      read_records(write_records(core.saved(), world.clock, moment), settings, moment);
  PERIGEE_ASSERT(again && again->saved.map == core.map(), "a world can be kept");
}

void run(Input input) {
  const google::protobuf::LogSilencer silent;  // errors in the records are expected
  std::string_view rest(reinterpret_cast<const char*>(input.data()), input.size());
  Records records;
  while (!rest.empty()) {
    const std::string_view text = rest.substr(0, rest.find(between));
    records.emplace(records_prefix + std::to_string(records.size()), text);
    rest.remove_prefix(std::min(text.size() + 1, rest.size()));
  }
  const CoreSettings settings;
  auto world = read_records(records, settings, moment);
  if (!world) {
    PERIGEE_ASSERT(!world.error().message.empty(), "a refusal has a reason");
    return;
  }
  go_on(settings, std::move(world).value());
}

std::vector<Bytes> seeds() {
  const CoreSettings settings;
  Core core(settings, 77, 1'000'000);
  std::vector<Bytes> out;
  for (const bool members : {false, true}) {
    if (members) {
      const Address fabric = Address::v4(10, 0, 0, 1, 7000);
      core.register_worker(2'000'000, {"w0", fabric, fabric, 1, 2});
      core.register_worker(2'000'000, {"w1", Address::v4(10, 0, 0, 2, 7000), fabric, 1, 2});
      core.register_gateway(2'000'000, {"g0", fabric, fabric, 3});
      core.advance(3'000'000);
    }
    std::string text;
    for (const auto& [key, record] : write_records(core.saved(), {}, moment)) {
      text += record + between;
    }
    append(out.emplace_back(), as_bytes_of(text.data(), text.size()));
  }
  return out;
}

}  // namespace

const Target target{run, seeds, 2000};

}  // namespace perigee::fuzz
