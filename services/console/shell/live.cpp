#include "live.hpp"

#include <google/protobuf/util/json_util.h>

#include <array>
#include <cstring>
#include <utility>

#include "perigee/base/assert.hpp"

namespace perigee::console {
namespace {

enum Kind : std::uint32_t {
  map_kind = 1,
  kinds_kind = 2,
  status_kind = 1'000,
  entities_kind = 2'000,
  players_kind = 3'000
};

constexpr std::array<std::pair<std::string_view, ClusterWatch::Wanted>, 4> requests{
    {{R"({"watch":"entities"})", {.entities = true}},
     {R"({"watch":"players"})", {.players = true}},
     {R"({"watch":"all"})", {.entities = true, .players = true}},
     {R"({"watch":"nothing"})", {}}}};

std::string json(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  std::string out;
  const auto printed = google::protobuf::util::MessageToJsonString(message, &out, options);
  PERIGEE_ASSERT(printed.ok(), "a message of ours has a JSON form");
  return out;
}

}  // namespace

void Live::open(WebId socket) {
  const std::lock_guard lock(mutex_);
  pages_[socket] = {};
  for (const auto& [kind, text] : newest_) {
    web_.send(socket, {.bytes = text, .text = true, .kind = kind});
  }
}

bool Live::has(WebId socket) const {
  const std::lock_guard lock(mutex_);
  return pages_.contains(socket);
}

void Live::close(WebId socket) {
  const std::lock_guard lock(mutex_);
  pages_.erase(socket);
}

void Live::on_message(WebId socket, std::string_view text) {
  const std::lock_guard lock(mutex_);
  const auto page = pages_.find(socket);
  if (page == pages_.end()) return;
  for (const auto& [request, wanted] : requests) {
    if (text == request) {
      page->second = wanted;
      return;
    }
  }
  web_.close(socket, 1008, R"(write {"watch":"entities"}, players, all or nothing)");
}

void Live::send_to_all(std::uint32_t kind, std::string text) {
  const std::lock_guard lock(mutex_);
  const Text& shared = newest_[kind] = std::make_shared<const std::string>(std::move(text));
  for (const auto& [page, wanted] : pages_)
    web_.send(page, {.bytes = shared, .text = true, .kind = kind});
}

void Live::show(const directory::v1::ClusterMap& map) {
  send_to_all(map_kind, "{\"map\":" + json(map) + "}");
}

void Live::show_unreachable(const std::string& why) {
  directory::v1::RefusedMember quoted;  // its JSON form has the sentence with escapes
  quoted.set_why(why);
  send_to_all(map_kind, "{\"unreachable\":" + json(quoted) + "}");
}

void Live::show(std::uint32_t slot, const sim::v1::StatusReply& status) {
  send_to_all(status_kind + slot,
              "{\"slot\":" + std::to_string(slot) + ",\"status\":" + json(status) + "}");
}

void Live::show(std::uint32_t slot, const sim::v1::Observation& observation) {
  std::string bytes(8, '\0');
  bytes[0] = 1;
  bytes[1] = static_cast<char>(slot);
  const std::uint32_t tick = observation.tick();
  std::memcpy(bytes.data() + 4, &tick, sizeof tick);
  bytes += observation.entities();
  bool new_kinds = false;
  {
    const std::lock_guard lock(mutex_);
    const auto shared = std::make_shared<const std::string>(std::move(bytes));
    for (const auto& [page, wanted] : pages_) {
      if (wanted.entities) web_.send(page, {.bytes = shared, .kind = entities_kind + slot});
    }
    new_kinds = !newest_.contains(kinds_kind);
  }
  if (!new_kinds) return;
  sim::v1::Observation kinds;
  *kinds.mutable_kinds() = observation.kinds();
  send_to_all(kinds_kind, json(kinds));
}

void Live::show(std::uint32_t gateway_slot, const gateway::v1::PlayersReport& report) {
  const auto shared = std::make_shared<const std::string>(
      "{\"gateway\":" + std::to_string(gateway_slot) + ",\"report\":" + json(report) + "}");
  const std::lock_guard lock(mutex_);
  for (const auto& [page, wanted] : pages_) {
    if (!wanted.players) continue;
    web_.send(page, {.bytes = shared, .text = true, .kind = players_kind + gateway_slot});
  }
}

ClusterWatch::Wanted Live::wanted() const {
  const std::lock_guard lock(mutex_);
  ClusterWatch::Wanted all;
  for (const auto& [page, wanted] : pages_) {
    all.entities |= wanted.entities;
    all.players |= wanted.players;
  }
  return all;
}

std::size_t Live::pages() const {
  const std::lock_guard lock(mutex_);
  return pages_.size();
}

}  // namespace perigee::console
