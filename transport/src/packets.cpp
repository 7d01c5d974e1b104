#include "perigee/transport/packets.hpp"

#include <algorithm>

#include "aead.hpp"
#include "wire.hpp"

namespace perigee::transport {
namespace {

constexpr std::size_t packet_bytes_min = 18;  ///< prefix, one sequence byte, tag
constexpr std::uint8_t type_mask = 0x0f;

std::array<std::byte, version_info.size() + 8 + 1> associated_data(std::uint64_t protocol_id,
                                                                   std::byte prefix) {
  std::array<std::byte, version_info.size() + 8 + 1> data{};
  std::copy(version_info.begin(), version_info.end(), data.begin());
  std::memcpy(data.data() + version_info.size(), &protocol_id, sizeof protocol_id);
  data.back() = prefix;
  return data;
}

bool meant_for(Receiver receiver, std::uint8_t type) {
  if (type == 0 || type > static_cast<std::uint8_t>(PacketType::last)) return false;
  const auto packet = static_cast<PacketType>(type);
  if (receiver == Receiver::Client) return packet != PacketType::Response;
  return packet != PacketType::Denied && packet != PacketType::Challenge;
}

/// Everything between the type and the sealed private token.
template <class Cursor, class Version, class Sealing>
bool walk_request(Cursor& cursor, Version& version, Sealing& sealing) {
  return walk_array(cursor, version) && cursor.number(sealing.protocol_id) &&
         cursor.number(sealing.expire_time_s) && walk_array(cursor, sealing.nonce);
}

}  // namespace

std::size_t sequence_size(std::uint64_t sequence) {
  std::size_t size = 1;
  while (sequence >>= 8) ++size;
  return size;
}

bool is_request(std::span<const std::byte> datagram) {
  return !datagram.empty() && datagram[0] == std::byte{0};
}

std::optional<PacketHead> read_head(std::span<const std::byte> datagram, Receiver receiver,
                                    Drop& why) {
  why = Drop::TooShort;
  if (datagram.size() < packet_bytes_min) return std::nullopt;
  why = Drop::TooLong;
  if (datagram.size() > datagram_bytes_max) return std::nullopt;
  const auto prefix = std::to_integer<std::uint8_t>(datagram[0]);
  const auto type = static_cast<std::uint8_t>(prefix & type_mask);
  why = Drop::BadType;
  if (!meant_for(receiver, type)) return std::nullopt;
  const std::size_t size = prefix >> 4;
  why = Drop::BadSequenceSize;
  if (size < 1 || size > 8) return std::nullopt;
  why = Drop::TooShort;
  if (datagram.size() < 1 + size + tag_bytes) return std::nullopt;
  PacketHead head{static_cast<PacketType>(type), 0, 1 + size};
  std::memcpy(&head.sequence, datagram.data() + 1, size);
  return head;
}

std::size_t seal_packet(PacketType type, std::uint64_t sequence, std::span<const std::byte> body,
                        std::uint64_t protocol_id, const Key& key, std::span<std::byte> out) {
  const std::size_t size = sequence_size(sequence);
  PERIGEE_ASSERT(body.size() <= payload_bytes_max && out.size() >= datagram_bytes_max,
                 "a packet must fit into its buffer");
  out[0] = static_cast<std::byte>(size << 4 | static_cast<std::size_t>(type));
  std::memcpy(out.data() + 1, &sequence, size);
  seal(body, sequence, associated_data(protocol_id, out[0]), key, out.data() + 1 + size);
  return 1 + size + body.size() + tag_bytes;
}

std::optional<std::span<std::byte>> open_packet(const PacketHead& head,
                                                std::span<std::byte> datagram,
                                                std::uint64_t protocol_id, const Key& key) {
  const std::span<std::byte> sealed = datagram.subspan(head.bytes);
  if (!unseal(sealed, head.sequence, associated_data(protocol_id, datagram[0]), key,
              sealed.data())) {
    return std::nullopt;
  }
  return sealed.first(sealed.size() - tag_bytes);
}

bool body_size_fits(PacketType type, std::size_t bytes) {
  switch (type) {
    case PacketType::Request:
      return false;
    case PacketType::Denied:
    case PacketType::Disconnect:
      return bytes == 0;
    case PacketType::Challenge:
    case PacketType::Response:
      return bytes == challenge_body_bytes;
    case PacketType::KeepAlive:
      return bytes == keep_alive_body_bytes;
    case PacketType::Payload:
      return bytes >= 1 && bytes <= payload_bytes_max;
  }
  return false;
}

void write_request(const RequestPacket& request, std::span<std::byte, request_bytes> out) {
  ByteWriter writer(out);
  const bool fits = writer.number(std::uint8_t{0}) &&
                    walk_request(writer, version_info, request.sealing) &&
                    writer.copy(request.sealed);
  PERIGEE_ASSERT(fits && writer.space() == 0, "a request must have exactly 1078 bytes");
}

std::optional<RequestPacket> read_request(std::span<const std::byte> datagram,
                                          std::uint64_t protocol_id, Drop& why) {
  why = Drop::RequestBadSize;
  if (datagram.size() != request_bytes) return std::nullopt;
  ByteReader reader(datagram.subspan(1));
  std::array<std::byte, version_info.size()> version{};
  RequestPacket request{{}, datagram.last<private_token_bytes>()};
  const bool fits = walk_request(reader, version, request.sealing);
  PERIGEE_ASSERT(fits && reader.remaining() == private_token_bytes,
                 "the size must have been checked");
  why = Drop::RequestBadVersion;
  if (version != version_info) return std::nullopt;
  why = Drop::RequestBadProtocol;
  if (request.sealing.protocol_id != protocol_id) return std::nullopt;
  return request;
}

}  // namespace perigee::transport
