# cmake -DLEVEL=file -DNAME=name -DSOURCE=file -P level_source.cmake: the bytes of a level as a C++ source.
file(READ ${LEVEL} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${SOURCE} "#include \"${NAME}_level.hpp\"

namespace {
constexpr unsigned char bytes[] = {
${bytes}};
}  // namespace

std::span<const std::byte> ${NAME}_level() { return std::as_bytes(std::span(bytes)); }
")
