/// A call that waits until its server listens, and until it has answered.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>

#include "process/slowness.hpp"

namespace perigee::process_test {

struct PatientCall : grpc::ClientContext {
  PatientCall() {
    set_wait_for_ready(true);
    set_deadline(std::chrono::system_clock::now() + patience);
  }
};

}  // namespace perigee::process_test
