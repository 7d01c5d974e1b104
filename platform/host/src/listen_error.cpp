#include "listen_error.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace perigee::host {

Error listen_error(std::string_view what, PortOf protocol, const Address& local, int error_number) {
  const int number = std::abs(error_number);
  const std::string where = std::string(what) + " " + to_string(local) + ": ";
  if (number == EADDRINUSE) {
    return Error{
        where +
        "the port is in use; choose another --port-base, or find the process that holds it: " +
        "ss -l" + static_cast<char>(protocol) + "np 'sport = :" + std::to_string(local.port) + "'"};
  }
  if (number == EADDRNOTAVAIL) {
    return Error{
        where +
        "not an address of this machine; --listen takes one that `ip -brief address` lists"};
  }
  return Error{where + std::strerror(number)};
}

}  // namespace perigee::host
