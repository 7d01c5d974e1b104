// Connect tokens: the client's part, the sealed part as a gateway opens it, and the user data in
// it.
#include <sodium.h>

#include "fuzz/fuzz.hpp"
#include "perigee/transport/client.hpp"
#include "perigee/transport/connect_token.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::fuzz {
namespace {

using namespace transport;

enum Part : std::uint8_t { public_part, private_part, user_data, parts };

bool good(const AddressList& list) {
  return !list.empty() &&
         std::all_of(list.begin(), list.end(), [](const Address& a) { return a.valid(); });
}

void check_public(Input bytes) {
  const auto token = read_connect_token(bytes);
  Client client;
  PERIGEE_ASSERT(client.begin(0, bytes) == token.has_value(), "a client takes what can be read");
  if (!token) return;
  PERIGEE_ASSERT(good(token->addresses) && token->create_time_s <= token->expire_time_s,
                 "a token is worth dialling with");
  const auto asked = client.poll_send();
  PERIGEE_ASSERT(asked && asked->to == token->addresses[0], "it dials the first address");
  Drop why{};
  const auto request = read_request(asked->datagram, token->protocol_id, why);
  PERIGEE_ASSERT(
      request && request->sealing.nonce == token->nonce &&
          std::equal(request->sealed.begin(), request->sealed.end(), token->sealed.begin()),
      "what it asks with is the token's");
}

const unsigned char* raw(const std::byte* bytes) {
  return reinterpret_cast<const unsigned char*>(bytes);
}

/// Seals any bytes, as only the holder of the backend key can.
SealedPrivateToken seal_anything(Input plain, const TokenSealing& sealing, const Key& key) {
  std::array<std::byte, private_token_bytes - tag_bytes> padded{};
  std::copy_n(plain.begin(), std::min(plain.size(), padded.size()), padded.begin());
  Bytes associated = bytes_of(version_info);
  append(associated, sealing.protocol_id);
  append(associated, sealing.expire_time_s);
  SealedPrivateToken sealed{};
  crypto_aead_xchacha20poly1305_ietf_encrypt(reinterpret_cast<unsigned char*>(sealed.data()),
                                             nullptr, raw(padded.data()), padded.size(),
                                             raw(associated.data()), associated.size(), nullptr,
                                             raw(sealing.nonce.data()), raw(key.data()));
  return sealed;
}

void check_private(Input plain) {
  const TokenSealing sealing{perigee_protocol_id, 1'800'000'000, {}};
  const Key key{};
  const SealedPrivateToken sealed = seal_anything(plain, sealing, key);
  const OpenedToken opened = open_private_token(sealed, sealing, key);
  PERIGEE_ASSERT(opened.token || opened.fault == TokenFault::Malformed, "the seal is good");
  PERIGEE_ASSERT(!opened.token || good(opened.token->addresses), "it names servers");
  PERIGEE_ASSERT(!open_private_token(sealed, {sealing.protocol_id, 0, {}}, key).token,
                 "the seal covers the expiry");
}

void check_user_data(Input bytes) {
  UserData data{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), data.size()), data.begin());
  const auto pass = read_user_data(data);
  PERIGEE_ASSERT(issue_of(data) == (pass ? pass->issue : 0), "both readers agree");
  if (!pass) return;
  const auto again = read_user_data(write_user_data(*pass));
  PERIGEE_ASSERT(again && again->name() == pass->name() && again->issue == pass->issue &&
                     again->player_id == pass->player_id && again->claims() == pass->claims() &&
                     again->schema_hash == pass->schema_hash &&
                     again->home_region == pass->home_region &&
                     again->wire_version == pass->wire_version,
                 "the copy says the same");
}

void run(Input input) {
  static const bool crypto = init_crypto().ok();
  PERIGEE_ASSERT(crypto, "libsodium works");
  Choices choices(input);
  switch (choices.byte() % parts) {
    case public_part:
      return check_public(choices.rest());
    case private_part:
      return check_private(choices.rest());
    default:
      return check_user_data(choices.rest());
  }
}

std::vector<Bytes> seeds() {
  PERIGEE_ASSERT(init_crypto().ok(), "libsodium works");
  std::vector<Bytes> out;
  const auto add = [&](Part part, Input bytes) {
    append(out.emplace_back(), part);
    append(out.back(), bytes);
  };
  PlayerPass pass{.wire_version = 1, .schema_hash = 2, .home_region = RegionId{3}, .issue = 4};
  pass.set_name("Ada");
  pass.player_id = 5;
  pass.set_claims(R"({"team":"red"})");
  const UserData data = write_user_data(pass);
  add(user_data, data);
  for (const std::size_t addresses : std::array<std::size_t, 3>{1, 2, 32}) {
    ConnectTokenSpec spec{.create_time_s = 1, .expire_time_s = 31, .client_id = 7};
    for (std::size_t i = 0; i < addresses; ++i) {
      Address address = Address::v4(10, 0, 0, 1, 40000);
      if (i % 2 == 1) address.family = Address::Family::IPv6;
      spec.public_addresses.push_back(address);
      spec.server_addresses.push_back(address);
    }
    add(public_part, make_connect_token(spec, Key{}, seeded(1)).value());
  }
  Bytes plain;
  append(plain, std::uint64_t{7});  // client id, timeout, one address, keys, user data
  append(plain, std::int32_t{5});
  append(plain, std::uint32_t{1});
  for (const int b : {1, 10, 0, 0, 1, 0x40, 0x9c}) append(plain, static_cast<std::uint8_t>(b));
  plain.resize(plain.size() + 64, std::byte{5});
  append(plain, data);
  add(private_part, plain);
  return out;
}

}  // namespace

const Target target{run, seeds, 8000};

}  // namespace perigee::fuzz
