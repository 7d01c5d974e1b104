/// Which web pages may log in: the rule for the Origin of a browser's request (CORS).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/base/result.hpp"

namespace perigee::session {

class Origins {
 public:
  /// `list`: origins as browsers send them, separated by commas. ":*" instead of a port: any port,
  /// or none. "*" alone: every page.
  static Result<Origins> parse(std::string_view list);
  /// Pages of a web server on the player's own machine.
  void add_loopback();

  /// The value of Access-Control-Allow-Origin for a page of `origin`; none: it may not log in.
  std::optional<std::string> answer_to(std::string_view origin) const;

 private:
  std::vector<std::string> allowed_;
  bool every_page_ = false;
};

}  // namespace perigee::session
