#include "players_feed.hpp"

#include <algorithm>
#include <memory>

namespace perigee::gateway {
namespace {

double s_of(Micros us) { return static_cast<double>(us) * 1e-6; }

void write(Micros now_us, const Session& session, const Core::PlayerFigures& figures,
           v1::Player& out) {
  out.set_client_id(session.client.client_id);
  out.set_playing(session.phase == Session::Phase::Playing);
  out.set_session_s(s_of(now_us - figures.began_us));
  if (figures.reported_us == 0) return;
  const Telemetry& newest = figures.newest;
  out.set_silent_s(s_of(now_us - figures.reported_us));
  out.set_rtt_us(newest.rtt_us);
  out.set_full_loop_rtt_us(newest.full_loop_rtt_us);
  out.set_jitter_us(newest.jitter_us);
  out.set_loss_permille(newest.loss_permille);
  out.set_lead_us(newest.lead_us);
  out.set_view_delay_us(newest.view_delay_us);
  out.set_input_to_display_us(newest.input_to_display_us);
  out.set_received_bytes_per_s(
      static_cast<std::uint32_t>(std::uint64_t{newest.bytes_received} * 1'000 /
                                 std::max<std::uint32_t>(newest.interval_ms, 1)));
  out.set_corrections(figures.corrections);
  std::uint16_t largest_mm = 0;
  for (const std::uint16_t size_mm : newest.correction_sizes_mm) {
    largest_mm = std::max(largest_mm, size_mm);
  }
  out.set_largest_correction_mm(largest_mm);
}

}  // namespace

void PlayersFeed::show(Micros now_us, const Core& core) {
  if (now_us < next_us_ || viewers_.counts().watching == 0) return;
  next_us_ = now_us + period_us;
  auto report = std::make_shared<v1::PlayersReport>();
  core.for_each_player([&](const Session& session, const Core::PlayerFigures& figures) {
    if (report->players_size() == players_max) {
      report->set_left_out(report->left_out() + 1);
    } else {
      write(now_us, session, figures, *report->add_players());
    }
  });
  viewers_.send(std::move(report));
}

}  // namespace perigee::gateway
