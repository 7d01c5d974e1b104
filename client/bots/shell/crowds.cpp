#include "crowds.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "perigee/host/output.hpp"

namespace perigee::bots {
namespace {

constexpr const char* clear_line = "\r\x1b[K";
constexpr std::size_t said_max = 256;  // further sentences may be repeated

}  // namespace

Crowds::Crowds(host::Loop& loop, const world::GameModule& game, CrowdsOptions options)
    : loop_(loop),
      options_(std::move(options)),
      began_us_(host::Loop::clock_us()),
      terminal_(isatty(STDERR_FILENO) == 1),
      end_(loop, [this] { finish(); }),
      second_(loop, [this] { each_second(); }) {
  const std::uint32_t threads = std::clamp(options_.threads, 1U, options_.play.players());
  for (std::uint32_t i = 0; i < threads; ++i) {
    workers_.push_back(std::make_unique<Worker>());
    Worker& worker = *workers_.back();
    worker.loop.on_signal([](int) {});  // this loop asks the crowds to finish
    worker.crowd.emplace(worker.loop, game, options_.play, Share{i, threads}, reports_to_here());
  }
  for (const auto& worker : workers_) {
    worker->thread = std::thread([&loop_of = worker->loop] { loop_of.run(); });
  }
  second_.every(1'000'000);
  log_ins_.emplace(loop_, options_.log_in,
                   LogIns::Events{.admitted =
                                      [this](auto player, auto token, auto gateway) {
                                        Worker& worker = worker_of(player);
                                        worker.loop.post([&worker, player, token, gateway] {
                                          worker.crowd->admitted(player, token, gateway);
                                        });
                                        settled();
                                      },
                                  .refused =
                                      [this](auto player, auto reason) {
                                        Worker& worker = worker_of(player);
                                        worker.loop.post([&worker, player, reason] {
                                          worker.crowd->refused(player, reason);
                                        });
                                        settled();
                                      }});
}

Crowds::~Crowds() { end_threads(); }

Crowds::Worker& Crowds::worker_of(std::uint32_t player) {
  return *workers_[Share::thread_of(player, static_cast<std::uint32_t>(workers_.size()))];
}

template <class Call>
void Crowds::post_to_all(Call call) {
  for (const auto& worker : workers_) {
    worker->loop.post([call, &to = *worker] { call(to); });
  }
}

Crowd::Reports Crowds::reports_to_here() {
  Crowd::Reports out;
  out.say = [this](std::string sentence) {
    loop_.post([this, sentence = std::move(sentence)] { say_once(sentence); });
  };
  if (options_.outcomes != nullptr) {
    out.outcomes = [this](std::uint32_t player, std::span<const OutcomeEvent> reported) {
      loop_.post([this, player, copy = std::vector(reported.begin(), reported.end())] {
        options_.outcomes->add(player, copy);
      });
    };
  }
  out.hopeless = [this] {
    loop_.post([this] {
      if (++hopeless_ == workers_.size()) finish();
    });
  };
  out.left = [this] {
    loop_.post([this] {
      if (++left_ == workers_.size()) loop_.stop();
    });
  };
  return out;
}

void Crowds::settled() {
  if (++settled_ < options_.play.players()) return;
  end_.at(host::Loop::clock_us() + Micros{options_.play.seconds} * 1'000'000);
  post_to_all([](Worker& to) { to.crowd->log_ins_over(); });
}

// A crowd that has not answered within the second is not asked again.
void Crowds::each_second() {
  if (answers_due_ > 0) return;
  answers_due_ = workers_.size();
  sum_ = {};
  post_to_all([this](Worker& to) {
    auto worst = to.crowd->worst_correction();
    loop_.post([this, one = to.crowd->each_second(), worst = std::move(worst)]() mutable {
      if (worst && options_.flights) options_.flights->note(std::move(*worst));
      on_progress(one);
    });
  });
}

void Crowds::on_progress(const Progress& one) {
  sum_.add(one);
  if (--answers_due_ > 0 || finished_) return;
  const Micros now_us = host::Loop::clock_us();
  print_line(line_of(sum_, printed_, now_us - began_us_) + (terminal_ ? "" : "\n"));
  printed_ = sum_;
  if (options_.flights) options_.flights->each_second(now_us);
}

void Crowds::print_line(const std::string& text) {
  host::write_output(host::Stream::Error, (terminal_ ? clear_line : "") + text);
}

void Crowds::say_once(const std::string& sentence) {
  if (said_.contains(sentence)) return;
  if (said_.size() < said_max) said_.insert(sentence);
  print_line("perigee-bots: " + sentence + "\n");
}

void Crowds::finish() {
  if (std::exchange(finished_, true)) return;
  finished_us_ = host::Loop::clock_us();
  second_.stop();
  end_.stop();
  if (terminal_) host::write_output(host::Stream::Error, "\n");
  post_to_all([](Worker& to) { to.crowd->finish(); });
}

void Crowds::end_threads() {
  log_ins_.reset();
  for (const auto& worker : workers_) {
    if (!worker->thread.joinable()) continue;
    worker->loop.post([&to = *worker] { to.loop.stop(); });
    worker->thread.join();
  }
}

Figures Crowds::figures() {
  end_threads();
  std::vector<const Bot*> bots;
  std::vector<const ThinBot*> thin;
  Samples samples(std::size_t{options_.play.bots} * (options_.play.seconds + 60));
  std::uint64_t held_back_lost = 0, frames_skipped = 0;
  for (const auto& worker : workers_) {
    const Crowd& crowd = *worker->crowd;
    bots.insert(bots.end(), crowd.bots().begin(), crowd.bots().end());
    thin.insert(thin.end(), crowd.thin().begin(), crowd.thin().end());
    samples.add(crowd.samples());
    held_back_lost += crowd.held_back_lost();
    frames_skipped += crowd.frames_skipped();
  }
  Figures out = sum_up(bots, finished_us_);
  out.thin = sum_up_thin(thin, finished_us_);
  out.full_loop_ms = quantiles_of(samples.full_loop_ms);
  out.jitter_ms = quantiles_of(samples.jitter_ms);
  out.lead_ms = quantiles_of(samples.lead_ms);
  out.held_back_lost = held_back_lost;
  out.frames_skipped = frames_skipped;
  out.stalled_ms = static_cast<double>(stalls_.longest_us()) * 1e-3;
  return out;
}

std::string Crowds::gaps() const {
  std::vector<const Player*> players;
  const auto threads = static_cast<std::uint32_t>(workers_.size());
  for (std::uint32_t i = 0; i < options_.play.players(); ++i) {
    players.push_back(&workers_[Share::thread_of(i, threads)]->crowd->player(i));
  }
  return gap_csv(players, stalls_);
}

}  // namespace perigee::bots
