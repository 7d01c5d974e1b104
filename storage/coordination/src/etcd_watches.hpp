/// The watches of a member, each over a stream that is resumed where it ended.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "etcd_requests.hpp"

namespace perigee::coordination {

class EtcdWatches {
 public:
  struct Needs {
    const EtcdKeys& keys;
    EtcdWire& wire;
    Inbox& inbox;
    const Micros& now_us;
    std::function<bool()> ready;
    std::function<void(const std::string& endpoint, const grpc::Status&)> failed;
  };
  explicit EtcdWatches(Needs needs) : needs_(std::move(needs)) {}

  WatchId watch(const std::string& prefix, Revision after, WatchEvents events);
  void unwatch(WatchId id) { watches_.erase(id); }
  void advance();
  /// The endpoint has changed: the streams begin anew there.
  void interrupt();
  /// All watches are behind().
  void end_all(const std::string& why);

 private:
  struct Watching {
    std::string prefix;
    Revision after = 0;
    WatchEvents events;
    std::unique_ptr<Subscription> subscription;
    Micros again_at_us = 0;
  };

  void subscribe(WatchId id, Watching& watching);
  void on_changes(WatchId id, const pb::WatchResponse& response);
  void end(WatchId id, const std::string& why);

  const Needs needs_;
  WatchId newest_ = 0;
  std::map<WatchId, Watching> watches_;
};

}  // namespace perigee::coordination
