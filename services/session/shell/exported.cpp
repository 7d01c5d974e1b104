#include "exported.hpp"

namespace perigee::session {

void Exported::show(const SessionServer::Stats& stats) {
  process_.follow(process_metric.log_ins, stats.admitted);
  process_.follow(process_metric.refused, stats.refused);
  process_.follow(process_metric.claims, stats.claims);
  process_.follow(process_metric.resumes_issued, stats.resumes_issued);
  process_.follow(process_metric.resumes_refused, stats.resumes_refused);
  process_.follow(process_metric.endings, stats.endings);
  process_.follow(process_metric.orders_given, stats.orders_given);
  process_.follow(process_metric.orders_refused, stats.orders_refused);
  process_.follow(process_metric.store_faults, stats.faults);
  process_.flush();
  for (std::size_t i = 0; i < enum_count<SessionState>; ++i) {
    const auto state = static_cast<SessionState>(i);
    process_.set(process_metric.sessions[state], static_cast<double>(stats.sessions[state]));
  }
  process_.set(process_metric.watchers, stats.watchers);
}

void Exported::show(const Accounts::Stats& stats, std::int64_t certificate_expires_s) {
  process_.follow(process_metric.tokens_refused, stats.token_faults);
  process_.follow(process_metric.webhook_calls, stats.webhook);
  process_.follow(process_metric.key_loads_failed, stats.key_loads_failed);
  process_.flush();
  process_.set(process_metric.certificate_expires, static_cast<double>(certificate_expires_s));
}

void Exported::show(const HttpPort::Stats& stats) {
  process_.follow(process_metric.http_answers, stats.answers);
  process_.follow(process_metric.http_dropped, stats.dropped);
  process_.flush();
}

}  // namespace perigee::session
