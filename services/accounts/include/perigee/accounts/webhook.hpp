/// The contract with a studio's own service that knows the players (docs/accounts.md): the bodies
/// of its requests and answers. The call itself is the shell's.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "perigee/base/counts.hpp"
#include "perigee/session/authenticator.hpp"

namespace perigee::accounts {

inline constexpr std::size_t webhook_answer_bytes_max = 4'096;
/// Of the studio's sentence for a refused player.
inline constexpr std::size_t webhook_reason_bytes_max = 200;

enum class WebhookOutcome : std::uint8_t {
  Admitted,
  Refused,
  Busy,  ///< as many calls as allowed were waiting
  TimedOut,
  Unreachable,  ///< no connection, TLS that failed, or a connection that broke
  BadStatus,    ///< none of 200, 401 and 403
  BadAnswer,    ///< not as the contract says
  last = BadAnswer
};
inline constexpr std::array webhook_outcome_rows = {
    CountRow<WebhookOutcome>{WebhookOutcome::Admitted, "admitted", "The player may play."},
    CountRow<WebhookOutcome>{WebhookOutcome::Refused, "refused", "The player may not play."},
    CountRow<WebhookOutcome>{WebhookOutcome::Busy, "busy", "Too many calls were waiting."},
    CountRow<WebhookOutcome>{WebhookOutcome::TimedOut, "timed_out", "No whole answer in time."},
    CountRow<WebhookOutcome>{WebhookOutcome::Unreachable, "unreachable",
                             "No connection, no good certificate, or the connection broke."},
    CountRow<WebhookOutcome>{WebhookOutcome::BadStatus, "bad_status",
                             "A status other than 200, 401 and 403; redirects are not followed."},
    CountRow<WebhookOutcome>{WebhookOutcome::BadAnswer, "bad_answer",
                             "Too long, not JSON, or without what the contract wants."},
};
static_assert(one_row_each(webhook_outcome_rows), "give every WebhookOutcome one row, in order");

/// The request's body, JSON.
std::string webhook_request(const session::Credentials& credentials);

/// The result of a call.
struct WebhookVerdict {
  WebhookOutcome outcome = WebhookOutcome::BadAnswer;
  std::variant<session::Identity, session::Denied> answer;
};
struct WebhookReply {
  long status = 0;
  std::string content_type;
  std::string body;
};
WebhookVerdict judge(const WebhookReply& reply, const session::Credentials& credentials);
/// For a call without an answer.
WebhookVerdict failed(WebhookOutcome outcome);

}  // namespace perigee::accounts
