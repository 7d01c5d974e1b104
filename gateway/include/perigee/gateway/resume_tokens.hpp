/// The tokens with which clients can reconnect. Each token is requested from the session service,
/// sent to its client until the client acknowledges it, and renewed before it expires or names only
/// lost gateways. A client has one token, so it gets none that no gateway would accept now.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/counts.hpp"
#include "perigee/base/gateway_frame.hpp"
#include "perigee/gateway/client_payloads.hpp"
#include "perigee/gateway/counts.hpp"
#include "perigee/gateway/outputs.hpp"
#include "perigee/gateway/sessions.hpp"

namespace perigee::gateway {

class ResumeTokens {
 public:
  /// Resume tokens live 5 min: renewed after 100 to 140 s, not for all clients at once ...
  static constexpr Micros renewal_us = 100'000'000;
  static constexpr Micros spread_us = 40'000'000;
  /// ... requested again if there is no answer ...
  static constexpr Micros retry_us = 2'000'000;
  /// ... or if the answer was refused, because the session service's clock is wrong ...
  static constexpr Micros refused_retry_us = 10'000'000;
  static constexpr Micros repeat_us = 500'000;      ///< ... and sent until acknowledged ...
  static constexpr std::uint32_t repeats_max = 40;  ///< ... by clients that support them.
  /// After a change of the other gateways all tokens are renewed; the delay gives the session
  /// service time to learn of the change.
  static constexpr Micros settle_us = 500'000;
  /// More: if this gateway dies soon, its clients have outdated tokens.
  static constexpr Micros change_spread_us = 10'000'000;
  /// Less: a load peak at the session service's store.
  static constexpr Micros farewell_spread_us = 1'000'000;
  /// Smaller steps of the clock are the rounding of times, or harmless.
  static constexpr std::int64_t clock_step_s_min = 5;

  struct Needs {
    GatewaySlot self;
    const ClusterMap& map;
    const Sessions& sessions;
    ClientPayloads& payloads;
    Outputs& outputs;
    Counts<Count>& counts;
  };
  explicit ResumeTokens(Needs needs) : needs_(needs), tokens_(needs.sessions.slots()) {}

  /// A session begins in that slot.
  void start(std::uint32_t slot) { tokens_[slot] = Token{}; }
  /// All tokens are renewed if the other gateways have changed.
  void on_map(Micros now_us);
  /// The session service's answer. Ignored if the client does not play, or if the size is wrong.
  /// Refused if it is no token, or would by the last `unix_s` expire before its renewal, or live
  /// longer than gateways allow.
  void on_token(Micros now_us, std::uint64_t client_id, std::span<const std::byte> bytes);
  /// The client acknowledges the token with this number.
  void on_acknowledged(std::uint32_t slot, std::uint32_t number);
  /// Requests and sends what is due. After a step of the clock all tokens are renewed.
  void advance(Micros now_us, std::uint64_t unix_s);
  /// Renews at once all tokens that may name only gateways that are gone.
  void prepare_farewell(Micros now_us) { renew_within(now_us, farewell_spread_us); }
  /// True if there is no other gateway, or if each playing client has a token made since the last
  /// change of the other gateways or does not acknowledge tokens.
  bool all_current() const;

 private:
  struct Token {
    Micros next_ask_us = 0;
    Micros next_send_us = 0;
    std::uint32_t number = 0;      ///< number of the newest token
    std::uint32_t sends_left = 0;  ///< 0: acknowledged, given up, or no token
    /// Values of `changes_` when the newest token was requested, when the last received one
    /// was requested, and when the one that the client has was requested.
    std::uint32_t asked_under = 0, made_under = 0, held_under = 0;
    std::uint16_t size = 0;
    std::array<std::byte, resume_token_bytes_max> bytes{};
  };
  bool lives_long_enough(std::span<const std::byte> bytes) const;
  void note_clock(Micros now_us, std::uint64_t unix_s);
  void renew_within(Micros now_us, Micros within_us);
  void send(Micros now_us, std::uint32_t slot);

  Needs needs_;
  std::vector<Token> tokens_;     ///< by client slot
  std::vector<Address> others_;   ///< addresses of living gateways, as in tokens
  std::uint32_t changes_ = 1;     ///< number of changes of the others, and of steps of the clock
  Micros others_changed_us_ = 0;  ///< time of the last change of the others
  std::uint64_t unix_s_ = 0;
  std::optional<std::int64_t> clock_ahead_s_;  ///< unix time - monotonic time
};

}  // namespace perigee::gateway
