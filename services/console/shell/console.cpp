#include "console.hpp"

#include <nlohmann/json.hpp>

#include "pages.hpp"
#include "perigee/host/build.hpp"

namespace perigee::console {
namespace {

constexpr std::string_view act_path = "/api/act/";
constexpr std::string_view prometheus_path = "/api/prometheus/";

int status_of(Denial reason) {
  return reason == Denial::NoToken || reason == Denial::WrongToken ? 401 : 403;
}

/// A socket's token comes in its query, because browsers set no headers of sockets.
Caller caller_of(const WebRequest& request) {
  Caller caller = request.caller;
  if (caller.token.empty()) caller.token = query_value(request.query, "token");
  return caller;
}

std::vector<Relay::Gateway> gateways_of(const directory::v1::ClusterMap& map,
                                        std::uint16_t relay_port) {
  std::vector<Relay::Gateway> out;
  for (const auto& gateway : map.gateways()) {
    const auto named = parse_address(gateway.public_udp_address());
    const auto fabric = parse_address(gateway.fabric_address());
    if (!gateway.alive() || !named || !fabric) continue;
    Address reach = relay_port == 0 ? *named : *fabric;
    if (relay_port != 0) reach.port = relay_port;
    out.push_back({.named = *named, .reach = reach});
  }
  return out;
}

std::vector<std::string> workers_of(const directory::v1::ClusterMap& map) {
  std::vector<std::string> out;
  for (const auto& worker : map.workers()) {
    if (worker.alive()) out.push_back(worker.grpc_address());
  }
  return out;
}

std::string missing(const Operator& by, Scope scope) {
  if (by.name.empty()) {
    return "this needs the console's token: open the address that perigee-console prints";
  }
  return by.name + " has the scope " + scope_list(by.scopes) + "; this needs " +
         std::string(scope_names[static_cast<std::size_t>(scope)]);
}

}  // namespace

Console::Console(host::Loop& loop, const ConsoleOptions& options, std::unique_ptr<WebServer> web)
    : loop_(loop),
      options_(options),
      access_(options.access),
      recorders_(options.tls),
      acts_({.directory = options.directory,
             .tls = options.tls,
             .session_control = options.session_control,
             .session = options.session,
             .credential = options.credential},
            recorders_),
      prometheus_(options.prometheus),
      web_(std::move(web)),
      live_(*web_),
      relay_(loop, *web_),
      calls_(std::make_unique<Calls>()),
      watch_(std::make_unique<ClusterWatch>(options.directory, options.tls, events())) {
  web_->start(handler());
}

// Threads that use members end first.
Console::~Console() {
  watch_.reset();
  calls_.reset();
  web_.reset();
}

WebServer::Handler Console::handler() {
  return {
      .request =
          [this](WebId id, WebRequest request) {
            loop_.post([this, id, request = std::move(request)] { on_request(id, request); });
          },
      .opened =
          [this](WebId id, WebRequest request) {
            loop_.post([this, id, request = std::move(request)] { on_opened(id, request); });
          },
      .message =
          [this](WebId id, std::string bytes, bool text) {
            loop_.post([this, id, bytes = std::move(bytes), text] { on_message(id, bytes, text); });
          },
      .closed = [this](WebId id) { loop_.post([this, id] { on_closed(id); }); }};
}

ClusterWatch::Events Console::events() {
  return {.map =
              [this](const directory::v1::ClusterMap& map) {
                live_.show(map);
                recorders_.set_workers(workers_of(map));
                loop_.post([this, gateways = gateways_of(map, options_.relay_port)] {
                  relay_.set_gateways(gateways);
                });
              },
          .unreachable = [this](const std::string& why) { live_.show_unreachable(why); },
          .status = [this](std::uint32_t slot, const auto& status) { live_.show(slot, status); },
          .observation = [this](std::uint32_t slot,
                                const auto& observation) { live_.show(slot, observation); },
          .players = [this](std::uint32_t slot, const auto& report) { live_.show(slot, report); }};
}

void Console::on_request(WebId id, const WebRequest& request) {
  // Pages have no secrets, and the browser asks for them before it knows the token.
  if (const Page* page = request.method == "GET" ? find_page(request.path) : nullptr) {
    return web_->answer(id, {.type = std::string(page->type), .body = std::string(page->content)});
  }
  const auto right = access_.rights_of(request.caller);
  if (const auto* denied = std::get_if<Denied>(&right)) {
    const int status = status_of(denied->reason);
    return web_->answer(
        id, error_answer(status, status == 401 ? "UNAUTHENTICATED" : "PERMISSION_DENIED",
                         denied->sentence));
  }
  on_api(id, request, std::get<Operator>(right));
}

void Console::on_api(WebId id, const WebRequest& request, const Operator& by) {
  if (request.method == "GET" && request.path == "/api/hello") {
    const bool acts = by.scopes.has(Scope::Players) || by.scopes.has(Scope::Map);
    const nlohmann::json hello{{"build", host::build_name()},
                               {"mayAct", acts},
                               {"operator", by.name},
                               {"scopes", scope_list(by.scopes)},
                               {"acts", acts_.scopes()}};
    return web_->answer(id, {.body = hello.dump()});
  }
  if (request.method == "GET" && request.path == "/api/audit") {
    return web_->answer(id, {.body = shown_acts_.json()});
  }
  if (request.method == "GET" && request.path == "/api/recording") {
    return answer_later(id, [this, query = request.query] { return recorders_.fetch(query); });
  }
  if (request.method == "GET" && request.path.starts_with(prometheus_path)) {
    const std::string function = request.path.substr(prometheus_path.size());
    if (function == "query" || function == "query_range") {
      return answer_later(
          id, [this, function, query = request.query] { return prometheus_.ask(function, query); });
    }
  }
  if (request.method == "POST" && request.path.starts_with(act_path)) {
    return on_act(id, request.path.substr(act_path.size()), request.body, by);
  }
  if (request.method == "POST" && request.path == "/v1/log_in") {
    return on_act(id, "log_in", request.body, by);
  }
  web_->answer(id, error_answer(404, "NOT_FOUND", "there is no " + request.path));
}

void Console::on_act(WebId id, const std::string& name, const std::string& body,
                     const Operator& by) {
  const auto kind = acts_.kind_of(name);
  if (!kind) return web_->answer(id, error_answer(404, "NOT_FOUND", "there is no act " + name));
  const auto note = [this, who = by.name, name, body, audited = kind->audited](
                        const WebAnswer& answer, bool refused) {
    if (!audited) return;
    auto entry = audit_entry(who, name, body, answer);
    entry.refused = refused;
    if (options_.audit->add(entry)) shown_acts_.add(entry);
  };
  if (!by.scopes.has(kind->needs)) {
    const auto refusal = error_answer(403, "PERMISSION_DENIED", missing(by, kind->needs));
    note(refusal, true);
    return web_->answer(id, refusal);
  }
  answer_later(id, [this, name, body, note] {
    const WebAnswer answer = acts_.run(name, body);
    note(answer, false);
    return answer;
  });
}

void Console::answer_later(WebId id, std::function<WebAnswer()> call) {
  const bool runs = calls_->run([this, id, call = std::move(call)] { web_->answer(id, call()); });
  if (runs) return;
  web_->answer(id, error_answer(503, "UNAVAILABLE", "too many requests wait; try again"));
}

void Console::on_opened(WebId socket, const WebRequest& request) {
  const auto right = access_.rights_of(caller_of(request));
  if (const auto* denied = std::get_if<Denied>(&right)) {
    return web_->close(socket, 1008, denied->sentence);
  }
  if (request.path == "/live") return live_.open(socket);
  if (request.path == "/relay") return relay_.open(socket, request.query);
  web_->close(socket, 1008, "there is no socket " + request.path + "; there are /live and /relay");
}

void Console::on_message(WebId socket, const std::string& bytes, bool text) {
  if (live_.has(socket)) return live_.on_message(socket, bytes);
  relay_.on_message(socket, std::as_bytes(std::span(bytes)), text);
}

void Console::on_closed(WebId socket) {
  live_.close(socket);
  relay_.close(socket);
}

}  // namespace perigee::console
