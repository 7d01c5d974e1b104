#include "http_port.hpp"

#include <utility>

#include "log_in.hpp"
#include "perigee/host/process.hpp"

namespace perigee::session {

Result<std::unique_ptr<HttpPort>> HttpPort::open(const Options& options, SessionServer& server) {
  const auto private_enough = host::check_network("HTTP for log-ins", options.listen,
                                                  options.insecure || options.tls != nullptr);
  if (!private_enough) return private_enough.error();
  auto origins = Origins::parse(options.origins);
  if (!origins) return origins.error();
  if (is_loopback(options.listen)) origins->add_loopback();
  const std::string url =
      (options.tls == nullptr ? "http://" : "https://") + to_string(options.listen) + log_in_path;
  std::unique_ptr<HttpPort> port(new HttpPort(url, std::move(*origins), server));
  auto http = host::HttpServer::start({.name = "HTTP port for log-ins",
                                       .listen = options.listen,
                                       .limits = limits,
                                       .tls = options.tls,
                                       .answers_at_once = options.waiting_max},
                                      port->handler());
  if (!http) return http.error();
  port->server_ = std::move(*http);
  return port;
}

HttpPort::HttpPort(std::string url, Origins origins, SessionServer& server)
    : url_(std::move(url)),
      page_(std::move(origins), limits,
            {.log_in =
                 [&server](const Address& client, const v1::LogInRequest& request) {
                   return log_in(server, client, request);
                 },
             .schema_hash = [&server] { return server.schema_hash(); }}) {}

host::HttpServer::Handler HttpPort::handler() {
  return {.prompt = [this](const host::HttpRequest& head) { return page_.prompt(head); },
          .answer = [this](const host::HttpRequest& request,
                           const Address& client) { return page_.answer(request, client); },
          .refusal = [this](const host::HttpRequest& head,
                            host::HttpFault fault) { return page_.refusal(head, fault); },
          .dropped =
              [this](host::HttpDrop reason) {
                const std::lock_guard lock(mutex_);
                stats_.dropped.add(reason);
              },
          .answered = [this](int status) { count_answer(status); }};
}

void HttpPort::count_answer(int status) {
  const auto of_status = status < 400   ? StatusClass::Success
                         : status < 500 ? StatusClass::ClientError
                                        : StatusClass::ServerError;
  const std::lock_guard lock(mutex_);
  stats_.answers.add(of_status);
}

HttpPort::Stats HttpPort::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

}  // namespace perigee::session
