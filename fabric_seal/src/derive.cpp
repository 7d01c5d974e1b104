#include "derive.hpp"

#include <sodium.h>

#include <array>
#include <string_view>

#include "perigee/base/assert.hpp"
#include "perigee/base/bytes.hpp"

namespace perigee::fabric_seal {
namespace {

constexpr std::string_view purpose = "perigee fabric 1";
constexpr std::size_t end_bytes = 1 + 2 + 8;
constexpr std::size_t input_bytes = purpose.size() + 1 + 4 + 4 + 2 * end_bytes;

bool write_end(ByteWriter& writer, const End& end) {
  return writer.enumerator(end.kind, FabricSender::last) && writer.number(end.slot) &&
         writer.number(end.run);
}

}  // namespace

FabricKeyBytes derive(const FabricKey& key, std::uint32_t cluster_id, const End& sender,
                      const End& receiver) {
  std::array<std::byte, input_bytes> input;
  ByteWriter writer(input);
  const bool fits = writer.copy(std::as_bytes(std::span(purpose))) &&
                    writer.enumerator(key.sealing, FabricSealing::last) &&
                    writer.number(key.epoch) && writer.number(cluster_id) &&
                    write_end(writer, sender) && write_end(writer, receiver);
  PERIGEE_ASSERT(fits && writer.size() == input_bytes, "the input has these fields");
  FabricKeyBytes out{};
  crypto_generichash(reinterpret_cast<unsigned char*>(out.data()), out.size(),
                     reinterpret_cast<const unsigned char*>(input.data()), input.size(),
                     reinterpret_cast<const unsigned char*>(key.bytes.data()), key.bytes.size());
  return out;
}

}  // namespace perigee::fabric_seal
