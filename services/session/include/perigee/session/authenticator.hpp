/// Decides which players may play: the interface for future accounts, tickets and platforms.
#pragma once

#include <string>
#include <string_view>

namespace perigee::session {

class Authenticator {
 public:
  virtual ~Authenticator() = default;
  /// Takes the same time for every wrong credential of a given length.
  virtual bool admits(std::string_view player_name, std::string_view credential) const = 0;
};

/// One secret for all players, for development and tests.
class DevelopmentSecret : public Authenticator {
 public:
  explicit DevelopmentSecret(std::string secret);
  bool admits(std::string_view player_name, std::string_view credential) const override;

 private:
  std::string secret_;
};

}  // namespace perigee::session
