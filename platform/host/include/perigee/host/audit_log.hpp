/// A log of the acts of operators, also of refused ones. The file is for its owner only, and each
/// line is a JSON object with caller, act, time and result:
///   {"unix_ms":1764410400123,"who":"operator alice (10.0.0.7:51022)","act":"KickSession",
///    "request":{...},"result":"PERMISSION_DENIED","message":"..."}
/// Acts that a caller has no right to are written down within a RefusalLimit, all others always.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "perigee/host/caller.hpp"
#include "perigee/host/refusal_limit.hpp"

namespace google::protobuf {
class Message;
}

namespace perigee::host {

class AuditLog {
 public:
  /// Of a request's JSON form. A longer one is cut, as text, and `request_bytes` is its length.
  static constexpr std::size_t request_bytes_max = 1'024;
  static constexpr std::size_t refused_request_bytes_max = 256;  ///< of an act without the right
  static constexpr std::size_t message_bytes_max = 512;          ///< likewise `message_bytes`

  /// `file` is opened for each line, so it may be moved away at any time.
  explicit AuditLog(std::filesystem::path file) : file_(std::move(file)) {}
  /// audit/PROCESS.jsonl below the state folder.
  static Result<std::unique_ptr<AuditLog>> open(const std::filesystem::path& state_dir,
                                                std::string_view process);

  struct Entry {
    std::int64_t unix_ms = 0;
    std::string who;
    std::string caller;          ///< the same in all its connections; empty: as `who`
    std::string act;             ///< the call's name: "KickSession"
    std::string request;         ///< JSON, or any text
    std::string result;          ///< the name of the call's gRPC status: "OK"
    std::string message;         ///< of the status
    bool refused = false;        ///< the caller has no right to the act
    std::uint64_t left_out = 0;  ///< refusals of this caller before this entry without an entry
  };
  /// Any thread. A file that cannot be written is reported in the log of the process. False: this
  /// caller is refused too often, and the entry is left out.
  bool add(Entry entry);

  /// A call of an operator: checks whether it is allowed, makes it, and writes down either.
  /// `peer`: of its call context.
  grpc::Status run(std::string_view peer, const CallRights& rights, std::string_view act,
                   const google::protobuf::Message& request,
                   const std::function<grpc::Status()>& call);
  /// For calls that end later: OK, or a refusal that has been written down. After OK, complete
  /// `begun` with note().
  grpc::Status admit(std::string_view peer, const CallRights& rights, const Entry& begun);
  /// The beginning of an entry.
  static Entry begun(std::string_view peer, std::string_view act,
                     const google::protobuf::Message& request);
  void note(Entry begun, const grpc::Status& status);

 private:
  const std::filesystem::path file_;
  std::mutex mutex_;
  bool failed_ = false;    // guarded by mutex_
  RefusalLimit refusals_;  // guarded by mutex_
};

/// Entries of all logs of this process that were left out.
std::uint64_t audit_left_out();

/// One line of the file, without its end.
std::string to_json(const AuditLog::Entry& entry);

}  // namespace perigee::host
