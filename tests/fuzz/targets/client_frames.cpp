// Control, acknowledgement, chunk and message frames, as a worker reads them.
#include "fuzz/fuzz.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/base/wire_messages.hpp"
#include "perigee/base/wire_voxels.hpp"

namespace perigee::fuzz {
namespace {

enum class Gesture : std::int8_t { Back = -1, None, Wave, Bow };

/// Fields that a game may add to inputs: of all sizes, and with ranges that leave bits over.
struct Controls {
  std::int32_t wheel = 5;
  std::uint16_t height = 1000;
  std::uint8_t slot = 1;
  Gesture gesture = Gesture::None;
  bool crouch = false;
  std::uint8_t only = 3;
  std::uint16_t pad = 0;
  static void fields(auto&& field, auto& controls) {
    field(controls.wheel, "wheel");
    field(controls.height, "height", {.low = 1000, .high = 1500});
    field(controls.slot, "slot", {.low = 1, .high = 5, .missing = WhenMissing::Kept});
    field(controls.gesture, "gesture", {.low = -1, .high = 2, .missing = WhenMissing::Momentary});
    field(controls.crouch, "crouch");
    field(controls.only, "only", {.low = 3, .high = 3});
    field(controls.pad, "pad");
  }
};

const InputLayout& layout() {
  static const InputLayout of_controls = input_layout_of<Controls>();
  return of_controls;
}

void check_control(Input input, const InputLayout& own) {
  ControlFrame frame;
  if (!read_control(input, frame, own)) return;
  for (const PlayerInput& each : frame.inputs) {
    PERIGEE_ASSERT(!own.unusable(each.own), "no value out of its range is read");
  }
  PERIGEE_ASSERT(client_frame_kind(input) == ClientFrame::Control, "the kind says what it is");
  std::array<std::byte, 512> space;
  const Input copy = write_control(frame, space, own);
  PERIGEE_ASSERT(!copy.empty(), "what was read can be written");
  ControlFrame again;
  PERIGEE_ASSERT(read_control(copy, again, own), "our own bytes can be read");
  PERIGEE_ASSERT(again.reset_epoch == frame.reset_epoch &&
                     again.view_sixteenths == frame.view_sixteenths &&
                     again.claimed_parent == frame.claimed_parent &&
                     again.claimed_position == frame.claimed_position &&
                     again.inputs.size() <= frame.inputs.size(),
                 "the copy says the same");
  for (std::size_t i = 0; i < again.inputs.size(); ++i) {  // the oldest may not fit
    PERIGEE_ASSERT(again.inputs[i] == frame.inputs[i], "the copy says the same");
  }
}

void check_acknowledge(Input input) {
  AcknowledgeFrame frame;
  if (!read_acknowledge(input, frame)) return;
  std::array<std::byte, 64> space;
  const Input copy = write_acknowledge(frame, space);
  PERIGEE_ASSERT(std::equal(copy.begin(), copy.end(), input.begin(), input.end()),
                 "an acknowledgement has one spelling");
}

void check_chunks(Input input) {
  ChunkFrame frame;
  if (!read_chunks(input, frame)) return;
  std::array<std::byte, 128> space;
  const Input copy = write_chunks(frame, space);
  PERIGEE_ASSERT(std::equal(copy.begin(), copy.end(), input.begin(), input.end()),
                 "an answer about chunks has one spelling");
}

void check_messages(Input input) {
  for (const std::uint8_t kind : {std::uint8_t{4}, worker_message_kind}) {
    MessageFrame frame;
    if (!read_messages(kind, input, frame)) continue;
    std::array<std::byte, 40'000> space;
    const Input copy = write_messages(kind, frame, space);
    PERIGEE_ASSERT(std::equal(copy.begin(), copy.end(), input.begin(), input.end()),
                   "a frame of messages has one spelling");
  }
}

void run(Input input) {
  check_control(input, no_own_input());
  check_control(input, layout());
  check_acknowledge(input);
  check_chunks(input);
  check_messages(input);
}

std::vector<Bytes> seeds() {
  Bytes space(512);
  std::vector<Bytes> out;
  ControlFrame frame;
  frame.reset_epoch = 3;
  frame.claimed_parent = 5;
  frame.claimed_position = {1, 2, 3};
  PlayerInput input;
  for (std::uint32_t i = 0; i < ControlFrame::inputs_max; ++i) {
    input.tick = Tick{5000 - i};
    input.samples.clear();
    if (i == 0) input.samples.push_back({10, button_jump, ActionKind::Use, 77});
    input.forward = static_cast<std::int8_t>(i % 3 == 0 ? 127 : -127);
    input.yaw = static_cast<std::uint16_t>(i * 100);
    input.pitch = -16384;
    input.held = button_run;
    frame.inputs.push_back(input);
    if (i == 0 || i == 3 || i == 15) out.push_back(bytes_of(write_control(frame, space)));
  }
  frame.inputs.resize(8);
  for (std::uint32_t i = 0; i < 8; ++i) {
    frame.inputs[i].own.set(Controls{.wheel = -70'000 * static_cast<std::int32_t>(i),
                                     .height = static_cast<std::uint16_t>(1000 + 70 * i),
                                     .slot = static_cast<std::uint8_t>(1 + i % 5),
                                     .gesture = i == 3 ? Gesture::Back : Gesture::None,
                                     .crouch = i % 2 == 0});
  }
  out.push_back(bytes_of(write_control(frame, space, layout())));
  out.push_back(bytes_of(write_acknowledge({100, {Sequence{5}, 0xf0}, Tick{4990}}, space)));
  ChunkFrame chunks{100, {}};
  chunks.reports.push_back({{5, 6, 7}, true});
  chunks.reports.push_back({{5, 7, 1}, false});
  out.push_back(bytes_of(write_chunks(chunks, space)));
  MessageFrame messages{8, 2, 1, {}, 2, true};
  const Bytes message(40);
  add_message(messages, message);
  add_message(messages, message);
  out.push_back(bytes_of(write_messages(4, messages, space)));
  out.push_back(bytes_of(write_messages(worker_message_kind, messages, space)));
  return out;
}

}  // namespace

const Target target{run, seeds, 40'000};

}  // namespace perigee::fuzz
