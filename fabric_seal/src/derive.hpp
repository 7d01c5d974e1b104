/// The key of one direction between two processes, by keyed BLAKE2b of the directory's key.
#pragma once

#include "perigee/base/fabric.hpp"
#include "perigee/base/fabric_keys.hpp"

namespace perigee::fabric_seal {

/// One end of a direction. `run` distinguishes a process from others that have had its slot.
struct End {
  FabricSender kind = FabricSender::Gateway;
  std::uint16_t slot = 0;
  std::uint64_t run = 0;
};

FabricKeyBytes derive(const FabricKey& key, std::uint32_t cluster_id, const End& sender,
                      const End& receiver);

}  // namespace perigee::fabric_seal
