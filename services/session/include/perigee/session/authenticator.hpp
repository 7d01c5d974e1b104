/// Who may play: the seam behind which accounts, tickets and platforms come later.
#pragma once

#include <string>
#include <string_view>

namespace perigee::session {

class Authenticator {
 public:
  virtual ~Authenticator() = default;
  /// Takes the same time for every wrong credential of one length.
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
