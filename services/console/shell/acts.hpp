/// What an operator can do from a page: requests of DirectoryControl and SessionControl in their
/// JSON form.
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

#include "web_server.hpp"

namespace perigee::console {

class Acts {
 public:
  struct Targets {
    std::string directory;  ///< "host:port,..."
    std::string session_control;
  };
  explicit Acts(const Targets& targets);
  ~Acts();

  enum class Kind : std::uint8_t { Look, Change, last = Change };
  /// None: there is no such act. Looking changes nothing in the cluster.
  std::optional<Kind> kind_of(std::string_view name) const;
  /// Calls the service; may take seconds. Any thread.
  WebAnswer run(std::string_view name, const std::string& body) const;
  std::vector<std::string> names() const;

 private:
  struct Act {
    Kind kind = Kind::Change;
    std::function<WebAnswer(const std::string& body)> run;
  };
  template <class Stub, class Request, class Reply>
  void add(std::string name, Kind kind,
           std::shared_ptr<const std::vector<std::shared_ptr<Stub>>> stubs,
           grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Reply*));

  std::map<std::string, Act, std::less<>> acts_;
};

/// {"error":{"code":..,"status":"..","message":".."}}
WebAnswer error_answer(int status, std::string_view code, std::string_view sentence);
/// Of a call that failed, with the HTTP status of its code.
WebAnswer error_answer(const grpc::Status& failed);

}  // namespace perigee::console
