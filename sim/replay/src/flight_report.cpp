#include "perigee/replay/flight_report.hpp"

#include <algorithm>

#include "flight_rows.hpp"
#include "json_text.hpp"

namespace perigee::replay {
namespace {

using world::StepRecord;

constexpr int meter_decimals = 5;
constexpr int rotation_decimals = 7;
constexpr std::size_t tunables_max = 8;

std::string_view name_of(CorrectionCause cause) {
  return correction_cause_rows[static_cast<std::size_t>(cause)].name;
}

class Report {
 public:
  Report(const world::GameModule& game, const Halves& halves, const ReportSettings& settings,
         const FlightRows& flight)
      : game_(game), halves_(halves), settings_(settings), flight_(flight) {}
  std::string text();

 private:
  void add_half(const Recording& recording);
  void add_tunables();
  void add_rows();
  void add_corrections();
  void add_noted(const NotedCorrection& correction, bool explains);
  bool add_between(const NotedCorrection& correction);
  void add_claimed();
  void add_difference(const Difference& found);
  template <class Value>
  void add_column(std::string_view name, Value value);
  template <class Place>
  void add_places(std::string_view name, Place place);

  const world::GameModule& game_;
  const Halves& halves_;
  const ReportSettings& settings_;
  const FlightRows& flight_;
  std::string out_;
  JsonText json_{out_};
};

void Report::add_difference(const Difference& found) {
  json_.raw("{").name("field").text(found.field);
  json_.name("client").text(found.client).name("worker").text(found.worker).raw("}");
}

void Report::add_half(const Recording& recording) {
  const FlightHeader& header = recording.header;
  json_.comma();
  json_.raw("{").name("side").text(header.side == Side::Client ? "client" : "worker");
  json_.name("build").text(header.build).name("session").hex(header.session);
  json_.name("tunables").hex(header.tunables_hash);
  json_.name("first").whole(recording.ticks.front().tick.count);
  json_.name("ticks").whole(static_cast<std::int64_t>(recording.ticks.size()));
  json_.name("delayTicks").whole(header.delay_ticks);
  if (settings_.rules && settings_.reruns) {
    const Rerun again = rerun(game_, recording);
    json_.name("rerun")
        .raw("{")
        .name("bitsDiffer")
        .whole(static_cast<std::int64_t>(again.bits_otherwise));
    json_.name("ticksDiffer").whole(again.ticks_otherwise);
    json_.name("restarts").whole(again.begun_anew).raw("}");
  }
  json_.raw("}");
}

void Report::add_tunables() {
  json_.name("tunables").raw("[");
  if (halves_.client != nullptr && halves_.worker != nullptr) {
    const auto found = differing_tunables(*halves_.client, *halves_.worker);
    for (std::size_t i = 0; i < std::min(found.size(), tunables_max); ++i) {
      json_.comma();
      add_difference(found[i]);
    }
  }
  json_.raw("]");
}

template <class Value>
void Report::add_column(std::string_view name, Value value) {
  json_.name(name).raw("[");
  for (const FlightRow& row : flight_.rows) {
    json_.comma();
    json_.whole(value(row));
  }
  json_.raw("]");
}

template <class Place>
void Report::add_places(std::string_view name, Place place) {
  json_.name(name).raw("[");
  for (const FlightRow& row : flight_.rows) {
    const std::optional<Vec3>& at = place(row);
    json_.comma();
    if (!at) {
      json_.raw("null,null,null");
      continue;
    }
    json_.number(at->x, meter_decimals).raw(",").number(at->y, meter_decimals);
    json_.raw(",").number(at->z, meter_decimals);
  }
  json_.raw("]");
}

/// The input as the server consumed it, or, without its half, as the client did.
const PlayerInput& input_of(const FlightRow& row) {
  static const PlayerInput none;
  if (row.client != nullptr) return row.client->input;
  return row.worker != nullptr ? row.worker->input : none;
}

void Report::add_rows() {
  json_.name("rows").raw("{").name("first").whole(flight_.first.count);
  json_.name("count").whole(static_cast<std::int64_t>(flight_.rows.size()));
  add_places("predictedM", [](const FlightRow& row) { return row.predicted; });
  add_places("serverM", [](const FlightRow& row) { return row.became; });
  add_places("claimedM", [](const FlightRow& row) { return row.claimed; });
  json_.name("parentPose").raw("[");
  for (const FlightRow& row : flight_.rows) {
    const Pose& pose = row.parent;
    for (const double m : {pose.position.x, pose.position.y, pose.position.z}) {
      json_.comma();
      json_.number(m, meter_decimals);
    }
    const Quat& turn = pose.rotation;
    for (const double part : {turn.x, turn.y, turn.z, turn.w}) {
      json_.raw(",").number(part, rotation_decimals);
    }
  }
  json_.raw("]");
  const auto parent = [](const StepRecord* step) {
    return step == nullptr ? std::int64_t{-1} : std::int64_t{step->parent};
  };
  add_column("clientParent", [&](const FlightRow& row) { return parent(row.client); });
  add_column("serverParent", [&](const FlightRow& row) { return parent(row.worker); });
  add_column("right", [](const FlightRow& row) { return std::int64_t{input_of(row).right}; });
  add_column("up", [](const FlightRow& row) { return std::int64_t{input_of(row).up}; });
  add_column("forward", [](const FlightRow& row) { return std::int64_t{input_of(row).forward}; });
  add_column("held", [](const FlightRow& row) { return std::int64_t{input_of(row).held}; });
  add_column("pressed",
             [](const FlightRow& row) { return std::int64_t{pressed_mask(input_of(row))}; });
  json_.name("fields").raw("{");
  const Recording& any = halves_.client != nullptr ? *halves_.client : *halves_.worker;
  for (const RecordedInputField& field : any.header.input_fields) {
    add_column(field.name, [&](const FlightRow& row) { return field.value_in(input_of(row).own); });
  }
  json_.raw("}");
  add_column("guessed", [](const FlightRow& row) {
    return std::int64_t{row.worker != nullptr && row.worker->guessed ? 1 : 0};
  });
  json_.raw("}");
}

void Report::add_noted(const NotedCorrection& correction, bool explains) {
  json_.comma();
  json_.raw("{").name("at").whole(correction.at.count);
  json_.name("meters").number(correction.meters, meter_decimals);
  json_.name("noted").text(name_of(correction.cause));
  const auto parting = halves_.worker == nullptr
                           ? std::nullopt
                           : where_parted(*halves_.client, *halves_.worker, correction);
  const bool between = explains && settings_.rules && add_between(correction);
  if (parting && explains && !between) {
    json_.name("parted").whole(parting->tick.count);
    json_.name("partedM").number(parting->meters, meter_decimals);
    json_.name("beforehand").truth(parting->beforehand);
    if (parting->difference) {
      json_.name("difference");
      add_difference(*parting->difference);
    }
    if (settings_.rules && !parting->beforehand) {
      const Explanation why = why_parted(game_, *halves_.client, *halves_.worker, *parting);
      json_.name("cause").text(name_of(why.cause)).name("since").whole(why.since.count);
      json_.name("errorM").number(why.error_m, meter_decimals);
      json_.name("leftM").number(why.left_m, meter_decimals);
    }
  }
  json_.raw("}");
}

// No recorded tick has the error: the state changed between two ticks. As in explain(), the
// prediction then does not follow from its own record.
bool Report::add_between(const NotedCorrection& correction) {
  const std::int64_t at = ticks_between(flight_.first, correction.at) - 1;
  if (at < 0 || at >= static_cast<std::int64_t>(flight_.rows.size())) return false;
  const auto left_m = flight_.rows[static_cast<std::size_t>(at)].error_m();
  if (!left_m || *left_m > explained_left_max * correction.meters) return false;
  json_.name("cause").text(name_of(CorrectionCause::Residual));
  json_.name("since").whole(correction.at.count).name("betweenTicks").truth(true);
  json_.name("errorM").number(correction.meters, meter_decimals);
  json_.name("leftM").number(*left_m, meter_decimals);
  return true;
}

// Without the client's half: each time in which the claims were off.
void Report::add_claimed() {
  const auto& rows = flight_.rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].error_m().value_or(0) < report_correction_m) continue;
    const std::size_t begin = i;
    double most_m = 0;
    std::int64_t guessed = 0;
    // Not each tick has a claim.
    for (; i < rows.size() && rows[i].error_m().value_or(1) >= report_correction_m; ++i) {
      most_m = std::max(most_m, rows[i].error_m().value_or(0));
    }
    constexpr std::size_t before_ticks = 4;
    for (std::size_t k = begin - std::min(begin, before_ticks); k <= begin; ++k) {
      guessed += rows[k].worker != nullptr && rows[k].worker->guessed ? 1 : 0;
    }
    json_.comma();
    json_.raw("{").name("at").whole((flight_.first + static_cast<std::int32_t>(i)).count);
    json_.name("meters").number(most_m, meter_decimals);
    json_.name("parted").whole((flight_.first + static_cast<std::int32_t>(begin)).count);
    json_.name("guessedBefore").whole(guessed).raw("}");
  }
}

