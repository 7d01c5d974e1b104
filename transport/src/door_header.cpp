#include "perigee/transport/door_header.hpp"

#include <sodium.h>

#include <algorithm>

#include "aead.hpp"
#include "wire.hpp"

namespace perigee::transport {
namespace {

constexpr std::byte version{1};
constexpr std::size_t endpoint_bytes = 18;
constexpr std::size_t mac_bytes = 16;
constexpr std::size_t mac_at = 1 + endpoint_bytes;
constexpr std::array<std::uint8_t, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr char context[17] = "perigee door 1\0";
static_assert(mac_at + mac_bytes == door_header_bytes);

/// 16 bytes of IPv6, where IPv4 is ::ffff:a.b.c.d, and a big-endian port.
void write_endpoint(const Address& address, std::byte* out) {
  std::array<std::uint8_t, 16> ip = address.ip;
  if (address.family == Address::Family::IPv4) {
    std::copy(mapped.begin(), mapped.end(), ip.begin());
    std::copy_n(address.ip.begin(), 4, ip.begin() + 12);
  }
  std::memcpy(out, ip.data(), ip.size());
  out[16] = static_cast<std::byte>(address.port >> 8);
  out[17] = static_cast<std::byte>(address.port & 0xff);
}

Address read_endpoint(const std::byte* in) {
  Address address;
  std::memcpy(address.ip.data(), in, address.ip.size());
  address.family = Address::Family::IPv6;
  address.port = static_cast<std::uint16_t>(std::to_integer<unsigned>(in[16]) << 8 |
                                            std::to_integer<unsigned>(in[17]));
  if (!std::equal(mapped.begin(), mapped.end(), address.ip.begin())) return address;
  address.family = Address::Family::IPv4;
  std::copy_n(address.ip.begin() + 12, 4, address.ip.begin());
  std::fill(address.ip.begin() + 4, address.ip.end(), 0);
  return address;
}

std::array<std::byte, mac_bytes> mac_of(std::span<const std::byte, door_header_bytes> header,
                                        const Address& door, const Key& key) {
  std::array<std::byte, 16 + mac_at + endpoint_bytes> input;
  std::memcpy(input.data(), context, 16);
  std::memcpy(input.data() + 16, header.data(), mac_at);
  write_endpoint(door, input.data() + 16 + mac_at);
  std::array<std::byte, mac_bytes> mac{};
  crypto_generichash(octets(mac.data()), mac.size(), octets(input.data()), input.size(),
                     octets(key.data()), key.size());
  return mac;
}

}  // namespace

bool is_door_header(std::span<const std::byte, door_header_bytes> header) {
  return header[0] == version;
}

DoorHeader seal_door_header(const Address& player, const Address& door, const Key& key) {
  DoorHeader header{version};
  write_endpoint(player, header.data() + 1);
  const auto mac = mac_of(header, door, key);
  std::copy(mac.begin(), mac.end(), header.begin() + mac_at);
  return header;
}

std::optional<Address> open_door_header(std::span<const std::byte, door_header_bytes> header,
                                        const Address& door, const Key& key) {
  if (!is_door_header(header)) return std::nullopt;
  const auto mac = mac_of(header, door, key);
  if (sodium_memcmp(mac.data(), header.data() + mac_at, mac.size()) != 0) return std::nullopt;
  return read_endpoint(header.data() + 1);
}

}  // namespace perigee::transport
