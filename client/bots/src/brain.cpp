#include "perigee/bots/brain.hpp"

namespace perigee::bots {
namespace {

constexpr double riding_share = 0.1;  // share of a walker's next activities

Marksman::Skill skill_of(Temper temper) {
  switch (temper) {
    case Temper::Mild:
      return {1.0 / 30, 2.5};
    case Temper::Settled:
      return {};
    case Temper::Fierce:
      return {1, 0.25};
  }
  return {};
}

}  // namespace

Brain::Brain(const client::Client& client, std::uint64_t seed, double voyage_m, Temper temper)
    : client_(client),
      voyage_m_(voyage_m),
      temper_(temper),
      random_(seed),
      senses_(client.entities()),
      activity_(senses_.now()),
      look_(mix64(seed, std::uint64_t{2})),
      gait_({senses_, random_, look_}),
      walker_({senses_, random_, activity_, gait_, deeds_}),
      doors_({senses_, random_, activity_, gait_, deeds_}),
      lifts_({senses_, random_, activity_, gait_, deeds_}),
      flyer_({senses_, activity_, gait_}, voyage_m),
      boarder_({senses_, random_, activity_, look_}),
      rover_({senses_, random_, activity_, look_, deeds_}),
      marksman_({senses_, look_, deeds_}, skill_of(temper), mix64(seed, std::uint64_t{1})) {}

void Brain::look_around(Tick tick) {
  const client::Prediction& prediction = client_.prediction();
  senses_.look(tick, {prediction.avatar(), prediction.parent(), prediction.state()});
  ++deeds_.ticks;
  if (senses_.boarded()) ++deeds_.boardings;
  if (length(to_double(senses_.state().velocity)) > 0.5) ++deeds_.moving_ticks;
  if (senses_.aboard()) ++deeds_.ticks_aboard;
}

void Brain::choose() {
  const double dice = random_.unit();
  if (senses_.home() == no_entity) return rover_.begin();
  const bool walks = activity_.mode() == Mode::Walk;
  const bool at_home = senses_.parent() == senses_.home();
  if (temper_ == Temper::Settled && at_home) return activity_.begin(Mode::Walk, 10);
  if (senses_.aboard()) {
    if (activity_.mode() == Mode::Aboard) return activity_.begin(Mode::Home, 60);
    return activity_.begin(Mode::Aboard, random_.between(10, 20));
  }
  if (!at_home || distance(senses_.state().position, senses_.home_local()) > 150) {
    return activity_.begin(Mode::Home, 60);
  }
  if (voyage_m_ > 0 && walks) return activity_.begin(Mode::Voyage, 60);
  if (boarder_.wants()) return boarder_.begin();
  if (walks && !senses_.doors().empty() && dice < 0.5) return doors_.begin();
  if (walks && !senses_.lifts().empty() && dice < 0.5 + riding_share) return lifts_.begin();
  if (walks && dice > 0.85) {
    ++deeds_.flights;
    return activity_.begin(Mode::Fly, random_.between(3, 6));
  }
  if (senses_.flying()) return activity_.begin(Mode::Home, 30);
  activity_.begin(Mode::Walk, random_.between(3, 7));
}

void Brain::act(PlayerInput& input) {
  switch (activity_.mode()) {
    case Mode::Walk:
    case Mode::Aboard:
      return walker_.walk(input);
    case Mode::Door:
      return doors_.pass(input);
    case Mode::Ride:
      return lifts_.ride(input);
    case Mode::Fly:
      return flyer_.fly(input);
    case Mode::Board:
      return boarder_.board(input);
    case Mode::Home:
      return flyer_.go_home(input);
    case Mode::Voyage:
      return flyer_.voyage(input);
    case Mode::Rove:
      return rover_.rove(input);
  }
}

PlayerInput Brain::sample(Tick tick) {
  PlayerInput input;
  input.tick = tick;
  look_around(tick);
  boarder_.consider();
  const bool idle = activity_.mode() == Mode::Walk || activity_.mode() == Mode::Door;
  const bool passing = boarder_.wants() && senses_.parent() == senses_.home() && idle;
  if (activity_.over() || (passing && random_.unit() < 0.005)) choose();
  marksman_.aim_now_and_then(client_.seen());
  look_.advance();
  look_.show(input);
  act(input);
  marksman_.shoot_if_aimed(input);
  return input;
}

}  // namespace perigee::bots
