/// Calls of tests: whoever is to answer may not listen yet, and may take its time.
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
