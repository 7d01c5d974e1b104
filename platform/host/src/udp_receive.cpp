#include "udp_receive.hpp"

#include <cerrno>
#include <cstring>

namespace perigee::host {
namespace {

/// The kernel's stamp, on the wall clock; 0 if there is none.
Micros wall_stamp_us(msghdr& header) {
  const cmsghdr* control = CMSG_FIRSTHDR(&header);
  if (control == nullptr || control->cmsg_level != SOL_SOCKET ||
      control->cmsg_type != SCM_TIMESTAMPNS) {
    return 0;
  }
  timespec stamp{};
  std::memcpy(&stamp, CMSG_DATA(control), sizeof stamp);
  return Micros{stamp.tv_sec} * 1'000'000 + stamp.tv_nsec / 1'000;
}

/// Converts a kernel stamp to the monotonic clock. If the wall clock was set meanwhile the result
/// is invalid, and the present time is used.
Micros monotonic_stamp_us(Micros wall_us, const ClockPair& now) {
  constexpr Micros queued_us_max = 1'000'000;
  const Micros age_us = now.wall_us - wall_us;
  if (wall_us == 0 || age_us < 0 || age_us > queued_us_max) return now.monotonic_us;
  return now.monotonic_us - age_us;
}

}  // namespace

ReceiveBatch::ReceiveBatch(std::size_t size)
    : slots_(size), parts_(size), headers_(size), datagrams_(size) {
  for (std::size_t i = 0; i < size; ++i) {
    Slot& slot = slots_[i];
    parts_[i] = {slot.bytes.data(), slot.bytes.size()};
    msghdr& header = headers_[i].msg_hdr;
    header.msg_name = &slot.from;
    header.msg_namelen = sizeof slot.from;
    header.msg_iov = &parts_[i];
    header.msg_iovlen = 1;
    header.msg_control = slot.control.data();
    header.msg_controllen = slot.control.size();
  }
}

bool ReceiveBatch::read(int fd, UdpCounts& counts) {
  count_ = 0;
  const int got =
      recvmmsg(fd, headers_.data(), static_cast<unsigned>(size()), MSG_DONTWAIT, nullptr);
  if (got < 0) {
    if (errno == EINTR) return true;
    if (errno != EAGAIN && errno != EWOULDBLOCK) ++counts.receive_failed;
    return false;
  }
  // After the call: none of the datagrams it returned is younger.
  const ClockPair now = Loop::clocks();
  const auto read = static_cast<std::size_t>(got);
  for (std::size_t i = 0; i < read; ++i) take(i, now, counts);
  return read == size();
}

void ReceiveBatch::take(std::size_t i, const ClockPair& now, UdpCounts& counts) {
  msghdr& header = headers_[i].msg_hdr;
  const std::size_t bytes = headers_[i].msg_len;
  if ((header.msg_flags & MSG_TRUNC) != 0) {
    ++counts.received_oversized;
  } else if (bytes == 0) {
    ++counts.received_empty;
  } else {
    ++counts.received_datagrams;
    counts.received_bytes += bytes;
    datagrams_[count_++] = {from_socket_address(static_cast<const sockaddr*>(header.msg_name)),
                            monotonic_stamp_us(wall_stamp_us(header), now),
                            std::span(slots_[i].bytes).first(bytes)};
  }
  // The kernel wrote into the header; the fields that it did not change are reused by the next
  // call.
  header.msg_namelen = sizeof(sockaddr_in6);
  header.msg_controllen = control_bytes;
}

}  // namespace perigee::host
