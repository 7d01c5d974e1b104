// Clients in other languages, against a cluster. A script for each compiles and runs the program of
// its page; exit code 77: a tool of that language is missing.
#include <fstream>

#include "perigee/host/secrets.hpp"
#include "process/cluster/cluster.hpp"

namespace perigee::process_test {
namespace {

class AnSdk : public ACluster {
 protected:
  /// Runs tests/process/sdk/SCRIPT ROOT LIBRARY URL CREDENTIAL LIBRARY_WITH_INPUT_FIELDS in the
  /// cluster's folder.
  void plays_as(const std::string& script) {
    start_all();
    std::string secret;
    std::ifstream(folder / host::dev_secret_file) >> secret;
    const std::string path = std::string(PERIGEE_ROOT "/tests/process/sdk/") + script;
    const std::string url = "http://127.0.0.1:" + std::to_string(base + 13);
    Child player({"/bin/sh", "-c", R"(cd "$1" && shift && exec "$@")", "sh", folder.string(), path,
                  PERIGEE_ROOT, PERIGEE_ENGINE_LIBRARY, url, secret, PERIGEE_FIELDS_LIBRARY});
    // In a long run some compile first, for minutes; the time limit of the test ends those that
    // hang.
    int code = player.wait();
    while (code == -1) code = player.wait();
    if (code == 77) GTEST_SKIP() << player.output();
    EXPECT_EQ(code, 0);
    std::cout << player.output();
  }
};

TEST_F(AnSdk, OfPythonPlaysAsItsPageSays) { plays_as("python.sh"); }
TEST_F(AnSdk, ForUnityPlaysWithoutGarbage) { plays_as("unity.sh"); }
TEST_F(AnSdk, OfNpmPlaysInNodeAsItsPageSays) { plays_as("npm.sh"); }
TEST_F(AnSdk, ForUnrealPlaysAndFitsItsInterface) { plays_as("unreal.sh"); }
TEST_F(AnSdk, ForGodotPlaysWithoutGodot) { plays_as("godot.sh"); }
TEST_F(AnSdk, InOneFileNeedsOnlyTheCLibrary) { plays_as("single_file.sh"); }
TEST_F(AnSdk, ForWindowsPlaysInWine) { plays_as("windows.sh"); }

// A game with input fields of its own, without a cluster.
TEST(AnSdkOfAGameWithInputFields, SetsThemFromC) {
  Child fields({PERIGEE_FIELDS_BINARY});
  EXPECT_EQ(fields.wait(), 0) << fields.output();
}
TEST(AnSdkOfAGameWithInputFields, SetsThemFromPython) {
  Child fields({"/usr/bin/env", "PYTHONPATH=" PERIGEE_ROOT "/sdk/python", "python3", "-B",
                PERIGEE_ROOT "/tests/process/sdk/fields/fields.py", PERIGEE_FIELDS_LIBRARY});
  const int code = fields.wait();
  if (code == 127) GTEST_SKIP() << "python3 is not installed";
  EXPECT_EQ(code, 0) << fields.output();
}

}  // namespace
}  // namespace perigee::process_test
