/// Requests of pages to the services: those of DirectoryControl, SessionControl, Session.LogIn and
/// the recorders of workers in their JSON form.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <grpcpp/grpcpp.h>

#include "perigee/base/scopes.hpp"
#include "perigee/host/cluster_tls.hpp"
#include "recorders.hpp"
#include "web_server.hpp"

namespace perigee::console {

class Acts {
 public:
  struct Targets {
    std::string directory;  ///< "host:port,..."
    const host::ClusterTls* tls = nullptr;
    std::string session_control;
    std::shared_ptr<grpc::Channel> session;  ///< for log-ins
    std::string credential;                  ///< of players in the page
  };
  /// `recorders` outlives the acts.
  Acts(const Targets& targets, const Recorders& recorders);
  ~Acts();

  struct Kind {
    Scope needs;
    bool audited;
  };
  static constexpr Kind look{Scope::Read, false};  ///< changes nothing in the cluster
  /// A log-in with the credential of the development server.
  static constexpr Kind play{Scope::Players, false};
  static constexpr Kind of_players{Scope::Players, true};
  static constexpr Kind of_map{Scope::Map, true};
  /// None: there is no such act.
  std::optional<Kind> kind_of(std::string_view name) const;
  /// Calls the service; may take seconds. Any thread.
  WebAnswer run(std::string_view name, const std::string& body) const;
  /// The scope that each act needs, by its name.
  std::map<std::string, std::string> scopes() const;

 private:
  struct Act {
    Kind kind;
    std::function<WebAnswer(const std::string& body)> run;
  };
  template <class Stub>
  using Stubs = std::shared_ptr<const std::vector<std::shared_ptr<Stub>>>;
  /// `complete` adds to a page's request what the page does not know.
  template <class Stub, class Request, class Reply>
  void add(std::string name, Kind kind, Stubs<Stub> stubs,
           grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
           std::function<void(Request&)> complete = {});

  std::map<std::string, Act, std::less<>> acts_;
};

/// 200 with the reply in its JSON form.
WebAnswer json_answer(const google::protobuf::Message& reply);
/// {"error":{"code":..,"status":"..","message":".."}}
WebAnswer error_answer(int status, std::string_view code, std::string_view sentence);
/// Of a call that failed, with the HTTP status of its code.
WebAnswer error_answer(const grpc::Status& failed);

}  // namespace perigee::console
