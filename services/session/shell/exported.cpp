#include "exported.hpp"

namespace perigee::session {

void Exported::show(const Desk::Picture& picture) {
  process_.follow(process_metric.log_ins, picture.admitted);
  process_.follow(process_metric.refused, picture.refused);
  process_.follow(process_metric.claims, picture.claims);
  process_.follow(process_metric.resumes_issued, picture.resumes_issued);
  process_.follow(process_metric.resumes_refused, picture.resumes_refused);
  process_.follow(process_metric.endings, picture.endings);
  process_.follow(process_metric.orders_given, picture.orders_given);
  process_.follow(process_metric.orders_refused, picture.orders_refused);
  process_.follow(process_metric.store_faults, picture.faults);
  process_.flush();
  for (std::size_t i = 0; i < enum_count<SessionState>; ++i) {
    const auto state = static_cast<SessionState>(i);
    process_.set(process_metric.sessions[state], static_cast<double>(picture.sessions[state]));
  }
  process_.set(process_metric.watchers, picture.watchers);
}

}  // namespace perigee::session
