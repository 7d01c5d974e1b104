// Heightmaps for perigee-level, from any author: a level, or a reason why not.
#include "perigee/heightmap/heightmap.hpp"

#include <algorithm>

#include "fuzz/fuzz.hpp"
#include "unit/heightmap/pngs.hpp"

namespace perigee::fuzz {
namespace {

constexpr std::size_t signature_bytes = 8;
constexpr std::size_t size_at = 16;  // of the first chunk's columns and rows
constexpr std::uint64_t pixels_max = 1U << 18;

std::uint32_t word_at(Input bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    out = out << 8 | std::to_integer<std::uint32_t>(bytes[i]);
  }
  return out;
}

std::uint32_t checksum(Input bytes) {  // CRC-32
  std::uint32_t out = 0xffffffff;
  for (const std::byte each : bytes) {
    out ^= std::to_integer<std::uint32_t>(each);
    for (int bit = 0; bit < 8; ++bit) out = out >> 1 ^ ((out & 1) != 0 ? 0xedb88320U : 0U);
  }
  return ~out;
}

/// With the right checksum of each chunk: the fuzzer cannot guess them.
Bytes with_checksums(Input input) {
  Bytes out(input.begin(), input.end());
  std::size_t at = signature_bytes;
  while (out.size() >= at + 12) {
    const std::size_t size = word_at(out, at);
    if (size > out.size() - at - 12) break;
    const std::uint32_t sum = checksum(Input(out).subspan(at + 4, size + 4));
    for (std::size_t i = 0; i < 4; ++i) {
      out[at + 8 + size + i] = static_cast<std::byte>(sum >> (24 - 8 * i));
    }
    at += size + 12;
  }
  return out;
}

/// Larger ones are right, and slow.
bool is_small(Input png) {
  return png.size() < size_at + 8 ||
         std::uint64_t{word_at(png, size_at)} * word_at(png, size_at + 4) <= pixels_max;
}

void add(const Result<heightmap::Heights>& heights, const std::optional<heightmap::Indices>& map) {
  PERIGEE_ASSERT(heights.ok() || !heights.error().message.empty(), "a refusal has a reason");
  if (!heights) return;
  heightmap::Options options{.name = "hill", .spacing_m = 1, .height_m = 100};
  options.diagonals = world::Diagonals::Alternating;
  options.hole = std::uint16_t{0};
  options.materials.resize(2);
  options.materials[0].name = "grass";
  options.materials[1].name = "ice";
  level::LevelSource source;
  if (heightmap::add_heightfield(source, *heights, map, options)) return;
  const auto written = level::write_level(source);
  PERIGEE_ASSERT(written.ok() || !written.error().message.empty(), "a refusal has a reason");
}

void run(Input input) {
  add(heightmap::read_raw(input, 0), {});
  add(heightmap::read_raw(input, 16), {});
  for (const Bytes& bytes : {Bytes(input.begin(), input.end()), with_checksums(input)}) {
    if (!is_small(bytes)) continue;
    const auto indices = heightmap::read_indices(bytes);
    const auto heights = heightmap::read_png(bytes);
    if (indices) {
      const std::vector<std::uint16_t> flat(indices->values.size(), std::uint16_t{9});
      add(heightmap::Heights{indices->columns, indices->rows, flat}, *indices);
    }
    add(heights, {});
  }
}

std::vector<Bytes> seeds() {
  using heightmap::counted;
  using heightmap::png_of;
  const auto heights = counted<std::uint16_t>(17, 9, 411);
  return {
      png_of(17, 9, heights),
      png_of(17, 9, heights, {.interlace = PNG_INTERLACE_ADAM7}),
      png_of(17, 9, heights, {.gamma = 0.45455}),
      png_of(6, 5, counted<std::uint8_t>(6, 5, 13), {.bits = 8}),
      png_of(6, 5, counted<std::uint8_t>(6, 5, 1), {.bits = 8, .colours = PNG_COLOR_TYPE_PALETTE}),
      Bytes(512, std::byte{7})};
}

}  // namespace

const Target target{run, seeds, 4000};

}  // namespace perigee::fuzz
