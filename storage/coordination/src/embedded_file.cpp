#include "embedded_file.hpp"

#include <google/protobuf/text_format.h>

#include <string_view>

#include "coordination_state.pb.h"
#include "perigee/host/durable_file.hpp"
#include "perigee/host/read_file.hpp"
#include "perigee/host/sealed_text.hpp"

namespace perigee::coordination {
namespace {

constexpr std::string_view heading = "perigee coordination state 1 ";

/// Files of before 0.1.0 have another name for the first field.
constexpr std::string_view former_id_name = "incarnation:", id_name = "store_id:";

std::string with_present_names(std::string_view body) {
  if (!body.starts_with(former_id_name)) return std::string(body);
  return std::string(id_name) + std::string(body.substr(former_id_name.size()));
}

Result<EmbeddedState> parse(std::string_view text) {
  const auto body = host::unseal_text(heading, text);
  if (!body) return body.error();
  v1::State message;
  google::protobuf::TextFormat::Parser parser;
  parser.AllowUnknownField(true);  // fields of a later release: a downgrade must work
  if (!parser.ParseFromString(with_present_names(*body), &message))
    return Error{"it cannot be read"};
  EmbeddedState state{message.store_id(), message.revision(), {}};
  for (const v1::Entry& entry : message.entries()) {
    state.entries[entry.key()] = {entry.key(), entry.value(), entry.revision()};
  }
  if (state.revision == 0) return Error{"it has no revision"};
  return state;
}

}  // namespace

Result<EmbeddedState> read_state(const std::filesystem::path& path) {
  const auto text = host::read_if_present(path);
  if (!text) return text.error();
  if (!*text) return EmbeddedState{};
  auto state = parse(**text);
  if (state) return state;
  return Error{path.string() + ": " + state.error().message +
               ". Restore a matching copy, or begin a new world with --new-world: all workers then "
               "start empty, the old file is kept as coordination.state.old"};
}

Result<Ok> write_state(const std::filesystem::path& path, const EmbeddedState& state) {
  v1::State message;
  message.set_store_id(state.store_id);
  message.set_revision(state.revision);
  for (const auto& [key, entry] : state.entries) {
    v1::Entry& out = *message.add_entries();
    out.set_key(key);
    out.set_value(entry.value);
    out.set_revision(entry.revision);
  }
  std::string text;
  google::protobuf::TextFormat::PrintToString(message, &text);
  return host::write_durably(path, host::seal_text(heading, text));
}

}  // namespace perigee::coordination
