/// The metrics of the session service's process, one row each.
#pragma once

#include <array>
#include <string_view>

#include "accounts.hpp"
#include "http_port.hpp"
#include "perigee/base/metric_table.hpp"
#include "perigee/session/core.hpp"
#include "perigee/session/order_book.hpp"
#include "perigee/session/store.hpp"

namespace perigee::session {

inline constexpr std::array<std::string_view, enum_count<Refusal>> refusal_names{
    "wire_version",      "no_world",       "schema",         "bad_name",     "wrong_credential",
    "accounts_away",     "banned",         "unknown_region", "no_region",    "no_gateway",
    "address_over_rate", "name_over_rate", "all_over_rate",  "store_failed", "no_session"};
inline constexpr std::array<std::string_view, enum_count<ClaimOutcome>> claim_names{
    "granted", "used", "older", "over", "unknown"};
inline constexpr std::array<std::string_view, enum_count<SessionState>> state_names{
    "waiting", "playing", "lost", "left", "ended", "kicked"};
inline constexpr std::array<std::string_view, enum_count<StoreFault>> fault_names{
    "disk_full", "locked", "other"};

inline constexpr std::array<std::string_view, enum_count<OrderRefusal>> order_refusal_names{
    "bad_settings", "no_session", "not_connected", "no_gateway", "too_many", "store_failed"};

inline constexpr std::array<std::string_view, enum_count<StatusClass>> status_names{"2xx", "4xx",
                                                                                    "5xx"};

struct ProcessMetrics : MetricTable<ProcessMetrics> {
  Counter log_ins = counter(
      {.name = "session_log_ins_total",
       .help = "Connect tokens issued.",
       .note = "`rate(perigee_session_log_ins_total[1m])`; compare with the gateways' `started`"});

  CounterOf<Refusal> refused = counters<Refusal>(
      {.name = "session_refused_total",
       .label = "reason",
       .help = "Log-ins refused, by reason.",
       .note = "`sum by (reason) (rate(perigee_session_refused_total[5m]))`. wire_version, schema: "
               "old clients. wrong_credential, name_over_rate: guessing. address_over_rate: one "
               "machine, or many players behind one address. accounts_away: the service that knows "
               "the accounts does not answer. no_*: members are missing. "
               "store_failed: see the store's faults. no_session does not occur at log-ins"},
      refusal_names);

  CounterOf<accounts::TokenFault> tokens_refused = counters<accounts::TokenFault>(
      {.name = "session_tokens_refused_total",
       .label = "reason",
       .help = "Players' tokens (JWT) refused, by reason.",
       .note =
           "`sum by (reason) (rate(perigee_session_tokens_refused_total[5m]))`. unknown_key: "
           "the provider signs with a new key, so fetch its key set again. expired of many "
           "players, not_yet_valid: a clock is wrong. issuer, audience: a setting, or tokens of "
           "other services. signature, algorithm: attacks"},
      names_of(accounts::token_fault_rows));

  CounterOf<accounts::WebhookOutcome> webhook_calls = counters<accounts::WebhookOutcome>(
      {.name = "session_webhook_calls_total",
       .label = "outcome",
       .help = "Log-ins about which the studio's service was to decide, by outcome.",
       .note = "`sum by (outcome) (rate(perigee_session_webhook_calls_total[5m]))`. timed_out, "
               "unreachable, bad_status, bad_answer: the service is broken, and the log has the "
               "reason; busy: it is too slow, or session.webhook_calls is too small"},
      names_of(accounts::webhook_outcome_rows));

  Counter key_loads_failed = counter(
      {.name = "session_key_loads_failed_total",
       .help = "Changed key files of players' tokens that could not be used.",
       .note = "`increase(perigee_session_key_loads_failed_total[1h]) > 0`: the old keys are still "
               "used; the log has the reason"});

  Gauge certificate_expires =
      gauge({.name = "session_certificate_expires_timestamp_seconds",
             .help = "Unix time at which the certificate of the ports for players ends; 0: no TLS.",
             .note = "`(perigee_session_certificate_expires_timestamp_seconds > 0) - time() < 7 * "
                     "86400`: its issuer has not renewed the certificate, or the log says why the "
                     "new one is no good. After its end nobody can log in"});

  CounterOf<ClaimOutcome> claims = counters<ClaimOutcome>(
      {.name = "session_claims_total",
       .label = "outcome",
       .help = "Claims: handshakes that requested their token's session.",
       .note =
           "`sum by (outcome) (rate(perigee_session_claims_total[5m]))`. used: a token was "
           "presented twice; many: an attack. unknown: tokens from before the store was recreated"},
      claim_names);

  Counters resume_tokens =
      counters({.name = "session_resume_tokens_total",
                .label = "result",
                .help = "Resume tokens requested by gateways.",
                .note = "`rate(perigee_session_resume_tokens_total{result=\"issued\"}[10m])` is "
                        "one per player and two minutes"});
  Counter resumes_issued = value(resume_tokens, "issued");
  Counter resumes_refused = value(resume_tokens, "refused");

  CounterOf<SessionState> endings = counters<SessionState>(
      {.name = "session_endings_total",
       .label = "state",
       .help = "Sessions that entered this state.",
       .note = "`rate(perigee_session_endings_total{state=\"lost\"}[5m])`; lost: networks, or a "
               "gateway that does not respond. States that are not final stay 0"},
      state_names);

  Counters orders =
      counters({.name = "session_technique_orders_total",
                .label = "result",
                .help = "Operators' technique orders, accepted or refused.",
                .note = "technique orders and refusals; the operator has seen the reason"});
  Counter orders_given = value(orders, "given");
  CounterOf<OrderRefusal> orders_refused = values<OrderRefusal>(orders, order_refusal_names);

  CounterOf<StoreFault> store_faults = counters<StoreFault>(
      {.name = "session_store_faults_total",
       .label = "fault",
       .help = "Failed calls to the session store.",
       .note = "`increase(perigee_session_store_faults_total[5m]) > 0`: players can neither log in "
               "nor reconnect; connected players play on. The log has the error"},
      fault_names);

  GaugeOf<SessionState> sessions = gauges<SessionState>(
      {.name = "session_sessions",
       .label = "state",
       .help = "Sessions in the store, counted every 5 s; ended ones stay for an hour.",
       .note =
           "`perigee_session_sessions{state=\"playing\"}` follows `sum(perigee_gateway_sessions)`"},
      state_names);

  CounterOf<StatusClass> http_answers = counters<StatusClass>(
      {.name = "session_http_answers_total",
       .label = "status",
       .help = "Answers of the port for log-ins over HTTP, by class of status.",
       .note = "`sum by (status) (rate(perigee_session_http_answers_total[5m]))`. 4xx: mostly "
               "refused log-ins, see the reasons above; 5xx: no log-in is possible, or answers "
               "took too long"},
      status_names);

  CounterOf<host::HttpDrop> http_dropped = counters<host::HttpDrop>(
      {.name = "session_http_dropped_connections_total",
       .label = "reason",
       .help = "Connections of that port that were closed or refused: request or reading of the "
               "answer too slow, too many connections, or not a request that the port accepts.",
       .note = "`sum by (reason) (rate(perigee_session_http_dropped_connections_total[5m])) > 0`: "
               "the port is attacked, or a client is broken "
               "([limits](security.md#the-port-for-log-ins-over-http))"},
      names_of(host::http_drop_rows));

  Gauge watchers = gauge({.name = "session_watchers",
                          .help = "Gateways subscribed to kicks and orders.",
                          .note = "one per gateway"});
};
inline constexpr ProcessMetrics process_metric;

}  // namespace perigee::session
