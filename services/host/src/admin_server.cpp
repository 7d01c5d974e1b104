#include "perigee/host/admin_server.hpp"

#include <civetweb.h>

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "socket_address.hpp"

namespace perigee::host {

struct AdminServer::Impl {
  Impl(Loop& loop, Metrics& m, const Options& options)
      : listen(options.listen),
        metrics(m),
        config(options.config),
        beat(loop, [this] { beat_us = Loop::clock_us(); }) {
    beat.every(stall_us / 10);
  }
  ~Impl();

  HttpAnswer answer(const std::string& path);
  static int handle(mg_connection* connection, void* self);

  Address listen;
  Metrics& metrics;
  std::string config;
  Timer beat;
  std::atomic<Micros> beat_us{Loop::clock_us()};
  std::mutex mutex;
  std::string not_ready = "starting";                         // guarded by mutex
  std::map<std::string, std::function<HttpAnswer()>> served;  // guarded by mutex
  mg_context* context = nullptr;
};

AdminServer::Impl::~Impl() {
  if (context == nullptr) return;
  // civetweb's listener notices the stop only when its poll of 2 s returns: knock until it does.
  std::atomic<bool> stopped = false;
  std::thread knock([&] {
    const SocketAddress door = to_socket_address(listen);
    while (!stopped) {
      const int fd = socket(door.get()->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      (void)connect(fd, door.get(), door.size);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      close(fd);
    }
  });
  mg_stop(context);
  stopped = true;
  knock.join();
}

HttpAnswer AdminServer::Impl::answer(const std::string& path) {
  if (path == "/metrics") {
    return {200, "text/plain; version=0.0.4; charset=utf-8", metrics.scrape()};
  }
  if (path == "/live") {
    const bool alive = Loop::clock_us() - beat_us < stall_us;
    return {alive ? 200 : 503, HttpAnswer{}.content_type, alive ? "live\n" : "the loop stalls\n"};
  }
  if (path == "/config") return {200, "application/toml", config};
  std::function<HttpAnswer()> own;
  {
    const std::lock_guard lock(mutex);
    if (path == "/ready") {
      if (not_ready.empty()) return {200, HttpAnswer{}.content_type, "ready\n"};
      return {503, HttpAnswer{}.content_type, not_ready + "\n"};
    }
    const auto found = served.find(path);
    if (found == served.end()) {
      return {404, HttpAnswer{}.content_type, "try /metrics /live /ready /config\n"};
    }
    own = found->second;
  }
  return own();
}

int AdminServer::Impl::handle(mg_connection* connection, void* self) {
  const mg_request_info* request = mg_get_request_info(connection);
  HttpAnswer answer{405, HttpAnswer{}.content_type, "GET only\n"};
  const bool head = std::strcmp(request->request_method, "HEAD") == 0;
  if (head || std::strcmp(request->request_method, "GET") == 0) {
    answer = static_cast<Impl*>(self)->answer(request->local_uri);
  }
  mg_printf(connection,
            "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
            "Cache-Control: no-store\r\nConnection: close\r\n\r\n",
            answer.status, mg_get_response_code_text(connection, answer.status),
            answer.content_type.c_str(), answer.body.size());
  if (!head) mg_write(connection, answer.body.data(), answer.body.size());
  return answer.status;
}

namespace {

/// Debian's civetweb speaks no IPv6: loopback and "all addresses" are taken in IPv4 then.
Address reachable(const Address& listen) {
  constexpr unsigned ipv6_feature = 8;
  if (listen.family == Address::Family::IPv4 || mg_check_feature(ipv6_feature) != 0) return listen;
  Address loopback{Address::Family::IPv6, listen.port, {}};
  const Address all = loopback;
  loopback.ip[15] = 1;
  if (listen == loopback) return Address::v4(127, 0, 0, 1, listen.port);
  return listen == all ? Address::v4(0, 0, 0, 0, listen.port) : listen;
}

}  // namespace

Result<std::unique_ptr<AdminServer>> AdminServer::start(Loop& loop, Metrics& metrics,
                                                        const Options& options) {
  auto impl = std::make_unique<Impl>(loop, metrics, options);
  const std::string listen = to_string(reachable(options.listen));
  const char* settings[] = {"listening_ports",    listen.c_str(), "num_threads", "2",
                            "request_timeout_ms", "5000",         nullptr};
  mg_callbacks callbacks{};
  callbacks.log_message = [](const mg_connection*, const char*) { return 1; };  // we say it better
  mg_init_data init{&callbacks, impl.get(), settings};
  char text[256] = "";
  mg_error_data error{};
  error.text = text;
  error.text_buffer_size = sizeof text;
  impl->context = mg_start2(&init, &error);
  if (impl->context == nullptr) {
    return Error{"admin port " + listen +
                 " cannot be opened; another process may hold it: choose another --port-base, or " +
                 "see ss -ltnp 'sport = :" + std::to_string(options.listen.port) + "'"};
  }
  mg_set_request_handler(impl->context, "/", Impl::handle, impl.get());
  return std::unique_ptr<AdminServer>(new AdminServer(std::move(impl)));
}

AdminServer::AdminServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
AdminServer::~AdminServer() = default;

void AdminServer::set_not_ready(std::string why) {
  const std::lock_guard lock(impl_->mutex);
  impl_->not_ready = std::move(why);
}
void AdminServer::serve(std::string path, std::function<HttpAnswer()> answer) {
  const std::lock_guard lock(impl_->mutex);
  impl_->served[std::move(path)] = std::move(answer);
}

}  // namespace perigee::host
