/// The console: routes requests and sockets of pages to what answers them. Everything happens on
/// the loop's thread, except calls of other services.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "acts.hpp"
#include "calls.hpp"
#include "cluster_watch.hpp"
#include "live.hpp"
#include "perigee/host/cluster_tls.hpp"
#include "prometheus.hpp"
#include "recorders.hpp"
#include "relay.hpp"
#include "shown_acts.hpp"
#include "web_server.hpp"

namespace perigee::console {

struct ConsoleOptions {
  Address listen;
  AccessRules access;
  std::string directory;
  const host::ClusterTls* tls = nullptr;   ///< for calls, and outlives the console; null: none
  std::shared_ptr<grpc::Channel> session;  ///< for log-ins
  std::string session_control;             ///< the same for operators
  std::string credential;                  ///< of a development server's players
  std::string prometheus;                  ///< "http://host:port"; empty: none
  /// Gateways' public addresses are not reachable from here: the relay uses the IP of their fabric
  /// address and this port. 0: they are.
  std::uint16_t relay_port = 0;
  host::AuditLog* audit = nullptr;  ///< of operators' acts; outlives the console
};

class Console {
 public:
  /// `web` is open, and starts to serve here.
  Console(host::Loop& loop, const ConsoleOptions& options, std::unique_ptr<WebServer> web);
  ~Console();

  /// Ten times a second.
  void advance() { watch_->follow(live_.wanted()); }
  WebServer::Counts web_counts() const { return web_->counts(); }
  const Relay::Counts& relay_counts() const { return relay_.counts(); }
  std::size_t relayed() const { return relay_.sessions(); }

 private:
  WebServer::Handler handler();
  ClusterWatch::Events events();
  void on_request(WebId id, const WebRequest& request);
  void on_api(WebId id, const WebRequest& request, const Operator& by);
  void on_act(WebId id, const std::string& name, const std::string& body, const Operator& by);
  /// Answers the request with the result of a call that may take seconds.
  void answer_later(WebId id, std::function<WebAnswer()> call);
  void on_opened(WebId socket, const WebRequest& request);
  void on_message(WebId socket, const std::string& bytes, bool text);
  void on_closed(WebId socket);

  host::Loop& loop_;
  const ConsoleOptions options_;
  const Access access_;
  ShownActs shown_acts_;
  Recorders recorders_;
  const Acts acts_;
  const Prometheus prometheus_;
  std::unique_ptr<WebServer> web_;
  Live live_;
  Relay relay_;
  std::unique_ptr<Calls> calls_;
  std::unique_ptr<ClusterWatch> watch_;  // last: its threads use the others
};

}  // namespace perigee::console
