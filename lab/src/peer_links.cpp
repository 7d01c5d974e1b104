#include "perigee/lab/peer_links.hpp"

#include "perigee/base/assert.hpp"

namespace perigee::lab {

void PeerLinks::send(Party from, Party to, std::vector<Bytes> words, Micros transit_us,
                     bool in_order) {
  for (const Bytes& word : words) {
    PERIGEE_ASSERT(!word.empty() && word.size() <= word_bytes_max,
                   "a message must have 1 to word_bytes_max bytes");
  }
  Link& link = links_[between(from, to)];
  if (!link.up) return;
  Micros at_us = queue_.now_us() + transit_us;
  if (in_order) {
    Micros& last_us = link.last_us[from < to ? 0 : 1];
    at_us = last_us = std::max(last_us, at_us);
  }
  queue_.at(at_us, [this, number = link.number,
                    group = Group{from, to, workers_.incarnation(to), std::move(words)}] {
    arrive(number, group);
  });
}

void PeerLinks::arrive(std::uint32_t number, const Group& group) {
  Link& link = links_[between(group.from, group.to)];
  if (link.number != number) return;
  if (net_.cut(group.from, group.to) || !link.held.empty()) return link.held.push_back(group);
  deliver(group);
}

// A stalled process receives everything once it resumes, including messages of a lost connection.
void PeerLinks::deliver(const Group& group) {
  const Micros until_us = workers_.stands_still_until_us(group.to);
  if (until_us > queue_.now_us()) {
    return queue_.at(until_us + 1, [this, group] { deliver(group); });
  }
  for (const Bytes& word : group.words) {
    if (workers_.incarnation(group.to) == group.incarnation)
      workers_.receive(group.from, group.to, word);
  }
}

void PeerLinks::on_cut(Party a, Party b) {
  Link& link = links_[between(a, b)];
  queue_.after(silence_us_max, [this, a, b, cuts = ++link.cuts, number = link.number] {
    const Link& now = links_[between(a, b)];
    if (now.cuts == cuts && now.number == number && net_.cut(a, b)) lose(a, b);
  });
}

void PeerLinks::on_mended(Party a, Party b) {
  ++links_[between(a, b)].cuts;
  queue_.after(resend_us, [this, a, b] {
    Link& link = links_[between(a, b)];
    if (net_.cut(a, b)) return;
    for (const Group& group : std::exchange(link.held, {})) deliver(group);
    if (!workers_.know_each_other(a, b)) lose(a, b);
  });
}

void PeerLinks::lose(Party a, Party b) {
  Link& link = links_[between(a, b)];
  if (!link.up) return;
  link.up = false;
  ++link.number;
  link.lost_us = queue_.now_us();
  link.held.clear();
  report_lost(a, b);
  report_lost(b, a);
  dial(a, b, redial_us_min);
}

void PeerLinks::report_lost(Party at, Party with) {
  const Micros until_us = workers_.stands_still_until_us(at);
  const auto report = [this, at, with, incarnation = workers_.incarnation(at)] {
    if (workers_.incarnation(at) == incarnation) workers_.lost(at, with);
  };
  // After all messages of that connection.
  until_us > queue_.now_us() ? queue_.at(until_us + 2, report) : report();
}

void PeerLinks::dial(Party a, Party b, Micros wait_us) {
  queue_.after(wait_us, [this, a, b, wait_us, number = links_[between(a, b)].number] {
    Link& link = links_[between(a, b)];
    if (link.up || link.number != number) return;
    const Micros now_us = queue_.now_us();
    const bool both_run = workers_.stands_still_until_us(a) <= now_us &&
                          workers_.stands_still_until_us(b) <= now_us && !net_.cut(a, b);
    link.up = both_run && workers_.know_each_other(a, b);
    if (!link.up) dial(a, b, std::min(2 * wait_us, redial_us_max));
  });
}

// The system closes a dead process's connections. Behind a cut, the peer notices that only when the
// cut ends, or after too long a silence.
void PeerLinks::on_death(Party who, std::uint32_t workers) {
  for (Party other = 0; other < workers; ++other) {
    if (other == who) continue;
    const auto close = [this, who, other, number = links_[between(who, other)].number] {
      if (links_[between(who, other)].number == number) lose(who, other);
    };
    if (!net_.cut(who, other)) queue_.after(fabric_delay_us, close);
  }
}

void PeerLinks::on_standstill(Party who, std::uint32_t workers) {
  const Micros until_us = workers_.stands_still_until_us(who);
  for (Party other = 0; other < workers; ++other) {
    if (other == who) continue;
    const auto give_up = [this, who, other, until_us, number = links_[between(who, other)].number] {
      const bool stands = workers_.stands_still_until_us(who) == until_us;
      if (stands && links_[between(who, other)].number == number) lose(who, other);
    };
    if (until_us > queue_.now_us() + silence_us_max) queue_.after(silence_us_max, give_up);
  }
}

}  // namespace perigee::lab
