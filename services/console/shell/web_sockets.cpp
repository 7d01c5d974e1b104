// WebSockets.
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "perigee/host/loop.hpp"
#include "web_server_impl.hpp"

namespace perigee::console {
namespace {

constexpr int messages_per_turn_max = 32;
/// Of the kernel, for one browser: a second of a large world. The default of megabytes would hide
/// for long that a browser does not read, and show it old pictures when it goes on.
constexpr int kernel_buffer_bytes = 128 << 10;

}  // namespace

void WebServer::Impl::on_opened(lws* wsi, WebId id) {
  const int bytes = kernel_buffer_bytes;
  setsockopt(lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  WebRequest request;
  bool crowded = false;
  {
    const std::lock_guard lock(mutex);
    request = find(id)->request;
    crowded = counts.sockets > sockets_max;
    if (crowded) find(id)->close = {1013, "too many viewers; try again later"};
  }
  if (crowded) {
    lws_callback_on_writable(wsi);
  } else {
    handler.opened(id, std::move(request));
  }
}

int WebServer::Impl::on_message_part(lws* wsi, WebId id, std::string_view part) {
  std::string message;
  {
    const std::lock_guard lock(mutex);
    WebConnection* connection = find(id);
    if (connection == nullptr || connection->close) return 0;
    if (connection->incoming.size() + part.size() > message_bytes_max) {
      ++counts.malformed;
      connection->close = {1009, "a message is too long"};
      lws_callback_on_writable(wsi);
      return 0;
    }
    connection->incoming += part;
    if (lws_is_final_fragment(wsi) == 0) return 0;
    message = std::exchange(connection->incoming, {});
  }
  handler.message(id, std::move(message), lws_frame_is_binary(wsi) == 0);
  return 0;
}

int WebServer::Impl::write_messages(lws* wsi, WebId id) {
  for (int i = 0; i < messages_per_turn_max; ++i) {
    OutgoingMessage message;
    {
      const std::lock_guard lock(mutex);
      WebConnection* connection = find(id);
      if (connection == nullptr) return -1;
      if (connection->close) {
        std::string& reason = connection->close->reason;
        lws_close_reason(wsi, static_cast<lws_close_status>(connection->close->code),
                         reinterpret_cast<unsigned char*>(reason.data()), reason.size());
        return -1;
      }
      auto next = connection->outgoing.pop(host::Loop::clock_us());
      if (!next) return 0;
      message = std::move(*next);
    }
    std::vector<unsigned char> space(LWS_PRE + message.bytes->size());
    std::ranges::copy(*message.bytes, space.begin() + LWS_PRE);
    if (lws_write(wsi, space.data() + LWS_PRE, message.bytes->size(),
                  message.text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY) < 0) {
      return -1;
    }
    if (lws_send_pipe_choked(wsi) != 0) break;
  }
  lws_callback_on_writable(wsi);
  return 0;
}

}  // namespace perigee::console
