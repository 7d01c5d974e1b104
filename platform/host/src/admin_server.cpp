#include "perigee/host/admin_server.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "perigee/host/http_server.hpp"

namespace perigee::host {

struct AdminServer::Impl {
  Impl(Loop& loop, Metrics& m, const Options& options)
      : metrics(m), config(options.config), beat(loop, [this] { beat_us = Loop::clock_us(); }) {
    beat.every(stall_us / 10);
  }
  std::optional<HttpAnswer> prompt(const HttpRequest& head);
  std::optional<HttpAnswer> condition(const std::string& path);
  HttpAnswer answer(const std::string& path);

  Metrics& metrics;
  std::string config;
  Timer beat;
  std::atomic<Micros> beat_us{Loop::clock_us()};
  std::mutex mutex;
  std::map<std::string, std::string> unmet{{"/ready", "starting"}};  // guarded by mutex
  std::map<std::string, std::function<HttpAnswer()>> served;         // guarded by mutex
  std::unique_ptr<HttpServer> server;                                // last: it calls answer()
};

/// The answer of a condition's path.
std::optional<HttpAnswer> AdminServer::Impl::condition(const std::string& path) {
  const std::lock_guard lock(mutex);
  const auto found = unmet.find(path);
  if (found == unmet.end()) return std::nullopt;
  if (found->second.empty()) return plain_answer(200, path.substr(1) + "\n");
  return plain_answer(503, found->second + "\n");
}

/// Does not wait for a scrape or for a page of the process.
std::optional<HttpAnswer> AdminServer::Impl::prompt(const HttpRequest& head) {
  if (head.method != "GET" && head.method != "HEAD") {
    HttpAnswer refused = plain_answer(405, "GET only\n");
    refused.fields.push_back({"Allow", "GET, HEAD"});
    return refused;
  }
  if (head.path == "/live") return answer(head.path);
  return condition(head.path);
}

HttpAnswer AdminServer::Impl::answer(const std::string& path) {
  if (path == "/metrics") {
    return {200, "text/plain; version=0.0.4; charset=utf-8", metrics.scrape()};
  }
  if (path == "/live") {
    const bool alive = Loop::clock_us() - beat_us < stall_us;
    return plain_answer(alive ? 200 : 503, alive ? "live\n" : "the event loop stalls\n");
  }
  if (path == "/config") return {200, "application/toml", config};
  std::function<HttpAnswer()> own;
  {
    const std::lock_guard lock(mutex);
    const auto found = served.find(path);
    if (found == served.end()) {
      return plain_answer(404, "try /metrics /live /ready /config\n");
    }
    own = found->second;
  }
  return own();
}

Result<std::unique_ptr<AdminServer>> AdminServer::start(Loop& loop, Metrics& metrics,
                                                        const Options& options) {
  auto impl = std::make_unique<Impl>(loop, metrics, options);
  Impl& self = *impl;
  const HttpLimits limits;
  auto server = HttpServer::start(
      {.name = "admin port", .listen = options.listen, .limits = limits},
      {.prompt = [&self](const HttpRequest& head) { return self.prompt(head); },
       .answer = [&self](const HttpRequest& request,
                         const Address&) { return self.answer(request.path); },
       .refusal =
           [limits](const HttpRequest&, HttpFault fault) {
             return plain_answer(status_of(fault), sentence_of(fault, limits) + "\n");
           },
       .dropped = [&metrics](HttpDrop reason) { metrics.count_admin_drop(reason); },
       .answered = [](int) {}});
  if (!server) return server.error();
  self.server = std::move(*server);
  return std::unique_ptr<AdminServer>(new AdminServer(std::move(impl)));
}

AdminServer::AdminServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
AdminServer::~AdminServer() = default;

void AdminServer::set_not_ready(std::string why) { set_unmet("/ready", std::move(why)); }
void AdminServer::set_unmet(const std::string& path, std::string why) {
  const std::lock_guard lock(impl_->mutex);
  impl_->unmet[path] = std::move(why);
}
void AdminServer::serve(std::string path, std::function<HttpAnswer()> answer) {
  const std::lock_guard lock(impl_->mutex);
  impl_->served[std::move(path)] = std::move(answer);
}

}  // namespace perigee::host
