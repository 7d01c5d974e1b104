// Messages of processes to a service manager such as systemd.
#include <gmock/gmock.h>

#include "notify_socket.hpp"
#include "session_fixture.hpp"

namespace perigee::process_test {
namespace {

using testing::StartsWith;

class AManagedProcess : public ASessionProcess {
 protected:
  /// `command` with the environment that systemd gives to a service of Type=notify.
  std::vector<std::string> managed(const std::string& binary) {
    std::vector<std::string> all{"/usr/bin/env", "NOTIFY_SOCKET=" + socket.path(),
                                 "WATCHDOG_USEC=150000"};
    for (std::string& word : command(binary)) all.push_back(std::move(word));
    return all;
  }
  std::string next_state() { return socket.take_state(patience_ms); }

  static constexpr int patience_ms = static_cast<int>(std::chrono::milliseconds(patience).count());
  NotifySocket socket{(folder / "notify").string()};
};

TEST_F(AManagedProcess, SaysThatItServesThatItLivesAndThatItStops) {
  Child directory(managed(PERIGEE_DIRECTORY_BINARY));
  ASSERT_EQ(next_state(), "READY=1") << directory.output();
  EXPECT_EQ(socket.take(patience_ms), "WATCHDOG=1");
  EXPECT_EQ(socket.take(patience_ms), "WATCHDOG=1");
  directory.signal(SIGTERM);
  EXPECT_EQ(next_state(), "STOPPING=1");
  EXPECT_EQ(directory.wait(), 0) << directory.output();
}

TEST_F(AManagedProcess, GivesNoSignOfLifeWhileItHangs) {
  Child directory(managed(PERIGEE_DIRECTORY_BINARY));
  ASSERT_EQ(next_state(), "READY=1") << directory.output();
  directory.signal(SIGSTOP);
  while (!socket.take(500).empty()) {  // those that were on their way
  }
  directory.signal(SIGCONT);
  EXPECT_EQ(socket.take(patience_ms), "WATCHDOG=1");
}

TEST_F(AManagedProcess, AnnouncesThatItReadsItsKeysAgain) {
  Child session(managed(PERIGEE_SESSION_BINARY));
  ASSERT_EQ(next_state(), "READY=1") << session.output();
  session.signal(SIGHUP);
  EXPECT_THAT(next_state(), StartsWith("RELOADING=1\nMONOTONIC_USEC="));
  EXPECT_EQ(next_state(), "READY=1");
  EXPECT_TRUE(session.says("key reloaded")) << session.output();
  session.signal(SIGTERM);
  EXPECT_EQ(next_state(), "STOPPING=1");
  EXPECT_EQ(session.wait(), 0) << session.output();
}

}  // namespace
}  // namespace perigee::process_test
