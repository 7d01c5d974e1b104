/// Threads beside the loop's: signals to the process are the loop's business.
#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace perigee::host {

/// Faults stay unblocked: a blocked one would end the process without its report.
template <class Run>
std::thread start_worker_thread(Run run) {
  sigset_t others, before;
  sigfillset(&others);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&others, fault);
  pthread_sigmask(SIG_SETMASK, &others, &before);
  std::thread thread(std::move(run));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace perigee::host
