#include "perigee/host/audit_log.hpp"

#include <fcntl.h>
#include <google/protobuf/util/json_util.h>
#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <array>
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

bool append_line(const std::filesystem::path& file, const std::string& line) {
  const Descriptor opened(
      ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  return opened.open() &&
         write(opened.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

}  // namespace

std::string to_json(const AuditLog::Entry& entry) {
  std::string out = "{\"unix_ms\":" + std::to_string(entry.unix_ms);
  append_text(out, "who", entry.who);
  append_text(out, "act", entry.act);
  const bool whole =
      entry.request.starts_with('{') && entry.request.size() <= AuditLog::request_bytes_max;
  if (whole) {
    out += ",\"request\":" + entry.request;
  } else {
    append_text(out, "request",
                std::string_view(entry.request).substr(0, AuditLog::request_bytes_max));
  }
  append_text(out, "result", entry.result);
  if (!entry.message.empty()) append_text(out, "message", entry.message);
  return out + "}";
}

void AuditLog::add(const Entry& entry) {
  const std::string line = to_json(entry) + "\n";
  const std::lock_guard lock(mutex_);
  const bool written = append_line(file_, line);
  if (!written && !std::exchange(failed_, true)) {
    log_error("cannot write the audit log; what operators do is in this log alone",
              {{"file", file_.string()}});
  }
  failed_ = !written;
  log_info("operator's act",
           {{"who", entry.who},
            {"act", entry.act},
            {"request", std::string_view(entry.request).substr(0, request_bytes_max)},
            {"result", entry.result}});
}

AuditLog::Entry AuditLog::begun(std::string_view peer, std::string_view act,
                                const google::protobuf::Message& request) {
  const auto caller = caller_of(peer);
  Entry entry{.unix_ms = Loop::wall_us() / 1'000,
              .who = caller ? to_string(*caller) : "unknown",
              .act = std::string(act)};
  if (!google::protobuf::util::MessageToJsonString(request, &entry.request).ok()) {
    entry.request = "no JSON form";
  }
  return entry;
}

void AuditLog::note(Entry begun, const grpc::Status& status) {
  begun.result = status_names[static_cast<std::size_t>(status.error_code())];
  begun.message = status.error_message();
  add(begun);
}

grpc::Status AuditLog::run(std::string_view peer, const CallRights& rights, std::string_view act,
                           const google::protobuf::Message& request,
                           const std::function<grpc::Status()>& call) {
  Entry entry = begun(peer, act, request);
  grpc::Status status = may_call(peer, rights);
  if (status.ok()) status = call();
  note(std::move(entry), status);
  return status;
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
