// bench_codec: bits, time and error of one entity's update on the wire, compared with protobuf and
// FlatBuffers. Every contender writes whole blocks of the same entities, headers included.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "bench/common/suite.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/base/interest.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/replication/record_groups.hpp"
#include "update.pb.h"
#include "update_generated.h"

namespace perigee::bench {
namespace {

using replication::Published;

constexpr std::size_t block_bytes = 1150;
constexpr int per_block = 32;  // as many as surely fit into one of our datagrams
constexpr std::array<const char*, precisions> names{"finest", "fine", "middle", "coarse"};
constexpr std::array<double, precisions> around_m = InterestRings{}.radius_m;
constexpr double radius_m = 1;

/// Bodies around one observer, at distances for which the precision is meant.
std::vector<Published> bodies(double within_m, Random& random) {
  std::vector<Published> out(per_block);
  for (Published& body : out) {
    body.handle = 0x100001 + static_cast<Handle>(&body - out.data());
    const auto offset = [&] { return random.between(-within_m, within_m); };
    body.position = Vec3{4'000, 120, -9'000} + Vec3{offset(), offset() / 10, offset()};
    body.world_velocity = {random.between(-20, 20), random.between(-2, 2), random.between(-20, 20)};
    const auto part = [&] { return random.between(-1, 1); };
    body.world_angular_velocity = {part(), part(), part()};
    body.radius_m = radius_m;
    body.world_rotation = normalized(Quat{part(), part(), part(), part()});
  }
  return out;
}

/// Writes as the publisher does: by frame, each track encoded once.
class Ours {
 public:
  /// `fresh`: in a new tick. The bodies are elsewhere then, and need new tracks.
  std::size_t write(const std::vector<Published>& bodies, Precision precision, bool fresh,
                    std::array<std::byte, block_bytes>& out) {
    if (fresh) tracks_.begin(++now_);
    groups_.clear();
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
      groups_.add(i, tracks_.current(i, precision, bodies[i], {}));
    }
    groups_.arrange();
    BlockWriter writer(out, {.tick = now_});
    const std::size_t written = groups_.write(writer, 0);
    PERIGEE_ASSERT(written == bodies.size(), "all fit into one block");
    return writer.bytes().size();
  }

