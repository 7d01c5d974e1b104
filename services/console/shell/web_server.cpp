#include "web_server.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include "perigee/host/log.hpp"
#include "perigee/host/loop.hpp"
#include "web_request.hpp"
#include "web_server_impl.hpp"

namespace perigee::console {
namespace {

constexpr unsigned header_s_max = 5;

const lws_protocol_vhost_options* common_headers() {
  static const lws_protocol_vhost_options policy{
      nullptr, nullptr, "content-security-policy:",
      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
      "img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; "
      "form-action 'none'; frame-ancestors 'none'"};
  static const lws_protocol_vhost_options sniff{&policy, nullptr,
                                                "x-content-type-options:", "nosniff"};
  static const lws_protocol_vhost_options referrer{&sniff, nullptr,
                                                   "referrer-policy:", "no-referrer"};
  static const lws_protocol_vhost_options opener{&referrer, nullptr,
                                                 "cross-origin-opener-policy:", "same-origin"};
  static const lws_protocol_vhost_options cache{&opener, nullptr, "cache-control:", "no-cache"};
  return &cache;
}

void log_line(int level, const char* line) {
  std::string text(line);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  (level & LLL_ERR) != 0 ? host::log_error(text) : host::log_warning(text);
}

}  // namespace

WebServer::Impl::~Impl() {
  if (thread.joinable()) {
    stopping = true;
    lws_cancel_service(context);
    thread.join();
  }
  if (context != nullptr) lws_context_destroy(context);
}

WebId WebServer::Impl::add(lws* wsi, bool socket) {
  const std::lock_guard lock(mutex);
  const WebId id = next_id++;
  WebConnection& connection = connections[id];
  connection.wsi = wsi;
  connection.socket = socket;
  connection.request = request_of(wsi);
  if (socket) {
    ++counts.sockets;
  } else {
    ++counts.requests;
  }
  return id;
}

int WebServer::Impl::callback(lws* wsi, lws_callback_reasons reason, void* user, void* in,
                              size_t bytes) {
  auto* self = static_cast<Impl*>(lws_context_user(lws_get_context(wsi)));
  if (self == nullptr) return 0;
  WebId none = 0;
  WebId& id = user == nullptr ? none : *static_cast<WebId*>(user);
  const std::string_view text(static_cast<const char*>(in), in == nullptr ? 0 : bytes);
  return self->on(wsi, reason, id, text);
}

int WebServer::Impl::on(lws* wsi, lws_callback_reasons reason, WebId& id, std::string_view in) {
  switch (reason) {
    case LWS_CALLBACK_HTTP:
      return on_http(wsi, id);
    case LWS_CALLBACK_HTTP_BODY:
      return on_body(id, in);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
      deliver_request(id);
      return 0;
    case LWS_CALLBACK_HTTP_WRITEABLE:
      return write_answer(wsi, id);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
      id = add(wsi, true);
      return 0;
    case LWS_CALLBACK_ESTABLISHED:
      on_opened(wsi, id);
      return 0;
    case LWS_CALLBACK_RECEIVE:
      return on_message_part(wsi, id, in);
    case LWS_CALLBACK_SERVER_WRITEABLE:
      return write_messages(wsi, id);
    case LWS_CALLBACK_CLOSED:
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_WSI_DESTROY:
      on_closed(id);
      return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
      on_woken();
      return 0;
    default:
      return 0;
  }
}

void WebServer::Impl::on_woken() {
  const std::lock_guard lock(mutex);
  for (const WebId id : std::exchange(ready, {})) {
    WebConnection* connection = find(id);
    if (connection == nullptr) continue;
    if (connection->outgoing.stuck(host::Loop::clock_us())) {
      ++counts.stuck;
      lws_set_timeout(connection->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
      continue;
    }
    lws_callback_on_writable(connection->wsi);
  }
}

void WebServer::Impl::on_closed(WebId& id) {
  const WebId gone = std::exchange(id, 0);
  bool socket = false;
  {
    const std::lock_guard lock(mutex);
    WebConnection* connection = find(gone);
    if (connection == nullptr) return;
    socket = connection->socket;
    if (socket) --counts.sockets;
    connections.erase(gone);
  }
  if (socket) handler.closed(gone);
}

Result<std::unique_ptr<WebServer>> WebServer::open(const Address& listen) {
  lws_set_log_level(LLL_ERR | LLL_WARN, log_line);
  auto impl = std::make_unique<Impl>();
  impl->protocols[0] = {"perigee", Impl::callback, sizeof(WebId), message_bytes_max, 0, nullptr, 0};
  static const lws_retry_bo_t liveness{.secs_since_valid_ping = 10, .secs_since_valid_hangup = 30};
  std::string ip = to_string(listen);
  ip.resize(ip.rfind(':'));
  std::erase_if(ip, [](char c) { return c == '[' || c == ']'; });
  lws_context_creation_info info{};
  info.port = listen.port;
  info.iface = ip.c_str();
  info.protocols = impl->protocols.data();
  info.user = impl.get();
  info.headers = common_headers();
  info.retry_and_idle_policy = &liveness;
  info.timeout_secs = header_s_max;
  info.keepalive_timeout = 10;
  info.fd_limit_per_thread = connections_max + 16;
  info.max_http_header_pool = connections_max;
  info.max_http_header_data = web_header_bytes_max;
  info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_VALIDATE_UTF8 |
                 LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND;
  if (listen.family == Address::Family::IPv4) info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
  impl->context = lws_create_context(&info);
  if (impl->context == nullptr) return Error{"the web server cannot start: no memory or sockets"};
  errno = 0;
  if (lws_create_vhost(impl->context, &info) == nullptr) {
    return Error{"cannot listen on " + to_string(listen) +
                 " for the console: " + (errno != 0 ? std::strerror(errno) : "address in use") +
                 ". Choose another --port-base or console.port, or stop the other process"};
  }
  return std::unique_ptr<WebServer>(new WebServer(std::move(impl)));
}

void WebServer::start(Handler handler) {
  impl_->handler = std::move(handler);
  impl_->thread = std::thread([self = impl_.get()] { self->run(); });
}

WebServer::WebServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
WebServer::~WebServer() = default;

void WebServer::answer(WebId request, WebAnswer answer) {
  const std::lock_guard lock(impl_->mutex);
  WebConnection* connection = impl_->find(request);
  if (connection == nullptr || connection->answer) return;
  connection->answer = std::move(answer);
  impl_->wake(request);
}

bool WebServer::send(WebId socket, OutgoingMessage message) {
  const std::lock_guard lock(impl_->mutex);
  WebConnection* connection = impl_->find(socket);
  if (connection == nullptr || connection->close) return false;
  const bool fits = connection->outgoing.push(host::Loop::clock_us(), std::move(message));
  if (!fits) ++impl_->counts.dropped;
  impl_->wake(socket);
  return fits;
}

void WebServer::close(WebId socket, std::uint16_t code, std::string reason) {
  const std::lock_guard lock(impl_->mutex);
  WebConnection* connection = impl_->find(socket);
  if (connection == nullptr || connection->close) return;
  if (reason.size() > 120) reason.resize(120);
  connection->close = {code, std::move(reason)};
  impl_->wake(socket);
}

WebServer::Counts WebServer::counts() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->counts;
}

}  // namespace perigee::console
