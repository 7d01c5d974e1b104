// Requests over HTTP.
#include <algorithm>
#include <array>
#include <utility>

#include "web_server_impl.hpp"

namespace perigee::console {
namespace {

/// RFC 9110, 15.5.2: an answer 401 names the way to authenticate.
bool add_challenge(lws* wsi, int status, unsigned char** at, unsigned char* end) {
  constexpr std::string_view way = "Bearer";
  return status != 401 ||
         lws_add_http_header_by_token(wsi, WSI_TOKEN_HTTP_WWW_AUTHENTICATE,
                                      reinterpret_cast<const unsigned char*>(way.data()),
                                      static_cast<int>(way.size()), at, end) == 0;
}

}  // namespace

int WebServer::Impl::on_http(lws* wsi, WebId& id) {
  id = add(wsi, false);
  lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, 30);
  bool post = false;
  {
    const std::lock_guard lock(mutex);
    post = find(id)->request.method == "POST";
  }
  if (!post) deliver_request(id);
  return 0;
}

int WebServer::Impl::on_body(WebId id, std::string_view part) {
  const std::lock_guard lock(mutex);
  WebConnection* connection = find(id);
  if (connection == nullptr) return -1;
  if (connection->request.body.size() + part.size() > body_bytes_max) {
    ++counts.malformed;
    return -1;
  }
  connection->request.body += part;
  return 0;
}

void WebServer::Impl::deliver_request(WebId id) {
  WebRequest request;
  {
    const std::lock_guard lock(mutex);
    WebConnection* connection = find(id);
    if (connection == nullptr) return;
    request = std::move(connection->request);
  }
  handler.request(id, std::move(request));
}

// The headers first; the body when the connection can be written to again.
int WebServer::Impl::write_answer(lws* wsi, WebId& id) {
  std::unique_lock lock(mutex);
  WebConnection* connection = find(id);
  if (connection == nullptr || !connection->answer) return 0;
  const WebAnswer& answer = *connection->answer;
  if (!connection->headers_sent) {
    std::array<unsigned char, LWS_PRE + 2'048> space;
    unsigned char* const start = space.data() + LWS_PRE;
    unsigned char* at = start;
    unsigned char* const end = space.data() + space.size() - 1;
    if (lws_add_http_common_headers(wsi, static_cast<unsigned>(answer.status), answer.type.c_str(),
                                    answer.body.size(), &at, end) != 0 ||
        !add_challenge(wsi, answer.status, &at, end) ||
        lws_finalize_write_http_header(wsi, start, &at, end) != 0) {
      return -1;
    }
    connection->headers_sent = true;
    lws_callback_on_writable(wsi);
    return 0;
  }
  std::vector<unsigned char> body(LWS_PRE + answer.body.size());
  std::ranges::copy(answer.body, body.begin() + LWS_PRE);
  connections.erase(std::exchange(id, 0));
  lock.unlock();
  const int written =
      lws_write(wsi, body.data() + LWS_PRE, body.size() - LWS_PRE, LWS_WRITE_HTTP_FINAL);
  if (written < 0) return -1;
  return lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

}  // namespace perigee::console
