/// Error of a port that cannot be opened, with the remedy.
#pragma once

#include <string_view>

#include "perigee/base/address.hpp"
#include "perigee/base/result.hpp"

namespace perigee::host {

enum class PortOf : char { Udp = 'u', Tcp = 't' };  ///< option letters of ss

/// `what` names the port, e.g. "admin port"; `error_number` is an errno value, or libuv's, which is
/// the negated errno.
Error listen_error(std::string_view what, PortOf protocol, const Address& local, int error_number);

}  // namespace perigee::host
