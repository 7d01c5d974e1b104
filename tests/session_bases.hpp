/// Own sections that later ones build on, for readers of the blocks of many sessions.
#pragma once

#include <map>

#include "perigee/base/fabric.hpp"
#include "perigee/base/own_bases.hpp"

namespace perigee::test {

class SessionBases {
 public:
  void add(SessionId session, const OwnSection& own) { of_[session].add(any_worker, own); }
  const OwnBasis* find(SessionId session, Tick tick) const {
    const auto found = of_.find(session);
    return found == of_.end() ? nullptr : found->second.find(any_worker, tick);
  }

 private:
  static constexpr std::uint8_t any_worker = 1;
  std::map<SessionId, OwnBases> of_;
};

}  // namespace perigee::test
