#include "flight_recordings.hpp"

namespace perigee::bots {

std::optional<WorstCorrection> CorrectionWatch::each_second(std::span<const Bot* const> bots) {
  seen_.resize(bots.size());
  const client::Client* worst = nullptr;
  double meters = beyond_m_;
  for (std::size_t i = 0; i < bots.size(); ++i) {
    const client::Client& client = bots[i]->client();
    const bool news = client.corrections_shown() != seen_[i];
    seen_[i] = client.corrections_shown();
    if (!news || client.last_correction().meters <= meters) continue;
    worst = &client;
    meters = client.last_correction().meters;
  }
  if (worst == nullptr) return std::nullopt;
  auto recording = worst->recording(worst->last_correction(), flight_log::build_name());
  if (!recording) return std::nullopt;
  return WorstCorrection{meters, std::move(*recording)};
}

void Flights::each_second(Micros now_us) {
  if (worst_) log_.write(now_us, worst_->recording);
  worst_.reset();
}

}  // namespace perigee::bots
