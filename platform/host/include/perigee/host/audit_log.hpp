/// A log of the acts of operators, also of refused ones. The file is for its owner only, and each
/// line is a JSON object with caller, act, time and result:
///   {"unix_ms":1764410400123,"who":"operator alice (10.0.0.7:51022)","act":"KickSession",
///    "request":{...},"result":"PERMISSION_DENIED","message":"..."}
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "perigee/host/caller.hpp"

namespace google::protobuf {
class Message;
}

namespace perigee::host {

class AuditLog {
 public:
  static constexpr std::size_t request_bytes_max =
      1'024;  ///< of its JSON form; longer: cut, as text

  /// `file` is opened for each line, so it may be moved away at any time.
  explicit AuditLog(std::filesystem::path file) : file_(std::move(file)) {}
  /// audit/PROCESS.jsonl below the state folder.
  static Result<std::unique_ptr<AuditLog>> open(const std::filesystem::path& state_dir,
                                                std::string_view process);

  struct Entry {
    std::int64_t unix_ms = 0;
    std::string who;
    std::string act;      ///< the call's name: "KickSession"
    std::string request;  ///< JSON, or any text
    std::string result;   ///< the name of the call's gRPC status: "OK"
    std::string message;  ///< of the status
  };
  /// Any thread. A file that cannot be written is reported in the log of the process.
  void add(const Entry& entry);

  /// A call of an operator: checks whether it is allowed, makes it, and writes down either.
  /// `peer`: of its call context.
  grpc::Status run(std::string_view peer, const CallRights& rights, std::string_view act,
                   const google::protobuf::Message& request,
                   const std::function<grpc::Status()>& call);
  /// The beginning of an entry, for calls that end later. Complete it with note().
  static Entry begun(std::string_view peer, std::string_view act,
                     const google::protobuf::Message& request);
  void note(Entry begun, const grpc::Status& status);

 private:
  const std::filesystem::path file_;
  std::mutex mutex_;
  bool failed_ = false;  // guarded by mutex_
};

/// One line of the file, without its end.
std::string to_json(const AuditLog::Entry& entry);

}  // namespace perigee::host
