#include "process/journal_watch.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "perigee/skiff/fighter.hpp"
#include "perigee/worker/durability/checkpoint.hpp"

namespace perigee::process_test {
namespace {

using world::JournalEntry;

/// All fields, in an order for maps.
auto key_of(const JournalEntry& entry) {
  return std::tuple(entry.tick.count, entry.index, entry.kind, entry.actor, entry.target,
                    entry.amount);
}

std::string describe(const JournalEntry& entry) {
  std::ostringstream out;
  out << "kind " << unsigned{entry.kind} << " of tick " << entry.tick.count << ", index "
      << unsigned{entry.index} << ", by " << entry.actor << " to " << entry.target << ", "
      << entry.amount;
  return out.str();
}

}  // namespace

std::vector<SentOutcome> read_outcome_log(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  std::vector<SentOutcome> out;
  while (std::getline(in, line) && !in.eof()) {
    std::istringstream fields(line);
    double at_s = 0;
    char comma = 0;
    unsigned index = 0, kind = 0;
    SentOutcome sent;
    JournalEntry& entry = sent.entry;
    fields >> at_s >> comma >> sent.bot >> comma >> entry.tick.count >> comma >> index >> comma >>
        kind >> comma >> entry.actor >> comma >> entry.target >> comma >> entry.amount;
    entry.index = static_cast<std::uint8_t>(index);
    entry.kind = static_cast<std::uint8_t>(kind);
    if (fields) out.push_back(sent);
  }
  return out;
}

std::vector<std::string> sent_again(const std::vector<SentOutcome>& sent) {
  std::vector<std::string> out;
  std::set<decltype(std::tuple_cat(std::tuple(0U), key_of({})))> known;
  for (const auto& [bot, entry] : sent) {
    if (known.insert(std::tuple_cat(std::tuple(bot), key_of(entry))).second) continue;
    out.push_back("bot " + std::to_string(bot) + ": " + describe(entry));
  }
  return out;
}

Result<Ok> JournalWatch::look() {
  world_store::JournalQuery query{.after = Tick{0}};
  while (true) {
    const auto page = store_->read_journal(query);
    if (!page) return page.error();
    for (const world_store::JournalRow& row : *page) note(row);
    if (page->size() < query.rows_max) return Ok{};
    query.beyond = page->back().id;
  }
}

void JournalWatch::note(const world_store::JournalRow& row) {
  const auto entry = worker::entry_of(row.payload);
  if (!entry) {
    changed_.push_back("a row cannot be read");
    return;
  }
  const Name name{row.id.target, row.id.tick.count, row.id.kind, row.id.ordinal};
  const auto [known, is_news] = rows_.try_emplace(name, Row{row, *entry});
  if (!is_news && known->second.row != row) {
    changed_.push_back("another row than before: " + describe(*entry));
  }
}

Incarnation JournalWatch::newest_incarnation(WorkerSlot slot) const {
  Incarnation newest;
  for (const auto& [name, known] : rows_) {
    if (known.row.slot == slot) newest = std::max(newest, known.row.incarnation);
  }
  return newest;
}

std::size_t JournalWatch::rows_up_to(WorkerSlot slot, Incarnation incarnation) const {
  return static_cast<std::size_t>(std::count_if(rows_.begin(), rows_.end(), [&](const auto& each) {
    return each.second.row.slot == slot && each.second.row.incarnation <= incarnation;
  }));
}

std::vector<std::string> JournalWatch::missing(const std::vector<SentOutcome>& sent) const {
  std::map<decltype(key_of({})), int> times_of;
  for (const auto& [name, known] : rows_) ++times_of[key_of(known.entry)];
  std::vector<std::string> out;
  for (const auto& [bot, entry] : sent) {
    const auto found = times_of.find(key_of(entry));
    const int times = found == times_of.end() ? 0 : found->second;
    if (times == 1) continue;
    out.push_back("bot " + std::to_string(bot) + " was sent " + describe(entry) + "; it is " +
                  std::to_string(times) + " times in the journal");
  }
  return out;
}

// One shot kills one player, and no player dies twice without a respawn.
std::vector<std::string> JournalWatch::contradictions() const {
  std::vector<std::string> out = changed_;
  std::map<std::tuple<Handle, std::uint32_t, std::uint8_t>, JournalEntry> by_shot;
  std::map<Handle, JournalEntry> died;
  std::vector<JournalEntry> kills;
  for (const auto& [name, known] : rows_) {
    if (known.entry.kind == skiff::kill_entry) kills.push_back(known.entry);
  }
  std::sort(kills.begin(), kills.end(),
            [](const auto& a, const auto& b) { return before(a.tick, b.tick); });
  for (const JournalEntry& kill : kills) {
    const auto [shot, first] = by_shot.try_emplace({kill.actor, kill.tick.count, kill.index}, kill);
    if (!first) {
      out.push_back("one shot, two deaths: " + describe(shot->second) + "; " + describe(kill));
    }
    const auto [last, never] = died.try_emplace(kill.target, kill);
    if (!never && ticks_between(last->second.tick, kill.tick) < life_ticks_min) {
      out.push_back("dead twice in one life: " + describe(last->second) + "; " + describe(kill));
    }
    last->second = kill;
  }
  return out;
}

}  // namespace perigee::process_test
