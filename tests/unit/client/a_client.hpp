/// A whole client over a real transport, against hand-made payloads and a hand-made worker.
#pragma once

#include "perigee/client/client.hpp"

#include "hand_server.hpp"
#include "perigee/base/fabric.hpp"
#include "perigee/base/frames.hpp"
#include "perigee/base/gateway_frame.hpp"
#include "perigee/base/technique_order.hpp"
#include "perigee/transport/server.hpp"
#include "track_records.hpp"
#include "unit/transport/fixture.hpp"

namespace perigee::client {

using transport::Bytes;

class Walker final : public InputSampler {
 public:
  PlayerInput sample(Tick tick) override {
    ticks.push_back(tick);
    return input;
  }
  PlayerInput input;
  std::vector<Tick> ticks;
};

/// One client, full or thin, connected; `server` below is the gateway's transport.
template <class Played>
struct AClientOf : transport::TransportTest {
  static constexpr StreamId stream = stream_of_worker(WorkerSlot{0});
  HandServer worker;
  Played client;
  Walker walker;
  const Address at = transport::player_address(1);
  Sequence next_event;
  std::uint16_t epoch = 100;
  std::uint16_t cluster_id = 1;
  std::vector<ControlFrame> controls;
  std::vector<AcknowledgeFrame> acknowledgements;
  std::vector<Telemetry> reports;
  std::vector<std::uint32_t> resumes_received;
  std::vector<OrderAnswer> answers;
  std::uint64_t newest_up = 0;
  Micros newest_up_at_us = 0;
  std::int8_t delay_ticks = 0;  ///< delay with which the worker applies inputs

  explicit AClientOf(const test::YardOptions& options = {}, const Settings& with = {})
      : worker(options), client(worker.game, with) {
    EXPECT_TRUE(client.begin(now_us, token(1)));
    for (int i = 0; i < 20 && !client.connected(); ++i) frame();
    EXPECT_TRUE(client.connected());
  }
  /// One frame of the client, 1/60 s; packets arrive at once.
  void frame(Micros frame_us = 16'667) {
    now_us += frame_us;
    client.advance(now_us, walker);
    while (const auto out = client.poll_send()) {
      if (const auto payload = to_server(at, transport::bytes_of(out->datagram))) {
        newest_up = payload->sequence;
        newest_up_at_us = now_us;
        read_up(payload->bytes);
      }
    }
    server->advance(now_us, unix_s());
    take_events();
    deliver();
  }
  void deliver() {
    for (transport::Parcel& parcel : std::exchange(postbag.parcels, {})) {
      client.receive(now_us, transport::server_address, parcel.bytes);
    }
  }
  std::size_t message_frames = 0;
  void read_up(std::span<const std::byte> payload) {
    FrameReader frames(payload);
    while (const auto frame = frames.next()) {
      ControlFrame control;
      AcknowledgeFrame acknowledge;
      MessageFrame message;
      constexpr auto message_kind = static_cast<std::uint8_t>(ClientFrame::Message);
      if (frame->stream == stream_owner && read_messages(message_kind, frame->bytes, message)) {
        ++message_frames;
        continue;
      }
      if (frame->stream == stream_owner && read_control(frame->bytes, control)) {
        controls.push_back(control);
      } else if (is_worker_stream(frame->stream) && read_acknowledge(frame->bytes, acknowledge)) {
        if (frame->stream == stream) acknowledgements.push_back(acknowledge);
      } else if (frame->stream == stream_gateway) {
        if (const auto number = read_resume_received(frame->bytes)) {
          resumes_received.push_back(*number);
          continue;
        }
        if (const auto answer = read_order_answer(frame->bytes)) {
          answers.push_back(*answer);
          continue;
        }
        const auto telemetry = read_telemetry(frame->bytes);
        ASSERT_TRUE(telemetry);
        reports.push_back(*telemetry);
      } else {
        FAIL() << "a frame that nobody reads, stream " << int{frame->stream};
      }
    }
    EXPECT_TRUE(frames.ok());
  }
  void send_payload(std::span<const std::byte> payload) {
    server->send_payload(now_us, 0, payload);
    deliver();
  }
  void send_frame(StreamId to_stream, std::span<const std::byte> bytes) {
    Bytes payload(1200);
    FrameWriter frames(payload);
    ASSERT_TRUE(frames.add(to_stream, bytes));
    send_payload(frames.payload());
  }
  Bytes block(Tick tick, const OwnSection* own, const std::vector<WorldEvent>& news = {},
              const std::vector<TrackRecord>& records = {}) {
    Bytes bytes(1150);
    BlockHeader header;
    header.cluster_id = cluster_id;
    header.stream_epoch = epoch;
    header.tick = tick;
    BlockWriter writer(bytes, header);
    if (own != nullptr) {
      EXPECT_TRUE(writer.own(*own));
    }
    for (const WorldEvent& event : news) {
      EXPECT_TRUE(writer.event(next_event, event));
      next_event = next_event + 1;
    }
    if (!records.empty()) {
      EXPECT_TRUE(writer.begin_group({.block = handle_block(records.front().handle)}));
    }
    for (const TrackRecord& record : records) EXPECT_TRUE(test::write(writer, record));
    return transport::bytes_of(writer.bytes());
  }
  std::vector<WorldEvent> spawn_events() const {
    std::vector<WorldEvent> out;
    for (const SpawnEvent& spawn : worker.spawns()) out.emplace_back(spawn);
    return out;
  }
  void send_echo() {
    std::array<std::byte, echo_frame_bytes> bytes{};
    ByteWriter writer(bytes);
    write_echo(writer, {static_cast<std::uint16_t>(newest_up), 0});
    send_frame(stream_gateway, writer.written());
  }
  /// The worker's side of a frame: applies the inputs that have arrived, sends the own section.
  void serve() {
    PlayerInput input;
    input.tick = worker.now() - delay_ticks;
    bool real = false;
    for (const ControlFrame& control : controls) {
      for (const PlayerInput& sent : control.inputs) {
        if (sent.tick == input.tick) input = sent, real = true;
      }
    }
    worker.tick(input);
    OwnSection own = worker.own(worker.now());
    own.delay_ticks = delay_ticks;
    if (!controls.empty()) own.techniques = controls.back().techniques;
    if (real) {
      own.has_echo = true;
      own.echo = input.tick;
    }
    send_frame(stream, block(worker.now(), &own,
                             next_event.value == 0 ? spawn_events() : std::vector<WorldEvent>{}));
    send_echo();
  }
  void play(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      frame();
      serve();
    }
  }
};

struct AClient : AClientOf<Client> {
  using AClientOf::AClientOf;
};

}  // namespace perigee::client