 private:
  Tick now_{4'000};
  replication::TrackTable tracks_{per_block};
  replication::RecordGroups groups_{per_block};
};

/// Records alone, without frames, groups and block.
std::array<EncodedTrack, per_block> encode_all(const std::vector<Published>& bodies,
                                               Precision precision) {
  std::array<EncodedTrack, per_block> out;
  const GroupFrame frame = replication::frame_of(bodies[0], precision);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Track track = replication::straight_track(bodies[i], frame, {});
    track.position = track.position - origin_of(frame);
    out[i] = encode_track({bodies[i].handle, track}, precision, radius_m);
  }
  return out;
}

/// Tracks as differences, as an entity that was pushed needs them: a fifth of a second after the
/// basis, within four bounds of where that led.
struct Pushed {
  TrackBasis basis;
  TrackSteps steps;
  std::size_t whole_bytes = 0;
};
constexpr std::int32_t pushed_ticks = 12;
std::vector<Pushed> pushed(const std::vector<Published>& bodies, Precision precision,
                           Random& random) {
  std::vector<Pushed> out;
  const GroupFrame frame = replication::frame_of(bodies[0], precision);
  for (const Published& body : bodies) {
    Track track = replication::straight_track(body, frame, {});
    track.position = track.position - origin_of(frame);
    const TrackSteps before = steps_of(track, precision, radius_m);
    const auto off = [&](double limit) {
      const auto part = [&] { return random.between(-limit, limit); };
      return Vec3{part(), part(), part()};
    };
    const double bound = bound_m(precision);
    const TrackPoint led = point_at(track, pushed_ticks);
    track.position = led.pose.position + off(4 * bound);
    track.velocity += off(20 * bound);
    track.rotation = rotation_by(off(bound)) * led.pose.rotation;
    track.angular_velocity += off(5 * bound);
    const TrackSteps after = steps_of(track, precision, radius_m);
    out.push_back({{frame, {}, before}, after, encode_track(body.handle, after).size()});
  }
  return out;
}
std::size_t encode_differences(const std::vector<Pushed>& all) {
  std::size_t bytes = 0;
  for (const Pushed& one : all) {
    const auto out = encode_difference(5, one.steps, one.basis.tick + pushed_ticks, one.basis, 0,
                                       one.whole_bytes);
    bytes += out.empty() ? one.whole_bytes : out.size();
  }
  return bytes;
}

/// Largest differences between the written values and those of a reader.
struct Errors : BlockVisitor {
  const std::vector<Published>* meant = nullptr;
  double position_m = 0, velocity = 0, rotation_deg = 0;
  void on_own(const OwnSection&) override {}
  void on_event(Sequence, const WorldEvent&) override {}
  void on_record(const GroupFrame& frame, const TrackRecord& record) override {
    const Published& body = *std::find_if(meant->begin(), meant->end(), [&](const Published& b) {
      return b.handle == record.handle;
    });
    position_m =
        std::max(position_m, distance(origin_of(frame) + record.track.position, body.position));
    velocity = std::max(velocity, distance(record.track.velocity, body.world_velocity));
    const double cosine = std::min(1.0, std::abs(dot(record.track.rotation, body.world_rotation)));
    rotation_deg = std::max(rotation_deg, 2 * std::acos(cosine) * 180 / pi);
  }
};

std::size_t write_protobuf(const std::vector<Published>& bodies, ProtoBlock& block,
                           std::string& out) {
  block.clear_updates();
  block.set_tick(4'002);
  for (const Published& body : bodies) {
    ProtoUpdate& update = *block.add_updates();
    update.set_handle(body.handle);
    ProtoVec3& p = *update.mutable_position();
    p.set_x(body.position.x), p.set_y(body.position.y), p.set_z(body.position.z);
    ProtoQuat& q = *update.mutable_rotation();
    q.set_x(static_cast<float>(body.world_rotation.x));
    q.set_y(static_cast<float>(body.world_rotation.y));
    q.set_z(static_cast<float>(body.world_rotation.z));
    q.set_w(static_cast<float>(body.world_rotation.w));
    const Vec3f velocity = to_float(body.world_velocity);
    ProtoVec3f& v = *update.mutable_velocity();
    v.set_x(velocity.x), v.set_y(velocity.y), v.set_z(velocity.z);
  }
  block.SerializeToString(&out);
  return out.size();
}

std::size_t write_flatbuffers(const std::vector<Published>& bodies,
                              flatbuffers::FlatBufferBuilder& builder) {
  builder.Clear();
  std::array<FlatUpdate, per_block> updates;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Published& body = bodies[i];
    const Quat& q = body.world_rotation;
    const Vec3f v = to_float(body.world_velocity);
    updates[i] =
        FlatUpdate(FlatVec3(body.position.x, body.position.y, body.position.z), body.handle,
                   FlatQuat(static_cast<float>(q.x), static_cast<float>(q.y),
                            static_cast<float>(q.z), static_cast<float>(q.w)),
                   FlatVec3f(v.x, v.y, v.z));
  }
  const auto list = builder.CreateVectorOfStructs(updates.data(), updates.size());
  builder.Finish(CreateFlatBlock(builder, 4'002, list));
  return builder.GetSize();
}

double bits_each(std::size_t bytes) { return static_cast<double>(bytes) * 8 / per_block; }

void measure(const Run& run, Precision precision, Figures& figures) {
  const auto index = static_cast<std::size_t>(precision);
  const std::string suffix = std::string("_") + names[index];
  Random random(11);
  std::vector<std::vector<Published>> worlds;
  worlds.reserve(16);
  for (int i = 0; i < 16; ++i) worlds.push_back(bodies(around_m[index], random));
  std::array<std::byte, block_bytes> buffer;
  Ours packer;
  ProtoBlock block;
  std::string text;
  flatbuffers::FlatBufferBuilder builder(4'096);

  std::size_t ours_bytes = 0, proto_bytes = 0, flat_bytes = 0;
  Errors errors;
  for (const auto& world : worlds) {
    const std::size_t size = packer.write(world, precision, true, buffer);
    ours_bytes += size;
    errors.meant = &world;
    read_block(std::span(buffer).first(size), errors);
    proto_bytes += write_protobuf(world, block, text);
    flat_bytes += write_flatbuffers(world, builder);
  }
  const auto count = worlds.size();
  figures.add_against("protobuf", "bits" + suffix, bits_each(ours_bytes / count),
                      bits_each(proto_bytes / count), "bit");
  figures.add("bits" + suffix + "_flatbuffers", bits_each(flat_bytes / count), "bit");
  figures.add("error_position" + suffix + "_m", errors.position_m, "m");
  figures.add("error_velocity" + suffix + "_m_s", errors.velocity, "m/s");
  figures.add("error_rotation" + suffix + "_deg", errors.rotation_deg, "deg");

  const std::uint64_t calls = run.quick ? 100 : 10'000;
  std::size_t turn = 0;
  const auto next = [&]() -> const std::vector<Published>& { return worlds[turn++ % count]; };
  std::vector<double> ours, copies, records, differences, proto, flat;
  const std::vector<Pushed> after = pushed(worlds[0], precision, random);
  figures.add("bits_whole_record" + suffix,
              bits_each(std::accumulate(
                  after.begin(), after.end(), std::size_t{0},
                  [](std::size_t sum, const Pushed& one) { return sum + one.whole_bytes; })),
              "bit");
  figures.add("bits_difference" + suffix, bits_each(encode_differences(after)), "bit");
  interleave(
      run.rounds(),
      [&] { differences.push_back(ns_per_call(calls, [&] { keep(encode_differences(after)); })); },
      [&] { records.push_back(ns_per_call(calls, [&] { keep(encode_all(next(), precision)); })); },
      [&] {
        ours.push_back(
            ns_per_call(calls, [&] { keep(packer.write(next(), precision, true, buffer)); }));
      },
      [&] {
        copies.push_back(
            ns_per_call(calls, [&] { keep(packer.write(worlds[0], precision, false, buffer)); }));
      },
      [&] {
        proto.push_back(ns_per_call(calls, [&] { keep(write_protobuf(next(), block, text)); }));
      },
      [&] {
        flat.push_back(ns_per_call(calls, [&] { keep(write_flatbuffers(next(), builder)); }));
      });
  figures.add("encode_ns_record" + suffix, median(records) / per_block, "ns");
  figures.add("encode_ns_difference" + suffix, median(differences) / per_block, "ns");
  figures.add("encode_ns_next_subscriber" + suffix, median(copies) / per_block, "ns");
  figures.add_against("protobuf", "encode_ns" + suffix, median(ours) / per_block,
                      median(proto) / per_block, "ns");
  figures.add("encode_ns" + suffix + "_flatbuffers", median(flat) / per_block, "ns");
}

Result<Ok> codec_suite(const Run& run, Figures& figures) {
  for (std::size_t i = 0; i < precisions; ++i) measure(run, static_cast<Precision>(i), figures);
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("codec", argc, argv, perigee::bench::codec_suite);
}
