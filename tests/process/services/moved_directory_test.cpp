// A directory restarts under the same name, but at another address, as containers do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "perigee/directory/core.hpp"
#include "process/child.hpp"

namespace perigee::process_test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

class ADirectoryWithAName : public testing::Test {
 protected:
  static constexpr const char* name = "directory.perigee.test";

  ADirectoryWithAName() {
    std::string made = (fs::temp_directory_path() / "perigee-test-XXXXXX").string();
    folder = mkdtemp(made.data());
    is_at("127.0.0.2");
  }
  ~ADirectoryWithAName() override { fs::remove_all(folder); }

  /// Processes started by knowing() resolve the name to `address` from now on.
  void is_at(const std::string& address) const {
    std::ofstream(folder / "hosts") << "127.0.0.1 localhost\n" << address << ' ' << name << '\n';
  }
  std::vector<std::string> command(const std::string& binary,
                                   const std::vector<std::string>& more) const {
    std::vector<std::string> all{binary, "--port-base", std::to_string(base), "--state-dir",
                                 folder.string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// A command that runs `what` with its own hosts file.
  std::vector<std::string> knowing(const std::vector<std::string>& what) const {
    std::vector<std::string> all{
        "/usr/bin/unshare",
        "--mount",
        "/bin/sh",
        "-c",
        "mount --bind '" + (folder / "hosts").string() + R"(' /etc/hosts && exec "$@")",
        "sh"};
    all.insert(all.end(), what.begin(), what.end());
    return all;
  }

  const unsigned base = free_port_base();
  fs::path folder;
};

TEST_F(ADirectoryWithAName, IsFoundAtItsNewAddressBeforeItsMembersAreDead) {
  if (Child may(knowing({"/bin/true"})); may.wait() != 0) {
    GTEST_SKIP() << "no file of hosts of its own for a process: " << may.output();
  }
  std::optional<Child> directory;
  directory.emplace(command(PERIGEE_DIRECTORY_BINARY, {"--listen", "127.0.0.2"}));
  ASSERT_TRUE(directory->says("ready")) << directory->output();
  std::string target = name;
  target.append(":").append(std::to_string(base + 11));
  Child member(knowing(command(PERIGEE_SESSION_BINARY, {"--directory", target})));
  ASSERT_TRUE(member.says("listening")) << member.output();
  const auto has_no_map = [&] {
    return http_get(base + 101, "/ready").find("no map") != std::string::npos;
  };
  ASSERT_TRUE(comes([&] { return !has_no_map(); })) << member.output();

  directory.reset();  // SIGKILL
  ASSERT_TRUE(member.says("does not answer")) << member.output();
  is_at("127.0.0.3");
  directory.emplace(command(PERIGEE_DIRECTORY_BINARY, {"--listen", "127.0.0.3"}));
  ASSERT_TRUE(directory->says("ready")) << directory->output();
  const auto there = Clock::now();
  ASSERT_TRUE(member.says("directory answers again")) << member.output();
  EXPECT_LT(Clock::now() - there,
            std::chrono::microseconds(directory::CoreSettings{}.silence_us_max) * slowness);
}

}  // namespace
}  // namespace perigee::process_test
