#include "perigee/host/fabric_keys_proto.hpp"

#include <algorithm>
#include <cstring>

#include "directory.pb.h"

namespace perigee::host {
namespace v1 = directory::v1;
namespace {

Result<FabricKey> read_key(const v1::FabricKey& from) {
  const bool known = from.sealing() >= 0 && from.sealing() <= static_cast<int>(FabricSealing::last);
  FabricKey key{.epoch = from.epoch(), .sealing = static_cast<FabricSealing>(from.sealing())};
  const std::size_t bytes = key.sealing == FabricSealing::Plain ? 0 : key.bytes.size();
  if (!known || key.epoch == 0 || from.key().size() != bytes) {
    return Error{
        "the directory's key of the fabric is malformed; do the directory and this process have "
        "the same version?"};
  }
  std::memcpy(key.bytes.data(), from.key().data(), bytes);
  return key;
}

}  // namespace

void write_fabric_keys(const FabricKeys& keys, v1::FabricKeys& message) {
  message.set_deal(keys.deal);
  message.set_oldest(keys.oldest);
  message.set_send(keys.send);
  for (const FabricKey& from : keys.keys) {
    v1::FabricKey& to = *message.add_keys();
    to.set_epoch(from.epoch);
    to.set_sealing(static_cast<v1::FabricSealing>(from.sealing));
    if (from.sealing != FabricSealing::Plain) to.set_key(from.bytes.data(), from.bytes.size());
  }
}

Result<FabricKeys> read_fabric_keys(const v1::FabricKeys& message, std::uint32_t cluster_id) {
  FabricKeys keys{.cluster_id = cluster_id,
                  .deal = message.deal(),
                  .oldest = message.oldest(),
                  .send = message.send()};
  const int count = std::min(message.keys_size(), static_cast<int>(fabric_keys_max));
  for (int i = 0; i < count; ++i) {
    const auto key = read_key(message.keys(i));
    if (!key) return key.error();
    keys.keys.push_back(*key);
  }
  return keys;
}

}  // namespace perigee::host
