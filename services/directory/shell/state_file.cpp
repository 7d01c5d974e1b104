#include "state_file.hpp"

#include <google/protobuf/text_format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "directory_state.pb.h"
#include "perigee/host/loop.hpp"
#include "perigee/host/map_proto.hpp"
#include "perigee/host/sealed_text.hpp"

namespace perigee::directory {
namespace {

constexpr std::string_view heading = "perigee-directory state 1 ";

/// Names one boot of the kernel: only within it the monotonic clock means anything.
std::string boot_id() {
  const auto text = host::read_if_present("/proc/sys/kernel/random/boot_id");
  std::string id = text && *text ? **text : std::string();
  std::erase(id, '\n');
  return id;
}

std::string write_state(const Saved& saved, const WorldClock& clock) {
  v1::State state;
  host::write_map(saved.map, *state.mutable_map());
  for (std::size_t i = 0; i < saved.workers.size(); ++i) {
    v1::Worker& worker = *state.mutable_map()->mutable_workers(static_cast<int>(i));
    worker.set_name(saved.workers[i].name);
    worker.set_grpc_address(to_string(saved.workers[i].grpc));
    v1::MemberState& member = *state.add_workers();
    member.set_instance(saved.workers[i].instance);
    member.set_heard_us(saved.workers[i].heard_us);
    member.set_life_over(saved.workers[i].life_over);
  }
  for (std::size_t i = 0; i < saved.gateways.size(); ++i) {
    state.mutable_map()->mutable_gateways(static_cast<int>(i))->set_name(saved.gateways[i].name);
    v1::MemberState& member = *state.add_gateways();
    member.set_instance(saved.gateways[i].instance);
    member.set_heard_us(saved.gateways[i].heard_us);
  }
  state.set_handle_blocks(saved.handle_blocks);
  for (const SpaceNode& from : saved.space.nodes) {
    v1::SpaceNode& to = *state.add_space();
    if (from.region) {
      to.set_region(*from.region);
    } else {
      to.set_axis(static_cast<std::uint32_t>(from.axis));
      to.set_at(from.at);
    }
  }
  state.set_next_region(saved.space.next);
  if (saved.balance) state.set_balance(*saved.balance);
  if (saved.rate_percent) state.set_rate_percent(*saved.rate_percent);
  state.mutable_clock()->set_boot_id(boot_id());
  state.mutable_clock()->set_offset_us(clock.offset_us);
  state.mutable_clock()->set_saved_us(clock.now_us());
  std::string text;
  google::protobuf::TextFormat::PrintToString(state, &text);
  return host::seal_text(heading, text);
}

Result<v1::State> parse(std::string_view text) {
  const auto body = host::unseal_text(heading, text);
  if (!body) return body.error();
  v1::State state;
  google::protobuf::TextFormat::Parser parser;
  parser.AllowUnknownField(true);  // the next release may know more; going back must work
  if (!parser.ParseFromString(std::string(*body), &state)) return Error{"it cannot be read"};
  return state;
}

SavedSpace read_space(const v1::State& state) {
  SavedSpace space{.nodes = {}, .next = state.next_region()};
  for (const v1::SpaceNode& from : state.space()) {
    SpaceNode& to = space.nodes.emplace_back();
    if (from.has_region()) to.region = from.region();
    // What is no axis stays none, and is refused.
    to.axis = static_cast<Axis>(std::min<std::uint32_t>(from.axis(), 255));
    to.at = from.at();
  }
  return space;
}

Result<Saved> read_saved(const v1::State& state) {
  auto map = host::read_map(state.map());
  if (!map) return map.error();
  Saved saved{.map = std::move(map).value(),
              .handle_blocks = state.handle_blocks(),
              .space = read_space(state)};
  if (state.has_balance()) saved.balance = state.balance();
  if (state.has_rate_percent()) saved.rate_percent = state.rate_percent();
  for (int i = 0; i < std::min(state.workers_size(), state.map().workers_size()); ++i) {
    const v1::Worker& worker = state.map().workers(i);
    const auto grpc = parse_address(worker.grpc_address());
    saved.workers.push_back({worker.name(), grpc ? *grpc : Address{}, state.workers(i).instance(),
                             state.workers(i).heard_us(), state.workers(i).life_over()});
  }
  for (int i = 0; i < std::min(state.gateways_size(), state.map().gateways_size()); ++i) {
    saved.gateways.push_back({state.map().gateways(i).name(), Address{},
                              state.gateways(i).instance(), state.gateways(i).heard_us()});
  }
  return saved;
}

WorldClock read_clock(const v1::ClockState& state) {
  if (!state.boot_id().empty() && state.boot_id() == boot_id()) return {state.offset_us()};
  const Micros now_us = std::max<Micros>(host::Loop::wall_us(), state.saved_us());
  return {now_us - host::Loop::clock_us()};
}

Result<StateFile::World> read_world(std::string_view text, const CoreSettings& settings) {
  const auto state = parse(text);
  if (!state) return state.error();
  auto saved = read_saved(*state);
  if (!saved) return saved.error();
  if (const auto fits = Core::check(settings, *saved); !fits) return fits.error();
  return StateFile::World{std::move(saved).value(), read_clock(state->clock())};
}

}  // namespace

Micros WorldClock::now_us() const { return host::Loop::clock_us() + offset_us; }

Result<StateFile> StateFile::open(const std::filesystem::path& state_dir,
                                  const CoreSettings& settings, bool new_world, World& world) {
  const std::filesystem::path path = state_dir / "directory.state";
  auto lock = host::FileLock::take(state_dir / "directory.lock", "perigee-directory");
  if (!lock) return lock.error();
  if (new_world) {
    std::error_code nothing_there;
    std::filesystem::rename(path, path.string() + ".old", nothing_there);
  }
  const auto text = host::read_if_present(path);
  if (!text) return text.error();
  world = {std::nullopt, {host::Loop::wall_us() - host::Loop::clock_us()}};
  if (*text) {
    auto read = read_world(**text, settings);
    if (!read) {
      return Error{path.string() + ": " + read.error().message +
                   ". Put back a copy that fits, or begin a new world with --new-world: all "
                   "workers then start empty, the old file is kept beside as directory.state.old"};
    }
    world = std::move(read).value();
  }
  return StateFile(path, std::move(lock).value());
}

Result<Ok> StateFile::save(const Saved& saved, const WorldClock& clock) const {
  return host::write_durably(path_, write_state(saved, clock));
}

}  // namespace perigee::directory
