#include "perigee/accounts/webhook.hpp"

#include <charconv>
#include <optional>
#include <utility>

#include "json_object.hpp"
#include "perigee/base/shown_text.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::accounts {
namespace {

using nlohmann::json;

constexpr long status_ok = 200;
constexpr long status_unauthorized = 401;
constexpr long status_forbidden = 403;
constexpr std::uint64_t retry_s = 5;

bool says_json(std::string_view content_type) {
  return content_type.substr(0, content_type.find(';')) == "application/json";
}

/// A number, or a string of one: JSON's numbers lose the last digits in some languages.
std::optional<std::uint64_t> id_in(const json& object) {
  const auto member = object.find("player_id");
  if (member == object.end()) return std::nullopt;
  if (member->is_number_unsigned()) return member->get<std::uint64_t>();
  const auto* text = member->get_ptr<const std::string*>();
  if (text == nullptr) return std::nullopt;
  std::uint64_t id = 0;
  const char* end = text->data() + text->size();
  const auto read = std::from_chars(text->data(), end, id);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return id;
}

/// None: not as the contract says.
std::optional<session::Identity> identity_of(const WebhookReply& reply,
                                             const session::Credentials& credentials) {
  const auto object = says_json(reply.content_type) ? read_object(reply.body) : std::nullopt;
  if (!object) return std::nullopt;
  session::Identity identity{.player_id = id_in(*object).value_or(0),
                             .player_name = std::string(credentials.player_name),
                             .proven = true};
  if (identity.player_id == 0) return std::nullopt;
  if (object->contains("name")) {
    const std::string* name = text_in(*object, "name");
    if (name == nullptr) return std::nullopt;
    identity.player_name = *name;
  }
  const auto claims = object->find("claims");
  if (claims == object->end()) return identity;
  if (!claims->is_object()) return std::nullopt;
  if (!claims->empty()) identity.claims = text_of(*claims);
  if (identity.claims.size() > transport::player_claims_bytes_max) return std::nullopt;
  return identity;
}

/// The studio's sentence, if it gives one that can be shown.
std::string reason_in(const WebhookReply& reply) {
  const auto object = says_json(reply.content_type) ? read_object(reply.body) : std::nullopt;
  const std::string* reason = object ? text_in(*object, "reason") : nullptr;
  if (reason == nullptr || reason->empty() || reason->size() > webhook_reason_bytes_max) {
    return "your account does not admit you here";
  }
  return shown(*reason);
}

}  // namespace

std::string webhook_request(const session::Credentials& credentials) {
  return text_of({{"name", credentials.player_name},
                  {"credential", credentials.credential},
                  {"address", to_string(credentials.source)}});
}

WebhookVerdict failed(WebhookOutcome outcome) {
  const char* sentence = outcome == WebhookOutcome::Busy
                             ? "too many players log in at once; try again in 5 s"
                             : "the service with the accounts does not answer as it should; try "
                               "again in 5 s";
  return {outcome, session::Denied{session::Denial::Away, sentence, retry_s}};
}

WebhookVerdict judge(const WebhookReply& reply, const session::Credentials& credentials) {
  if (reply.status == status_unauthorized || reply.status == status_forbidden) {
    return {WebhookOutcome::Refused, session::Denied{.sentence = reason_in(reply)}};
  }
  if (reply.status != status_ok) return failed(WebhookOutcome::BadStatus);
  auto identity = identity_of(reply, credentials);
  if (!identity) return failed(WebhookOutcome::BadAnswer);
  return {WebhookOutcome::Admitted, std::move(*identity)};
}

}  // namespace perigee::accounts
