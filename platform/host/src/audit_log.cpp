#include "perigee/host/audit_log.hpp"

#include <fcntl.h>
#include <google/protobuf/util/json_util.h>
#include <grpcpp/grpcpp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <utility>

#include "descriptor.hpp"
#include "escaped_text.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::host {
namespace {

constexpr std::array<std::string_view, 17> status_names = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

void append_text(std::string& out, std::string_view name, std::string_view text) {
  out += ",\"" + std::string(name) + "\":\"";
  append_escaped(out, text);
  out += '"';
}

/// As append_text(); of a longer text, the beginning and the length.
void append_beginning(std::string& out, std::string_view name, std::string_view text,
                      std::size_t bytes_max) {
  append_text(out, name, text.substr(0, bytes_max));
  if (text.size() <= bytes_max) return;
  out += ",\"" + std::string(name) + "_bytes\":" + std::to_string(text.size());
}

std::size_t request_bytes_max_of(const AuditLog::Entry& entry) {
  return entry.refused ? AuditLog::refused_request_bytes_max : AuditLog::request_bytes_max;
}

/// A full disk, or the end of the process, may have cut the last line.
bool ends_within_a_line(int file) {
  struct stat is{};
  char last = '\n';
  return fstat(file, &is) == 0 && is.st_size > 0 && pread(file, &last, 1, is.st_size - 1) == 1 &&
         last != '\n';
}

bool append_line(const std::filesystem::path& file, std::string line) {
  const Descriptor opened(
      ::open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!opened.open()) return false;
  if (ends_within_a_line(opened.get())) line.insert(line.begin(), '\n');
  return write(opened.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

/// Without the port, which a caller can change with every call.
std::string key_of(const Caller& caller) {
  if (!caller.proven) {
    Address host = caller.address;
    host.port = 0;
    return to_string(host);
  }
  return std::string(peer_role_names[static_cast<std::size_t>(caller.identity.role)]) + " " +
         caller.identity.name;
}

std::atomic<std::uint64_t> left_out_in_all{0};

}  // namespace

std::uint64_t audit_left_out() { return left_out_in_all; }

std::string to_json(const AuditLog::Entry& entry) {
  std::string out = "{\"unix_ms\":" + std::to_string(entry.unix_ms);
  append_text(out, "who", entry.who);
  append_text(out, "act", entry.act);
  const std::size_t bytes_max = request_bytes_max_of(entry);
  if (entry.request.starts_with('{') && entry.request.size() <= bytes_max) {
    out += ",\"request\":" + entry.request;
  } else {
    append_beginning(out, "request", entry.request, bytes_max);
  }
  append_text(out, "result", entry.result);
  if (!entry.message.empty()) {
    append_beginning(out, "message", entry.message, AuditLog::message_bytes_max);
  }
  if (entry.left_out > 0) out += ",\"left_out\":" + std::to_string(entry.left_out);
  return out + "}";
}

bool AuditLog::add(Entry entry) {
  const std::string& caller = entry.caller.empty() ? entry.who : entry.caller;
  const std::lock_guard lock(mutex_);
  const auto left_out = entry.refused ? refusals_.take(caller, Loop::clock_us())
                                      : std::optional(refusals_.take_left_out(caller));
  if (!left_out) {
    ++left_out_in_all;
    return false;
  }
  entry.left_out = *left_out;
  const bool written = append_line(file_, to_json(entry) + "\n");
  if (!written && !std::exchange(failed_, true)) {
    log_error("cannot write the audit log; what operators do is in this log alone",
              {{"file", file_.string()}});
  }
  failed_ = !written;
  log_info("operator's act",
           {{"who", entry.who},
            {"act", entry.act},
            {"request", std::string_view(entry.request).substr(0, request_bytes_max_of(entry))},
            {"result", entry.result}});
  return true;
}

AuditLog::Entry AuditLog::begun(std::string_view peer, std::string_view act,
                                const google::protobuf::Message& request) {
  const auto caller = caller_of(peer);
  Entry entry{.unix_ms = Loop::wall_us() / 1'000,
              .who = caller ? to_string(*caller) : "unknown",
              .caller = caller ? key_of(*caller) : std::string(),
              .act = std::string(act)};
  if (!google::protobuf::util::MessageToJsonString(request, &entry.request).ok()) {
    entry.request = "no JSON form";
  }
  return entry;
}

void AuditLog::note(Entry begun, const grpc::Status& status) {
  begun.result = status_names[static_cast<std::size_t>(status.error_code())];
  begun.message = status.error_message();
  add(std::move(begun));
}

grpc::Status AuditLog::run(std::string_view peer, const CallRights& rights, std::string_view act,
                           const google::protobuf::Message& request,
                           const std::function<grpc::Status()>& call) {
  Entry entry = begun(peer, act, request);
  grpc::Status status = admit(peer, rights, entry);
  if (!status.ok()) return status;
  status = call();
  note(std::move(entry), status);
  return status;
}

grpc::Status AuditLog::admit(std::string_view peer, const CallRights& rights, const Entry& begun) {
  grpc::Status may = may_call(peer, rights);
  if (!may.ok()) {
    Entry refused = begun;
    refused.refused = true;
    note(std::move(refused), may);
  }
  return may;
}

Result<std::unique_ptr<AuditLog>> AuditLog::open(const std::filesystem::path& state_dir,
                                                 std::string_view process) {
  const std::filesystem::path folder = state_dir / "audit";
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    return Error{folder.string() + " cannot be created (" + failed.message() +
                 "); check owner and mode of --state-dir"};
  }
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failed);
  return std::make_unique<AuditLog>(folder / (std::string(process) + ".jsonl"));
}

}  // namespace perigee::host
