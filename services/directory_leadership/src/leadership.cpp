#include "perigee/directory_leadership/leadership.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "perigee/directory/world_time_control.hpp"

namespace perigee::directory {
namespace {

coordination::Txn difference(const Records& before, const Records& after) {
  coordination::Txn txn;
  for (const auto& [key, text] : after) {
    const auto found = before.find(key);
    if (found == before.end() || found->second != text) txn.puts.push_back({key, text});
  }
  for (const auto& [key, text] : before) {
    if (!after.contains(key)) txn.erases.push_back(key);
  }
  return txn;
}

}  // namespace

Leadership::Leadership(coordination::Store& store, LeadershipOptions options)
    : store_(store), options_(std::move(options)) {
  store_.campaign({[this](coordination::Revision term) { lead(term); },
                   [this](const std::string& why) { lose(why); }});
}

Leadership::~Leadership() { store_.resign(); }

void Leadership::poll(host::ClockPair now) {
  now_ = now;
  store_.poll(now.monotonic_us);
  if (!term_) stand_by();
  if (!term_ || hopeless_ || now.monotonic_us < again_at_us_) return;
  if (!core_) return read();
  const bool idle = !commit_under_way_ && now.monotonic_us - asked_us_ >= save_us_max;
  if (idle) ++kept_;
  if (durable_ < kept_) save();
}

void Leadership::lead(coordination::Revision term) {
  term_ = term;
  ++terms_;
  read_under_way_ = false;
  again_at_us_ = now_.monotonic_us;
}

/// Decisions that are not in the store were never sent: they have not happened.
void Leadership::lose(const std::string& why) {
  past_ = tally();
  lost_why_ = why;
  term_.reset();
  core_.reset();
  sent_.reset();
  commit_under_way_ = read_under_way_ = false;
  failing_.reset();
  ++news_;
}

void Leadership::read() {
  if (std::exchange(read_under_way_, true)) return;
  store_.read(records_prefix, [this, term = term_](const Result<coordination::Snapshot>& snapshot) {
    if (term != term_) return;
    read_under_way_ = false;
    if (snapshot) return begin(*snapshot);
    again_at_us_ = now_.monotonic_us + again_us;
  });
}

void Leadership::begin(const coordination::Snapshot& snapshot) {
  stored_.clear();
  for (const auto& entry : snapshot.entries) stored_.emplace(entry.key, entry.value);
  if (stored_.empty() && had_a_world_ && !options_.new_world) {
    hopeless_ = Error{options_.store_name +
                      " is empty, but contained a world before: restore its backup, or begin a new "
                      "world with --new-world"};
    return;
  }
  if (stored_.empty() || options_.new_world) {
    new_world();
  } else {
    auto world = read_records(stored_, options_.core, moment());
    if (!world) {
      hopeless_ = Error{options_.store_name + ": " + world.error().message +
                        ". Restore a matching backup, or begin a new world with --new-world: all "
                        "workers then start empty"};
      return;
    }
    began_new_world_ = false;
    clock_ = world->clock;
    core_.emplace(options_.core, std::move(world->saved), now_us());
  }
  kept_ = durable_ = 0;
  keep(true);
}

void Leadership::new_world() {
  began_new_world_ = true;
  clock_ = {now_.wall_us - now_.monotonic_us};
  core_.emplace(options_.core, options_.drawn_cluster_id, now_us());
}

/// Remembers that a world exists, so that a store that was emptied is not taken for a new one. A
/// new world is not started while another directory leads, since that would end a running one.
void Leadership::stand_by() {
  if (!store_.ready()) return;
  if (!answered_us_) answered_us_ = now_.monotonic_us;
  if (options_.new_world && now_.monotonic_us - *answered_us_ >= new_world_us_max) {
    hopeless_ = Error{
        "another directory leads, so no new world is started; stop all of them first, then start "
        "one with --new-world"};
  }
  if (had_a_world_ || read_under_way_ || now_.monotonic_us < again_at_us_) return;
  read_under_way_ = true;
  again_at_us_ = now_.monotonic_us + look_us;
  store_.read(records_prefix, [this, terms = terms_](const Result<coordination::Snapshot>& found) {
    if (terms != terms_) return;
    read_under_way_ = false;
    had_a_world_ = found && !found->entries.empty();
  });
}

bool Leadership::store_answers() const {
  return store_.ready().ok() && !failing_ &&
         !(commit_under_way_ && now_.monotonic_us - asked_us_ > slow_us);
}

Result<Ok> Leadership::may_decide() const {
  if (const auto up = store_.ready(); !up) return up.error();
  if (failing_) return Error{options_.store_name + " accepts no changes: " + *failing_};
  if (!sent_) {
    return Error{"this directory does not lead" + (lost_why_.empty() ? "" : ": " + lost_why_) +
                 "; ask the one that leads (--directory takes several, separated by commas)"};
  }
  if (!store_answers()) {
    return Error{options_.store_name + " has not answered for a second; try again"};
  }
  return Ok{};
}

Result<Ok> Leadership::well() const {
  if (hopeless_) return *hopeless_;
  if (term_ || options_.alone || !store_.ready()) return may_decide();
  return Ok{};
}

bool Leadership::unkept() const { return core_->map().version != kept_version_; }

Leadership::Ticket Leadership::keep(bool even_so) {
  if (!core_) return {};
  if (even_so || unkept()) {
    ++kept_;
    kept_version_ = core_->map().version;
    if (!failing_) save();
  }
  return {*term_, kept_};
}

Leadership::Fate Leadership::fate(const Ticket& ticket) const {
  if (term_ != ticket.term) return Fate::Lost;
  return durable_ >= ticket.number ? Fate::Stored : Fate::Open;
}

/// One commit at a time: decisions made meanwhile go with the next.
void Leadership::save() {
  if (std::exchange(commit_under_way_, true)) return;
  asked_us_ = now_.monotonic_us;
  const auto saved = std::make_shared<const Saved>(core_->saved());
  Records records = write_records(*saved, clock_, moment());
  coordination::Txn txn = difference(stored_, records);
  store_.commit(std::move(txn), [this, term = term_, records = std::move(records), saved,
                                 covers = kept_](const coordination::Outcome& outcome) {
    if (term != term_) return;
    commit_under_way_ = false;
    if (std::holds_alternative<coordination::Committed>(outcome)) {
      on_saved(records, saved, covers);
    } else if (const auto* error = std::get_if<Error>(&outcome)) {
      on_refused(error->message);
    }
  });
}

/// A rate change that is published later than announced would find ticks that have already been
/// simulated.
bool Leadership::too_late(const WorldTime& time) const {
  return sent_ && time.change && time != sent_->map.time &&
         now_us() > time.change->wall_us - WorldTimeControl::notice_us / 2;
}

void Leadership::on_saved(const Records& records, std::shared_ptr<const Saved> saved,
                          std::uint64_t covers) {
  stored_ = records;
  ++saved_;
  failing_.reset();
  if (too_late(saved->map.time)) {
    core_->keep_time(sent_->map.time);
    ++kept_;
    return save();
  }
  if (sent_) past_.map_versions += saved->map.version - sent_->map.version;
  sent_ = std::move(saved);
  had_a_world_ = true;
  options_.new_world = false;
  durable_ = covers;
  ++news_;
  if (durable_ < kept_) save();
}

/// Retried later, with all decisions made until then.
void Leadership::on_refused(const std::string& why) {
  ++save_failures_;
  ++news_;
  failing_ = why;
  again_at_us_ = now_.monotonic_us + again_us;
  if (sent_) core_->keep_time(sent_->map.time);
}

Tally Leadership::tally() const {
  Tally out = past_;
  if (!core_) return out;
  out.deaths += core_->deaths();
  out.failovers += core_->failovers();
  out.promotions_without_inputs += core_->promotions_without_inputs();
  out.quarantined += core_->quarantined();
  out.reports_refused += core_->reports_refused();
  out.rate_changes += core_->rate_changes();
  out.fabric_key_changes += core_->fabric_key_changes();
  for (std::size_t kind = 0; kind < change_kinds; ++kind) {
    out.changes[kind] += core_->changes()[kind];
  }
  return out;
}

}  // namespace perigee::directory
