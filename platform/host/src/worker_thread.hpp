/// Starts threads beside the loop's thread; they block signals, which the loop handles.
#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace perigee::host {

/// Fault signals stay unblocked: a blocked one would end the process without a crash report.
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
