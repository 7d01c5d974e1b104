#include "udp_send.hpp"

#include <netinet/udp.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "perigee/base/assert.hpp"

namespace perigee::host {

SendQueue::SendQueue(std::size_t datagrams_max, bool mapped)
    : mapped_(mapped),
      ring_(datagrams_max),
      parts_(2 * std::min(messages_max, datagrams_max)),
      headers_(std::min(messages_max, datagrams_max)),
      controls_(headers_.size()) {}

void SendQueue::push(const Address& to, std::span<const std::byte> bytes) {
  PERIGEE_ASSERT(!full(), "push() to a full queue: the caller must drop the datagram");
  // An empty ring restarts at its front: that memory is still in the processor's cache.
  if (size_ == 0) first_ = 0;
  Outgoing& out = at(size_);
  out.same_peer = size_ > 0 && at(size_ - 1).to == to;
  if (out.to != to) {
    out.to = to;
    out.name = mapped_ ? to_mapped_socket_address(to) : to_socket_address(to);
  }
  out.size = bytes.size();
  std::copy(bytes.begin(), bytes.end(), out.bytes.begin());
  ++size_;
}

bool SendQueue::flush(int fd, UdpCounts& counts) {
  while (size_ > 0) {
    const std::size_t messages = prepare();
    const int sent = send(fd, messages);
    if (sent < 0) {
      if (!refuse(errno, counts)) return false;
      continue;
    }
    for (std::size_t m = 0; m < static_cast<std::size_t>(sent); ++m) forget(m, true, counts);
  }
  return true;
}

/// Number of messages that the kernel accepted, or -1. A single message takes the shorter path of
/// sendmsg.
int SendQueue::send(int fd, std::size_t messages) {
  constexpr int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
  if (messages == 1) return sendmsg(fd, &headers_[0].msg_hdr, flags) < 0 ? -1 : 1;
  return sendmmsg(fd, headers_.data(), static_cast<unsigned>(messages), flags);
}

/// Fills as many messages as one call takes; returns their number.
std::size_t SendQueue::prepare() {
  std::size_t messages = 0;
  std::size_t parts = 0;
  for (std::size_t i = 0; i < size_ && messages < headers_.size() && parts < parts_.size();
       ++messages) {
    const std::size_t run = run_length(i, parts_.size() - parts);
    msghdr& header = headers_[messages].msg_hdr;
    header = {};
    header.msg_name = at(i).name.get();
    header.msg_namelen = at(i).name.size;
    header.msg_iov = &parts_[parts];
    header.msg_iovlen = run;
    if (run > 1) segment(header, controls_[messages], at(i).size);
    for (std::size_t end = i + run; i < end; ++i) {
      parts_[parts++] = {at(i).bytes.data(), at(i).size};
    }
  }
  return messages;
}

/// The kernel cuts a message into pieces of equal size, of which only the last may be smaller. An
/// empty piece would vanish.
std::size_t SendQueue::run_length(std::size_t first, std::size_t limit) {
  if (!segments_ || first < one_by_one_) return 1;
  const std::size_t end = std::min(size_, first + std::min(limit, run_datagrams_max));
  std::size_t next = first + 1;
  while (next < end && at(next).same_peer && at(next).size > 0 && at(next).size <= at(first).size) {
    if (at(next++).size < at(first).size) break;
  }
  return next - first;
}

void SendQueue::segment(msghdr& header, Control& control, std::size_t bytes) {
  header.msg_control = control.bytes.data();
  header.msg_controllen = control.bytes.size();
  cmsghdr* message = CMSG_FIRSTHDR(&header);
  message->cmsg_level = SOL_UDP;
  message->cmsg_type = UDP_SEGMENT;
  message->cmsg_len = CMSG_LEN(sizeof(std::uint16_t));
  const auto size = static_cast<std::uint16_t>(bytes);
  std::memcpy(CMSG_DATA(message), &size, sizeof size);
}

void SendQueue::forget(std::size_t message, bool sent, UdpCounts& counts) {
  const std::size_t run = headers_[message].msg_hdr.msg_iovlen;
  for (std::size_t i = 0; i < run; ++i) counts.sent_bytes += sent ? at(i).size : 0;
  (sent ? counts.sent_datagrams : counts.send_failed) += run;
  if (sent && run > 1) counts.sent_in_runs += run;
  first_ = (first_ + run) % ring_.size();
  size_ -= run;
  one_by_one_ -= std::min(one_by_one_, run);
}

/// An error belongs to the first message of a call. False: wait until writable.
bool SendQueue::refuse(int code, UdpCounts& counts) {
  if (code == EINTR) return true;
  if (code == EAGAIN || code == EWOULDBLOCK) return false;
  const std::size_t run = headers_[0].msg_hdr.msg_iovlen;
  if (run > 1) {
    // The kernel may have rejected the run as such (no GSO on this device or kernel, a path with a
    // smaller MTU); its pieces may still pass one by one.
    one_by_one_ = run;
    if (code == EINVAL || code == EIO || code == EOPNOTSUPP) segments_ = false;
    return true;
  }
  forget(0, false, counts);
  return true;
}

}  // namespace perigee::host
