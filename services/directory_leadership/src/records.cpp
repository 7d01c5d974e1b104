#include "perigee/directory_leadership/records.hpp"

#include <google/protobuf/text_format.h>

#include <algorithm>
#include <string_view>

#include "directory_state.pb.h"
#include "former_names.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/host/map_proto.hpp"

namespace perigee::directory {
namespace {

/// So that all records of the largest world fit into one transaction, and each is a small value.
constexpr int workers_per_record = 32;
constexpr int gateways_per_record = 64;
constexpr int regions_per_record = 64;
constexpr std::size_t nodes_per_record = 512;
constexpr Micros clock_us_max = Micros{1} << 60;

class Writer {
 public:
  void add(const std::string& name, const v1::State& part) {
    std::string text;
    google::protobuf::TextFormat::PrintToString(part, &text);
    records_.emplace(records_prefix + name, std::move(text));
  }
  void add_pack(const char* name, int number, const v1::State& part) {
    // Two digits, so that they sort numerically.
    add(std::string(name) + '/' + std::string(number < 10 ? "0" : "") + std::to_string(number),
        part);
  }
  std::size_t size() const { return records_.size(); }
  Records take() { return std::move(records_); }

 private:
  Records records_;
};

void write_member(const Member& from, bool alive, v1::MemberState& to) {
  to.set_instance(from.instance);
  to.set_incarnation_over(from.incarnation_over);
  to.set_fabric_version(from.speaks.fabric);
  to.set_workers_version(from.speaks.workers);
  to.set_build(from.build);
  // A living member counts as just heard when the record is read, so a heartbeat changes no record.
  if (!alive) to.set_received_us(from.received_us);
}

void write_members(const Saved& saved, v1::ClusterMap& map, Writer& out) {
  for (int first = 0; first < map.workers_size(); first += workers_per_record) {
    v1::State part;
    for (int i = first; i < std::min(first + workers_per_record, map.workers_size()); ++i) {
      const Member& member = saved.workers[static_cast<std::size_t>(i)];
      v1::Worker& worker = *part.mutable_map()->add_workers();
      worker.Swap(map.mutable_workers(i));
      worker.set_name(member.name);
      worker.set_grpc_address(to_string(member.grpc));
      write_member(member, worker.alive(), *part.add_workers());
    }
    out.add_pack("workers", first / workers_per_record, part);
  }
  for (int first = 0; first < map.gateways_size(); first += gateways_per_record) {
    v1::State part;
    for (int i = first; i < std::min(first + gateways_per_record, map.gateways_size()); ++i) {
      const Member& member = saved.gateways[static_cast<std::size_t>(i)];
      v1::Gateway& gateway = *part.mutable_map()->add_gateways();
      gateway.Swap(map.mutable_gateways(i));
      gateway.set_name(member.name);
      if (member.grpc.valid()) gateway.set_grpc_address(to_string(member.grpc));
      write_member(member, gateway.alive(), *part.add_gateways());
    }
    out.add_pack("gateways", first / gateways_per_record, part);
  }
  map.clear_workers();
  map.clear_gateways();
}

void write_regions(v1::ClusterMap& map, Writer& out) {
  for (int first = 0; first < map.regions_size(); first += regions_per_record) {
    v1::State part;
    for (int i = first; i < std::min(first + regions_per_record, map.regions_size()); ++i) {
      part.mutable_map()->add_regions()->Swap(map.mutable_regions(i));
    }
    out.add_pack("regions", first / regions_per_record, part);
  }
  map.clear_regions();
}

// The records are read in their order, which is that of the nodes.
void write_space(const SavedSpace& saved, Writer& out) {
  for (std::size_t first = 0; first < saved.nodes.size(); first += nodes_per_record) {
    v1::State part;
    for (std::size_t i = first; i < std::min(first + nodes_per_record, saved.nodes.size()); ++i) {
      const SpaceNode& from = saved.nodes[i];
      v1::SpaceNode& to = *part.add_space();
      if (from.region) {
        to.set_region(from.region->number);
      } else {
        to.set_axis(static_cast<std::uint32_t>(from.axis));
        to.set_at(from.at);
      }
    }
    out.add_pack("space", static_cast<int>(first / nodes_per_record), part);
  }
}

SavedSpace read_space(const v1::State& state) {
  SavedSpace space{.nodes = {}, .next = RegionId{state.next_region()}};
  for (const v1::SpaceNode& from : state.space()) {
    SpaceNode& to = space.nodes.emplace_back();
    if (from.has_region()) to.region = RegionId{from.region()};
    // An invalid axis stays invalid and is refused.
    to.axis = static_cast<Axis>(std::min<std::uint32_t>(from.axis(), 255));
    to.at = from.at();
  }
  return space;
}

Speaks speaks_of(const v1::MemberState& from) {
  return host::read_speaks(from.fabric_version(), from.workers_version());
}

Result<Saved> read_saved(const v1::State& state) {
  auto map = host::read_map(state.map());
  if (!map) return map.error();
  Saved saved{.map = std::move(map).value(),
              .handle_blocks = state.handle_blocks(),
              .space = read_space(state)};
  if (state.has_balance()) saved.balance = state.balance();
  if (state.has_rate_percent()) saved.rate_percent = state.rate_percent();
  saved.fabric = {state.fabric().newest(), state.fabric().send(), state.fabric().deal()};
  for (int i = 0; i < std::min(state.workers_size(), state.map().workers_size()); ++i) {
    const v1::Worker& worker = state.map().workers(i);
    const auto grpc = parse_address(worker.grpc_address());
    saved.workers.push_back({worker.name(), grpc ? *grpc : Address{}, state.workers(i).instance(),
                             state.workers(i).received_us(), state.workers(i).incarnation_over(),
                             speaks_of(state.workers(i)), state.workers(i).build()});
  }
  for (int i = 0; i < std::min(state.gateways_size(), state.map().gateways_size()); ++i) {
    const auto grpc = parse_address(state.map().gateways(i).grpc_address());
    saved.gateways.push_back({state.map().gateways(i).name(), grpc ? *grpc : Address{},
                              state.gateways(i).instance(), state.gateways(i).received_us(), false,
                              speaks_of(state.gateways(i)), state.gateways(i).build()});
  }
  return saved;
}

Micros bounded(Micros us) { return std::clamp(us, -clock_us_max, clock_us_max); }

/// After another boot or on another machine: by wall time, but never back.
WorldClock read_clock(const v1::ClockState& state, const Moment& now) {
  if (!state.boot_id().empty() && state.boot_id() == now.boot_id) {
    return {bounded(state.offset_us())};
  }
  const Micros by_wall_us = now.clocks.wall_us + bounded(state.wall_offset_us());
  return {std::max(by_wall_us, bounded(state.saved_us())) - now.clocks.monotonic_us};
}

}  // namespace

Records write_records(const Saved& saved, const WorldClock& clock, const Moment& now) {
  Writer out;
  v1::State world;
  host::write_map(saved.map, *world.mutable_map());
  write_members(saved, *world.mutable_map(), out);
  write_regions(*world.mutable_map(), out);
  write_space(saved.space, out);
  v1::State failover_records;
  failover_records.mutable_map()->mutable_failover_records()->Swap(
      world.mutable_map()->mutable_failover_records());
  out.add("failover_records", failover_records);
  v1::State time;
  const Micros now_us = clock.at(now.clocks.monotonic_us);
  time.mutable_clock()->set_boot_id(now.boot_id);
  time.mutable_clock()->set_offset_us(clock.offset_us);
  time.mutable_clock()->set_saved_us(now_us);
  time.mutable_clock()->set_wall_offset_us(now_us - now.clocks.wall_us);
  out.add("clock", time);
  world.set_handle_blocks(saved.handle_blocks);
  world.set_next_region(saved.space.next.number);
  if (saved.balance) world.set_balance(*saved.balance);
  if (saved.rate_percent) world.set_rate_percent(*saved.rate_percent);
  world.mutable_fabric()->set_newest(saved.fabric.newest);
  world.mutable_fabric()->set_send(saved.fabric.send);
  world.mutable_fabric()->set_deal(saved.fabric.deal);
  world.set_records(static_cast<std::uint32_t>(out.size()) + 1);
  out.add("world", world);
  return out.take();
}

Result<World> read_records(const Records& records, const CoreSettings& settings,
                           const Moment& now) {
  v1::State state;
  google::protobuf::TextFormat::Parser parser;
  parser.AllowUnknownField(true);  // fields of a later release: a downgrade must work
  const bool former = have_former_names(records);
  for (const auto& [key, text] : records) {
    v1::State part;
    if (!parser.ParseFromString(former ? with_present_names(text) : text, &part))
      return Error{key + " cannot be read"};
    state.MergeFrom(part);
  }
  if (state.records() != records.size()) {
    return Error{"it has " + std::to_string(records.size()) + " records of " +
                 std::to_string(state.records())};
  }
  auto saved = read_saved(state);
  if (!saved) return saved.error();
  if (const auto fits = Core::check(settings, *saved); !fits) return fits.error();
  return World{std::move(saved).value(), read_clock(state.clock(), now)};
}

}  // namespace perigee::directory
