/// Makes the challenges of a server's handshakes, and judges the challenges that come back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/address.hpp"
#include "perigee/transport/challenge.hpp"
#include "perigee/transport/constants.hpp"
#include "perigee/transport/drops.hpp"
#include "perigee/transport/handshake_table.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::transport {

class Challenges {
 public:
  struct Needs {
    Key challenge_key;  ///< seals challenges
    Key binding_key;    ///< binds them to address and token
  };
  explicit Challenges(const Needs& needs) : needs_(needs) {}

  /// The body of the next challenge packet for that handshake.
  std::array<std::byte, challenge_body_bytes> make(const Handshake& handshake);
  /// The reason to refuse a challenge that this handshake's address has sent back; none: it was
  /// made for this handshake.
  std::optional<Drop> judge(const Handshake& handshake,
                            std::span<const std::byte, challenge_body_bytes> body) const;

 private:
  Needs needs_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace perigee::transport
