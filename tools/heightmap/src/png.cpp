// PNG files by libpng, from bytes in memory.
#include <png.h>

#include <csetjmp>
#include <cstring>

#include "perigee/base/shown_text.hpp"
#include "perigee/heightmap/heightmap.hpp"

namespace perigee::heightmap {
namespace {

constexpr std::uint32_t pixels_max = world::Heightfield::side_samples_max;

/// All that libpng's callbacks use.
struct Source {
  std::span<const std::byte> left;
  char reason[100] = "";
};

void take(png_structp png, png_bytep to, std::size_t size) {
  auto& source = *static_cast<Source*>(png_get_io_ptr(png));
  if (size > source.left.size()) png_error(png, "it ends too early");
  std::memcpy(to, source.left.data(), size);
  source.left = source.left.subspan(size);
}
[[noreturn]] void fail(png_structp png, png_const_charp reason) {
  auto& source = *static_cast<Source*>(png_get_error_ptr(png));
  std::strncpy(source.reason, reason, sizeof source.reason - 1);
  png_longjmp(png, 1);
}
void ignore(png_structp, png_const_charp) {}

/// libpng's objects. Its errors jump: between `guarded` and a function of libpng there are no
/// objects with destructors.
class Png {
 public:
  explicit Png(std::span<const std::byte> file) : source_{file} {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source_, fail, ignore);
    if (png_ == nullptr) return;
    info_ = png_create_info_struct(png_);
    png_set_read_fn(png_, &source_, take);
  }
  ~Png() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;

  bool usable() const { return info_ != nullptr; }
  png_structp png() const { return png_; }
  png_infop info() const { return info_; }
  /// False: work(with) failed for a reason.
  template <class With>
  bool guarded(void (*work)(Png&, With*), With* with) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    work(*this, with);
    return true;
  }
  Error damaged() const {
    return Error{"the PNG is damaged: " + shown(source_.reason) + "; export it again"};
  }

 private:
  Source source_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

struct Head {
  png_uint_32 columns = 0;
  png_uint_32 rows = 0;
  int bits = 0;
  int colours = 0;
};

void read_head(Png& png, Head* head) {
  png_read_info(png.png(), png.info());
  png_get_IHDR(png.png(), png.info(), &head->columns, &head->rows, &head->bits, &head->colours,
               nullptr, nullptr, nullptr);
}

struct Rows {
  png_bytep first = nullptr;
  std::size_t row_bytes = 0;
  std::uint32_t rows = 0;
};

void read_rows(Png& png, Rows* to) {
  png_set_swap(png.png());  // 16 bits are big-endian in the file
  const int passes = png_set_interlace_handling(png.png());
  png_read_update_info(png.png(), png.info());
  if (png_get_rowbytes(png.png(), png.info()) != to->row_bytes) {
    png_error(png.png(), "its rows have another size");
  }
  for (int pass = 0; pass < passes; ++pass) {
    for (std::uint32_t row = 0; row < to->rows; ++row) {
      png_read_row(png.png(), to->first + row * to->row_bytes, nullptr);
    }
  }
  png_read_end(png.png(), nullptr);
}

/// The sentence if a PNG of this kind is refused.
using Check = std::optional<Error> (*)(const Head&);

std::optional<Error> check_heights(const Head& head) {
  if (head.colours != PNG_COLOR_TYPE_GRAY) {
    return Error{"the PNG has colours or transparency: export the heightmap as grayscale"};
  }
  if (head.bits == 16) return std::nullopt;
  return Error{"the PNG has " + std::to_string(head.bits) +
               " bits a pixel, which would make stairs: export the heightmap with 16 bits"};
}

std::optional<Error> check_indices(const Head& head) {
  const bool plain = head.colours == PNG_COLOR_TYPE_GRAY || head.colours == PNG_COLOR_TYPE_PALETTE;
  if (plain && head.bits == 8) return std::nullopt;
  return Error{"the PNG of materials needs 8 bits a pixel, gray or with a palette"};
}

template <class Number>
Result<Image<Number>> read(std::span<const std::byte> file, Check check) {
  constexpr std::size_t signature = 8;
  if (file.size() > file_bytes_max) return Error{"the PNG has more than 512 MiB"};
  if (file.size() < signature ||
      png_sig_cmp(reinterpret_cast<png_const_bytep>(file.data()), 0, signature) != 0) {
    return Error{"it is no PNG"};
  }
  Png png(file);
  if (!png.usable()) return Error{"libpng cannot be used: another version, or too little memory"};
  Head head;
  if (!png.guarded(read_head, &head)) return png.damaged();
  if (head.columns > pixels_max || head.rows > pixels_max) {
    return Error{"the PNG has " + std::to_string(head.columns) + " x " + std::to_string(head.rows) +
                 " pixels: divide it, so that each side has at most " + std::to_string(pixels_max)};
  }
  if (const auto error = check(head)) return *error;
  Image<Number> out{head.columns, head.rows, {}};
  out.values.resize(std::size_t{out.columns} * out.rows);
  Rows rows{reinterpret_cast<png_bytep>(out.values.data()), out.columns * sizeof(Number), out.rows};
  if (!png.guarded(read_rows, &rows)) return png.damaged();
  return out;
}

}  // namespace

Result<Heights> read_png(std::span<const std::byte> file) {
  return read<std::uint16_t>(file, check_heights);
}

Result<Indices> read_indices(std::span<const std::byte> file) {
  return read<std::uint8_t>(file, check_indices);
}

}  // namespace perigee::heightmap
