#include "web_server.hpp"

#include <libwebsockets.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "perigee/host/log.hpp"
#include "perigee/host/loop.hpp"
#include "web_connection.hpp"

namespace perigee::console {
namespace {

constexpr std::size_t header_bytes_max = 8'192;
constexpr int messages_per_turn_max = 32;
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

std::string header(lws* wsi, lws_token_indexes token) {
  std::string out(static_cast<std::size_t>(lws_hdr_total_length(wsi, token)) + 1, '\0');
  const int copied = lws_hdr_copy(wsi, out.data(), static_cast<int>(out.size()), token);
  out.resize(copied > 0 ? static_cast<std::size_t>(copied) : 0);
  return out;
}

WebQuery query_of(lws* wsi) {
  WebQuery out;
  std::vector<char> part(header_bytes_max);
  for (int i = 0;; ++i) {
    const int copied = lws_hdr_copy_fragment(wsi, part.data(), static_cast<int>(part.size()),
                                             WSI_TOKEN_HTTP_URI_ARGS, i);
    if (copied < 0) return out;
    out.emplace_back(part.data(), static_cast<std::size_t>(copied));
  }
}

WebRequest request_of(lws* wsi) {
  constexpr std::string_view bearer = "Bearer ";
  WebRequest request;
  const bool post = lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0;
  request.method = post ? "POST" : "GET";
  request.path = header(wsi, post ? WSI_TOKEN_POST_URI : WSI_TOKEN_GET_URI);
  request.query = query_of(wsi);
  request.type = header(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE);
  request.caller = {.host = header(wsi, WSI_TOKEN_HOST),
                    .origin = header(wsi, WSI_TOKEN_ORIGIN),
                    .token = header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION)};
  std::string& token = request.caller.token;
  if (token.starts_with(bearer)) token.erase(0, bearer.size());
  return request;
}

void log_line(int level, const char* line) {
  std::string text(line);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  (level & LLL_ERR) != 0 ? host::log_error(text) : host::log_warning(text);
}

}  // namespace

std::string query_value(const WebQuery& query, std::string_view key) {
  for (const std::string& part : query) {
    if (part.size() > key.size() && part.starts_with(key) && part[key.size()] == '=') {
      return part.substr(key.size() + 1);
    }
  }
  return {};
}

struct WebServer::Impl {
  ~Impl();

  static int callback(lws* wsi, lws_callback_reasons reason, void* user, void* in, size_t bytes);
  int on(lws* wsi, lws_callback_reasons reason, WebId& id, std::string_view in);
  int on_http(lws* wsi, WebId& id);
  int on_body(WebId id, std::string_view part);
  void deliver_request(WebId id);
  int write_answer(lws* wsi, WebId& id);
  int on_message_part(lws* wsi, WebId id, std::string_view part);
  int write_messages(lws* wsi, WebId id);
  void on_woken();
  void on_closed(WebId& id);
  WebId add(lws* wsi, bool socket);
  /// Loop of the server's thread.
  void run() {
    while (!stopping) lws_service(context, 0);
  }
  void wake(WebId id) {
    ready.push_back(id);
    lws_cancel_service(context);
  }
  WebConnection* find(WebId id) {
    const auto found = connections.find(id);
    return found == connections.end() ? nullptr : &found->second;
  }

  Handler handler;  ///< set before the thread starts
  lws_context* context = nullptr;
  std::array<lws_protocols, 2> protocols{};
  std::atomic<bool> stopping{false};
  mutable std::mutex mutex;
  std::map<WebId, WebConnection> connections;  // guarded by mutex
  std::vector<WebId> ready;                    // guarded by mutex: have something to write
  WebId next_id = 1;                           // guarded by mutex
  Counts counts;                               // guarded by mutex
  std::thread thread;
};

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
    case LWS_CALLBACK_ESTABLISHED: {
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
      return 0;
    }
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
    Message message;
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
      auto next = connection->pop(host::Loop::clock_us());
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

void WebServer::Impl::on_woken() {
  const std::lock_guard lock(mutex);
  for (const WebId id : std::exchange(ready, {})) {
    WebConnection* connection = find(id);
    if (connection == nullptr) continue;
    if (connection->stuck) {
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
  static const lws_retry_bo_t liveness{.secs_since_valid_ping = 5, .secs_since_valid_hangup = 15};
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
  info.max_http_header_data = header_bytes_max;
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

bool WebServer::send(WebId socket, Message message) {
  const std::lock_guard lock(impl_->mutex);
  WebConnection* connection = impl_->find(socket);
  if (connection == nullptr || connection->close) return false;
  const bool fits = connection->push(host::Loop::clock_us(), std::move(message));
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
