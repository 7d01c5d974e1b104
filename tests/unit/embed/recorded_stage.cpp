#include "recorded_stage.hpp"

namespace perigee::recorded {
namespace {

constexpr Address server_at = Address::v4(10, 0, 0, 1, 40500);
constexpr Address ada_at = Address::v4(10, 0, 0, 2, 50000);
constexpr Address bea_at = Address::v4(10, 0, 0, 3, 50000);

}  // namespace

PlayerInput Runner::sample(Tick tick) {
  constexpr std::uint32_t way_ticks = 150, jump_ticks = 97;
  PlayerInput input{.tick = tick, .forward = 127, .held = button_run};
  input.yaw = static_cast<std::uint16_t>(tick.count / way_ticks % 2 == 0 ? 0 : 32768);
  input.right = static_cast<std::int8_t>(tick.count / 40 % 3 == 1 ? 90 : 0);
  input.pitch = static_cast<std::int16_t>(tick.count % 64 * 100);
  if (tick.count % jump_ticks < 3) input.held |= button_jump;
  if (tick.count % jump_ticks == 0) input.samples.push_back({.offset = 9, .pressed = button_jump});
  return input;
}

const Address& Stage::address() { return server_at; }

Stage::Stage(std::uint16_t wire) {
  // The first draw of the server is the key of its tokens.
  const transport::RandomBytes draw = [this](std::span<std::byte> out) {
    for (std::byte& b : out) b = static_cast<std::byte>(random_.next());
    if (server_key_ || out.size() != sizeof(transport::Key)) return;
    server_key_.emplace();
    std::memcpy(server_key_->data(), out.data(), out.size());
  };
  server_ = std::make_unique<embed::Server>(
      game_, embed::Settings{.address = server_at}, now_us_, unix_s, draw,
      [this](const Address& to, std::span<const std::byte> bytes) { from_server(to, bytes); });
  transport::PlayerPass pass{
      .wire_version = wire, .schema_hash = world::agreed_schema(game_), .issue = 1};
  pass.set_name("Ada");
  token_ = transport::make_player_token(
      {.client_id = ada_id, .gateway = server_at, .create_time_s = unix_s, .pass = pass},
      server_key_.value(), draw);
  keys_ = transport::read_connect_token(token_).value();
  bea_ = std::make_unique<client::Client>(game_, client::Settings{});
  PERIGEE_ASSERT(bea_->begin(now_us_, server_->invite("Bea")), "a token is usable");
}

bool Stage::passes(std::span<const std::byte> datagram, transport::Receiver receiver,
                   const transport::Key& key, const OnPayload& seam) const {
  if (transport::is_request(datagram)) return true;
  transport::Drop why{};
  const auto head = transport::read_head(datagram, receiver, why);
  if (!head || head->type != transport::PacketType::Payload) return true;
  std::vector<std::byte> copy(datagram.begin(), datagram.end());
  const auto payload = transport::open_packet(*head, copy, keys_.protocol_id, key);
  return !payload || !seam || seam(head->sequence, *payload);
}

void Stage::from_server(const Address& to, std::span<const std::byte> datagram) {
  if (to == bea_at) {
    bea_inbox_.emplace_back(datagram.begin(), datagram.end());
  } else if (passes(datagram, transport::Receiver::Client, keys_.server_to_client, down)) {
    to_ada_.push_back({now_us_ + link_us, {datagram.begin(), datagram.end()}});
  }
}

void Stage::send(std::span<const std::byte> datagram) {
  if (!passes(datagram, transport::Receiver::Server, keys_.client_to_server, up)) return;
  to_server_.push_back({now_us_ + link_us, {datagram.begin(), datagram.end()}});
}

void Stage::send_to_ada(const Sent& payload) {
  std::array<std::byte, transport::datagram_bytes_max> out{};
  const std::size_t size =
      transport::seal_packet(transport::PacketType::Payload, payload.sequence, payload.bytes,
                             keys_.protocol_id, keys_.server_to_client, out);
  to_ada_.push_back({now_us_ + link_us, {out.begin(), out.begin() + static_cast<long>(size)}});
}

std::optional<std::vector<std::byte>> Stage::arrived() {
  if (to_ada_.empty() || to_ada_.front().due_us > now_us_) return std::nullopt;
  std::vector<std::byte> datagram = std::move(to_ada_.front().datagram);
  to_ada_.pop_front();
  return datagram;
}

void Stage::step() {
  now_us_ += step_us;
  for (; !to_server_.empty() && to_server_.front().due_us <= now_us_; to_server_.pop_front()) {
    server_->receive(now_us_, ada_at, to_server_.front().datagram);
  }
  server_->advance(now_us_);
  for (; !bea_inbox_.empty(); bea_inbox_.pop_front()) {
    bea_->receive(now_us_, server_at, bea_inbox_.front());
  }
  bea_->advance(now_us_, stander_);
  while (bea_->take_message()) ++messages_at_bea_;
  while (const auto out = bea_->poll_send()) {
    std::vector<std::byte> copy(out->datagram.begin(), out->datagram.end());
    server_->receive(now_us_, bea_at, copy);
  }
}

}  // namespace perigee::recorded
