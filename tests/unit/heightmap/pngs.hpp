/// Small PNG files for tests.
#pragma once

#include <png.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perigee/base/assert.hpp"

namespace perigee::heightmap {

using Bytes = std::vector<std::byte>;

struct PngKind {
  int bits = 16;
  int colours = PNG_COLOR_TYPE_GRAY;
  int interlace = PNG_INTERLACE_NONE;
  double gamma = 0;  ///< in the file, if it is not 0
};

/// Pixels of `kind`, each of as many numbers as it has channels.
template <class Number>
Bytes png_of(std::uint32_t columns, std::uint32_t rows, const std::vector<Number>& pixels,
             const PngKind& kind = {}) {
  Bytes out;
  const auto write = [](png_structp png, png_bytep from, std::size_t size) {
    auto& to = *static_cast<Bytes*>(png_get_io_ptr(png));
    const auto* bytes = reinterpret_cast<const std::byte*>(from);
    to.insert(to.end(), bytes, bytes + size);
  };
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &out, write, nullptr);
  png_set_IHDR(png, info, columns, rows, kind.bits, kind.colours, kind.interlace,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  const png_color palette[256] = {};
  if (kind.colours == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette, 256);
  if (kind.gamma > 0) png_set_gAMA(png, info, kind.gamma);
  png_write_info(png, info);
  png_set_swap(png);
  const std::size_t each = pixels.size() / rows;
  for (int pass = png_set_interlace_handling(png); pass > 0; --pass) {
    for (std::uint32_t row = 0; row < rows; ++row) {
      png_write_row(png, reinterpret_cast<png_const_bytep>(pixels.data() + row * each));
    }
  }
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return out;
}

template <class Number>
std::vector<Number> counted(std::uint32_t columns, std::uint32_t rows, std::uint32_t step) {
  std::vector<Number> out;
  for (std::uint32_t i = 0; i < columns * rows; ++i) out.push_back(static_cast<Number>(i * step));
  return out;
}

}  // namespace perigee::heightmap
