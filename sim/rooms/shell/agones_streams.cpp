#include "agones_streams.hpp"

#include <utility>

namespace perigee::rooms {

std::shared_ptr<HealthStream> HealthStream::open(agones::dev::sdk::SDK::Stub& stub, Ended ended) {
  std::shared_ptr<HealthStream> stream(new HealthStream(std::move(ended)));
  stream->self_ = stream;
  stub.async()->Health(&stream->context_, &stream->reply_, stream.get());
  stream->AddHold();  // writes begin outside of the reactor's own functions
  stream->StartCall();
  return stream;
}

bool HealthStream::beat() {
  const std::lock_guard lock(mutex_);
  if (!held_ || closing_) return true;
  if (std::exchange(writing_, true)) return false;
  StartWrite(&message_);
  return true;
}

void HealthStream::OnWriteDone(bool ok) {
  bool release = false;
  {
    const std::lock_guard lock(mutex_);
    writing_ = false;
    if (!ok || closing_) release = std::exchange(held_, false);
  }
  if (release) RemoveHold();
}

void HealthStream::close() {
  context_.TryCancel();
  bool release = false;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    if (!writing_) release = std::exchange(held_, false);
  }
  if (release) RemoveHold();
}

void HealthStream::OnDone(const grpc::Status& status) {
  const auto self = std::move(self_);
  const Ended ended = std::exchange(ended_, {});
  ended(status);
}

std::shared_ptr<WatchStream> WatchStream::open(agones::dev::sdk::SDK::Stub& stub, Read read,
                                               Ended ended) {
  std::shared_ptr<WatchStream> stream(new WatchStream(std::move(read), std::move(ended)));
  stream->self_ = stream;
  stub.async()->WatchGameServer(&stream->context_, &stream->request_, stream.get());
  stream->StartRead(&stream->game_server_);
  stream->StartCall();
  return stream;
}

void WatchStream::OnReadDone(bool ok) {
  if (!ok) return;
  read_(game_server_);
  StartRead(&game_server_);
}

void WatchStream::OnDone(const grpc::Status& status) {
  const auto self = std::move(self_);
  const Ended ended = std::exchange(ended_, {});
  ended(status);
}

}  // namespace perigee::rooms
