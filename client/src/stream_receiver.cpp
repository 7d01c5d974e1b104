#include "perigee/client/stream_receiver.hpp"

#include <algorithm>
#include <array>

#include "perigee/base/fabric.hpp"
#include "perigee/base/wire_client.hpp"

namespace perigee::client {
namespace {

/// A worker without a block in a new session by then is gone.
constexpr Micros former_us_max = 3'000'000;
constexpr std::size_t streams_expected = 8;

}  // namespace

StreamReceiver::StreamReceiver(const Needs& needs) : needs_(needs) {
  streams_.reserve(streams_expected);
}

StreamReceiver::Stream& StreamReceiver::stream_of(StreamId number) {
  const auto at = std::ranges::lower_bound(streams_, number, {}, &Stream::number);
  if (at != streams_.end() && at->number == number) return *at;
  return *streams_.insert(at, Stream{.number = number});
}

std::uint16_t StreamReceiver::epoch_of(StreamId stream) const {
  const auto at = std::ranges::lower_bound(streams_, stream, {}, &Stream::number);
  return at != streams_.end() && at->number == stream ? at->epoch : 0;
}

void StreamReceiver::begin() {
  cluster_id_.reset();
  former_cluster_id_.reset();
  former_since_us_.reset();
  streams_.clear();
  bases_ = {};
}

void StreamReceiver::on_block(StreamId stream, std::span<const std::byte> bytes) {
  // The header alone decides whether the stream is restarted, before any data is passed on.
  const auto header = read_block_header(bytes);
  if (!header) return needs_.telemetry.count_malformed();
  if (header->cluster_id == former_cluster_id_) return;
  if (cluster_id_ != header->cluster_id) {
    former_cluster_id_ = cluster_id_;
    cluster_id_ = header->cluster_id;
    streams_.clear();
    bases_ = {};
    needs_.handler.on_new_cluster_id();
  }
  Stream& state = stream_of(stream);
  if (state.former) {
    restart(state);
  } else if (state.known && state.epoch != header->stream_epoch) {
    // Two epochs of a stream never overlap; epochs wrap every 18 minutes, ticks do not.
    if (not_after(header->tick, state.newest)) return;  // a late block of the former epoch
    restart(state);
  }
  state.epoch = header->stream_epoch;
  reading_ = &state;
  block_ = {stream, header->tick};
  block_is_late_ = state.known && before(header->tick, state.newest);
  if (!block_is_late_) state.newest = header->tick;
  state.known = true;
  state.acknowledgement_due = true;
  block_has_own_ = false;
  block_is_used_ = true;
  if (!read_block(bytes, *this)) {
    needs_.telemetry.count_malformed();
  } else if (block_is_used_) {
    state.ticks.add(*header);
  }
  needs_.handler.on_block_end(block_, block_has_own_);
}

void StreamReceiver::restart(Stream& stream) {
  stream = Stream{.number = stream.number};
  bases_.forget_stream(stream.number);
  needs_.handler.on_stream_restart(stream.number);
}

void StreamReceiver::on_own(const OwnSection& own) {
  bases_.add(block_.stream, own);
  if (block_is_late_ || reading_->own == block_.tick) {
    return needs_.handler.on_late_own(block_, own);
  }
  reading_->own = block_.tick;
  block_has_own_ = true;
  needs_.handler.on_own(block_, own);
}

void StreamReceiver::on_event(Sequence sequence, const WorldEvent& event) {
  EventReceiver<WorldEvent>& events = reading_->events;
  if (!events.receive(sequence, event)) return;
  while (const auto next = events.take()) needs_.handler.on_event(block_, *next);
}

void StreamReceiver::on_record(const GroupFrame& frame, const TrackRecord& record) {
  block_is_used_ = needs_.handler.on_record(block_, frame, record) && block_is_used_;
}

const OwnBasis* StreamReceiver::own_basis(Tick tick) const {
  return bases_.find(block_.stream, tick);
}

void StreamReceiver::on_new_session(Micros now_us) {
  former_since_us_ = now_us;
  for (Stream& stream : streams_) {
    if (stream.known) stream.former = true;
    stream.acknowledgement_due = false;
  }
}

void StreamReceiver::advance(Micros now_us) {
  if (!former_since_us_ || now_us - *former_since_us_ <= former_us_max) return;
  former_since_us_.reset();
  for (Stream& stream : streams_) {
    if (stream.former) restart(stream);
  }
}

void StreamReceiver::write_acknowledgements(FrameWriter& frames) {
  std::array<std::byte, 512> bytes;
  for (Stream& stream : streams_) {
    if (!stream.acknowledgement_due) continue;
    const AcknowledgeFrame frame{stream.epoch, stream.events.acknowledgement(), stream.newest,
                                 stream.ticks.complete(stream.newest)};
    if (!frames.add(stream.number, write_acknowledge(frame, bytes))) {
      return;
    }
    stream.acknowledgement_due = false;
  }
}

}  // namespace perigee::client
