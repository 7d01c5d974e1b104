#include "perigee/host/service_manager.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <string>

#include "notify_socket.hpp"
#include "temporary_folder.hpp"

namespace perigee::host {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::int64_t own_pid = 4711;
constexpr int soon_ms = 5'000;

TEST(ServiceManagerEnvironment, NamesSocketAndWatchdog) {
  const auto options = parse_service_manager("/run/systemd/notify", "10000000", "4711", own_pid);
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->socket, "/run/systemd/notify");
  EXPECT_EQ(options->watchdog_us, 10'000'000);
  EXPECT_EQ(parse_service_manager("@perigee", "5", nullptr, own_pid)->watchdog_us, 5);
}

TEST(ServiceManagerEnvironment, HasNoManagerWithoutASocket) {
  EXPECT_EQ(parse_service_manager(nullptr, "10", "4711", own_pid)->socket, "");
  EXPECT_EQ(parse_service_manager("", "nonsense", nullptr, own_pid)->watchdog_us, 0);
}

TEST(ServiceManagerEnvironment, IgnoresAWatchdogOfAnotherProcess) {
  const auto options = parse_service_manager("/run/n", "10", "4712", own_pid);
  EXPECT_EQ(options->socket, "/run/n");
  EXPECT_EQ(options->watchdog_us, 0);
}

TEST(ServiceManagerEnvironment, NamesTheVariableThatCannotBeUsed) {
  const auto why = [](const char* socket, const char* usec, const char* pid) {
    const auto options = parse_service_manager(socket, usec, pid, own_pid);
    return options.ok() ? std::string() : options.error().message;
  };
  EXPECT_THAT(why("run/notify", nullptr, nullptr), HasSubstr("NOTIFY_SOCKET='run/notify'"));
  EXPECT_THAT(why("@", nullptr, nullptr), HasSubstr("NOTIFY_SOCKET"));
  EXPECT_THAT(why(("/" + std::string(107, 'x')).c_str(), nullptr, nullptr),
              HasSubstr("NOTIFY_SOCKET"));
  EXPECT_EQ(why(("/" + std::string(106, 'x')).c_str(), nullptr, nullptr), "");
  for (const char* bad : {"", "0", "-1", "1s", " 1", "99999999999999999999"}) {
    EXPECT_THAT(why("/n", bad, nullptr), HasSubstr("WATCHDOG_USEC")) << bad;
    EXPECT_THAT(why("/n", "1", bad), HasSubstr("WATCHDOG_PID")) << bad;
  }
}

class AServiceManager : public testing::Test {
 protected:
  /// Runs the loop until `end` is true.
  template <class End>
  void run_until(End end) {
    Timer look(loop, [&] {
      if (end()) loop.stop();
    });
    look.every(5'000);
    loop.run();
  }

  TemporaryFolder folder;
  Loop loop;
  NotifySocket socket{(folder.path() / "notify").string()};
};

TEST_F(AServiceManager, HearsOfTheStartAndThatTheLoopTurns) {
  ServiceManager manager(loop, {.socket = socket.path(), .watchdog_us = 30'000});
  manager.serving();
  EXPECT_EQ(socket.take(soon_ms), "READY=1");
  int lives = 0;
  run_until([&] { return (lives += socket.take(0) == "WATCHDOG=1" ? 1 : 0) >= 3; });
  // A loop that stands still sends nothing.
  while (!socket.take(0).empty()) {
  }
  EXPECT_EQ(socket.take(200), "");
}

TEST_F(AServiceManager, IsNotSentSignsOfLifeWithoutAWatchdog) {
  ServiceManager manager(loop, {.socket = socket.path()});
  manager.serving();
  EXPECT_EQ(socket.take(soon_ms), "READY=1");
  int turns = 0;
  run_until([&] { return ++turns == 20; });
  EXPECT_EQ(socket.take(0), "");
}

TEST_F(AServiceManager, HearsOfAReloadBeforeAndAfterIt) {
  ServiceManager manager(loop, {.socket = socket.path()});
  std::string during;
  manager.reload([&] { during = socket.take(soon_ms); });
  EXPECT_THAT(during, StartsWith("RELOADING=1\nMONOTONIC_USEC="));
  EXPECT_EQ(socket.take(soon_ms), "READY=1");
}

TEST_F(AServiceManager, HearsOfTheEnd) {
  ServiceManager manager(loop, {.socket = socket.path(), .watchdog_us = 1'000'000});
  manager.stopping();
  EXPECT_EQ(socket.take(soon_ms), "STOPPING=1");
}

TEST_F(AServiceManager, GetsTheNewestStateOnceItsQueueHasRoom) {
  ServiceManager manager(loop, {.socket = socket.path(), .watchdog_us = 30'000});
  int messages = 0;
  // Linux keeps net.unix.max_dgram_qlen datagrams; these are more.
  for (int i = 0; i < 2'000; ++i) manager.reload([] {});
  manager.stopping();
  while (!socket.take(0).empty()) ++messages;
  EXPECT_LT(messages, 4'000);
  manager.serving();
  std::string state;
  run_until([&] {
    const std::string message = socket.take(0);
    if (message.find('=') != std::string::npos && message != "WATCHDOG=1") state = message;
    return !state.empty();
  });
  EXPECT_EQ(state, "READY=1");
}

TEST_F(AServiceManager, IsNotMissedIfItDoesNotListen) {
  ServiceManager manager(loop,
                         {.socket = (folder.path() / "nobody").string(), .watchdog_us = 3'000});
  manager.serving();
  int turns = 0;
  run_until([&] { return ++turns == 10; });
  manager.stopping();
}

TEST_F(AServiceManager, MayBeAbsent) {
  ServiceManager manager(loop, {});
  bool ran = false;
  manager.serving();
  manager.reload([&] { ran = true; });
  manager.stopping();
  EXPECT_TRUE(ran);
  EXPECT_EQ(socket.take(0), "");
}

}  // namespace
}  // namespace perigee::host
