/// Why a datagram was dropped. Strangers' bytes are counted by reason, never logged or answered.
#pragma once

#include <array>
#include <cstdint>

#include "perigee/netcode/counts.hpp"

namespace perigee::transport {

enum class Drop : std::uint8_t {
  Empty,
  TooShort,
  TooLong,
  BadType,
  BadSequenceSize,
  UnknownSource,
  NotConnected,
  GoodbyeOfNobody,
  ReplayTooOld,
  ReplaySeen,
  Forged,
  BadBodySize,
  WrongState,
  RequestBadSize,
  RequestBadVersion,
  RequestBadProtocol,
  RequestExpired,
  RequestBeforeStart,
  RequestForged,
  RequestMalformed,
  RequestNotForUs,
  RequestAddressBusy,
  RequestOlderToken,
  RequestTokenUsed,
  TokenHistoryFull,
  MappingsFull,
  ServerFull,
  ChallengeForged,
  ChallengeNotBound,
  ClaimPending,
  ClaimRefused,
  ClaimForgotten,
  last = ClaimForgotten
};

inline constexpr std::array drop_rows = {
    CountRow<Drop>{Drop::Empty, "empty", "No bytes at all."},
    CountRow<Drop>{Drop::TooShort, "too_short", "Ends before the tag."},
    CountRow<Drop>{Drop::TooLong, "too_long", "Longer than any packet."},
    CountRow<Drop>{Drop::BadType, "bad_type", "Unknown type, or one that only the peer sends."},
    CountRow<Drop>{Drop::BadSequenceSize, "bad_sequence_size", "Not 1 to 8 sequence bytes."},
    CountRow<Drop>{Drop::UnknownSource, "unknown_source", "No session and no handshake there."},
    CountRow<Drop>{Drop::NotConnected, "not_connected", "Session packet during the handshake."},
    CountRow<Drop>{Drop::GoodbyeOfNobody, "goodbye_of_nobody",
                   "A disconnect packet without session: each goodbye is said ten times."},
    CountRow<Drop>{Drop::ReplayTooOld, "replay_too_old", "256 or more sequences behind."},
    CountRow<Drop>{Drop::ReplaySeen, "replay_seen", "Sequence seen before."},
    CountRow<Drop>{Drop::Forged, "forged", "The tag does not verify."},
    CountRow<Drop>{Drop::BadBodySize, "bad_body_size", "Sealed well, but not of its type's size."},
    CountRow<Drop>{Drop::WrongState, "wrong_state", "Genuine, but means nothing in this state."},
    CountRow<Drop>{Drop::RequestBadSize, "request_bad_size", "A request has 1078 bytes."},
    CountRow<Drop>{Drop::RequestBadVersion, "request_bad_version", "Not NETCODE 1.02."},
    CountRow<Drop>{Drop::RequestBadProtocol, "request_bad_protocol", "Another protocol id."},
    CountRow<Drop>{Drop::RequestExpired, "request_expired", "The token's time is over."},
    CountRow<Drop>{Drop::RequestBeforeStart, "request_before_start",
                   "The token may be older than this server, which forgot whether it was used."},
    CountRow<Drop>{Drop::RequestForged, "request_forged", "The token's seal does not verify."},
    CountRow<Drop>{Drop::RequestMalformed, "request_malformed", "Sealed well, but no token."},
    CountRow<Drop>{Drop::RequestNotForUs, "request_not_for_us", "Our address is not in the token."},
    CountRow<Drop>{Drop::RequestAddressBusy, "request_address_busy",
                   "Another client is connected from this address."},
    CountRow<Drop>{Drop::RequestOlderToken, "request_older_token",
                   "The client is connected with a token that was made later."},
    CountRow<Drop>{Drop::RequestTokenUsed, "request_token_used",
                   "This token has established its one session."},
    CountRow<Drop>{Drop::TokenHistoryFull, "token_history_full",
                   "Too many unexpired tokens to remember another one."},
    CountRow<Drop>{Drop::MappingsFull, "mappings_full", "Too many handshakes at once."},
    CountRow<Drop>{Drop::ServerFull, "server_full", "Answered with `denied`."},
    CountRow<Drop>{Drop::ChallengeForged, "challenge_forged", "Not one of our challenges."},
    CountRow<Drop>{Drop::ChallengeNotBound, "challenge_not_bound",
                   "The challenge of another client, address or token."},
    CountRow<Drop>{Drop::ClaimPending, "claim_pending",
                   "A repeated response while the token's claim is not answered yet."},
    CountRow<Drop>{Drop::ClaimRefused, "claim_refused",
                   "The store knows the token as used, or a newer one: answered with `denied`."},
    CountRow<Drop>{Drop::ClaimForgotten, "claim_forgotten",
                   "The store's answer came after the handshake had ended."},
};
static_assert(one_row_each(drop_rows), "give every Drop one row, in enum order");

}  // namespace perigee::transport