void Report::add_corrections() {
  json_.name("corrections").raw("[");
  if (halves_.client == nullptr) {
    add_claimed();
  } else {
    std::vector<NotedCorrection> noted = halves_.client->corrections;
    const FlightHeader& header = halves_.client->header;
    const bool recorded = not_after(halves_.client->ticks.front().tick, header.tick);
    if (noted.empty() && header.meters > 0 && recorded) {
      noted.push_back({header.tick, header.cause, header.meters});
    }
    for (std::size_t i = 0; i < noted.size(); ++i) {
      add_noted(noted[i], i + settings_.explained_max >= noted.size());
    }
  }
  json_.raw("]");
}

std::string Report::text() {
  const Recording& any = halves_.client != nullptr ? *halves_.client : *halves_.worker;
  json_.raw("{").name("game").text(any.header.game).name("avatar").hex(any.header.avatar);
  json_.name("rules").truth(settings_.rules);
  json_.name("halves").raw("[");
  for (const Recording* half : {halves_.client, halves_.worker}) {
    if (half != nullptr) add_half(*half);
  }
  json_.raw("]");
  add_tunables();
  add_corrections();
  add_rows();
  json_.raw("}");
  return std::move(out_);
}

}  // namespace

Result<std::string> report_flight(const world::GameModule& game, const Halves& halves,
                                  const ReportSettings& settings) {
  for (const Recording* half : {halves.client, halves.worker}) {
    if (half == nullptr || !settings.rules) continue;
    if (const auto why = unplayable(game, *half)) {
      return Error{std::string(half->header.side == Side::Client ? "client" : "worker") +
                   "'s half: " + why->message};
    }
  }
  const auto flight = rows_of(halves);
  if (!flight) return flight.error();
  return Report(game, halves, settings, *flight).text();
}

}  // namespace perigee::replay
