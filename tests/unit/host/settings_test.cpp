#include "perigee/host/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>

#include "temporary_folder.hpp"

namespace perigee::host {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class SomeSettings : public testing::Test {
 protected:
  SomeSettings() {
    settings.number("port_base", &port_base, {1, 65'000}, "port", "first port");
    settings.number("sim.tick_rate_hz", &tick_rate_hz, {30, 120}, "Hz", "ticks per second");
    settings.number("sim.playout.gain", &gain, {0.0, 1.0}, "", "how eagerly");
    settings.numbers("replication.rings_m", rings_m, {1.0, 5000.0}, "m", "ring radii");
    settings.choice("log.format", &format, {"text", "json"}, "format of lines");
    settings.flag("insecure", &insecure, "allow it");
    settings.text("name", &name, "unique name");
  }
  Settings::Loaded load(std::vector<std::string> arguments) {
    return settings.load(arguments, [this](const std::string& variable) {
      const auto found = environment.find(variable);
      return found == environment.end() ? std::nullopt : std::optional(found->second);
    });
  }
  std::string file(const std::string& text) {
    const auto path = folder.path() / "settings.toml";
    std::ofstream(path) << text;
    return path.string();
  }

  TemporaryFolder folder;
  std::map<std::string, std::string> environment;
  std::uint16_t port_base = 40000;
  int tick_rate_hz = 60;
  double gain = 0.5;
  std::array<double, 3> rings_m{80, 300, 800};
  std::string format = "text";
  bool insecure = false;
  std::string name;
  Settings settings{"perigee-test", "A process.", "  perigee-test --name a"};
};

TEST_F(SomeSettings, KeepTheirDefaultsWhenNobodySpeaks) {
  const auto loaded = load({});
  EXPECT_FALSE(loaded.exit_code);
  EXPECT_EQ(tick_rate_hz, 60);
}

TEST_F(SomeSettings, AreTakenUnderTheirFormerKeys) {
  settings.former("sim.tick_rate_hz", "sim.rate_hz");
  EXPECT_FALSE(load({"--config", file("[sim]\nrate_hz = 40\n")}).exit_code);
  EXPECT_EQ(tick_rate_hz, 40);
  environment["PERIGEE_SIM_RATE_HZ"] = "50";
  EXPECT_FALSE(load({}).exit_code);
  EXPECT_EQ(tick_rate_hz, 50);
  environment["PERIGEE_SIM_TICK_RATE_HZ"] = "60";
  EXPECT_FALSE(load({}).exit_code);
  EXPECT_EQ(tick_rate_hz, 60) << "the present name has precedence";
  EXPECT_FALSE(load({"--sim-rate-hz", "70"}).exit_code);
  EXPECT_EQ(tick_rate_hz, 70);
  EXPECT_THAT(settings.print(), Not(HasSubstr("\nrate_hz")));
}

TEST_F(SomeSettings, TakeFlagsOverEnvironmentOverFile) {
  const std::string path =
      file("port_base = 1000\n[sim]\ntick_rate_hz = 40\nplayout.gain = 0.25\n");
  environment["PERIGEE_PORT_BASE"] = "2000";
  environment["PERIGEE_SIM_TICK_RATE_HZ"] = "50";
  const auto loaded = load({"--config", path, "--sim-tick-rate-hz", "90"});
  EXPECT_FALSE(loaded.exit_code) << loaded.to_stderr;
  EXPECT_EQ(tick_rate_hz, 90);
  EXPECT_EQ(port_base, 2000);
  EXPECT_EQ(gain, 0.25);
}

TEST_F(SomeSettings, UnderstandFlagsListsAndChoices) {
  const auto loaded = load({"--insecure", "--replication-rings-m=1,2.5,3", "--log-format=json"});
  EXPECT_FALSE(loaded.exit_code) << loaded.to_stderr;
  EXPECT_TRUE(insecure);
  EXPECT_EQ(rings_m, (std::array<double, 3>{1, 2.5, 3}));
  EXPECT_EQ(format, "json");
}

TEST_F(SomeSettings, NameTheLineAndTheNearestKeyOfAnUnknownOne) {
  const std::string path = file("[sim]\n\ntick_rate = 60\n");
  const auto loaded = load({"--config", path});
  EXPECT_EQ(loaded.exit_code, exit_usage);
  EXPECT_EQ(loaded.to_stderr,
            path + ":3: unknown key 'sim.tick_rate', nearest is 'sim.tick_rate_hz'\n");
}

TEST_F(SomeSettings, PassOverSectionsOfOtherProgramsOnly) {
  EXPECT_FALSE(
      load({"--config", file("[gateway]\nclients_max = 5\n[directory]\nregions = 4\n")}).exit_code);
  EXPECT_THAT(load({"--config", file("[gatway]\nclients_max = 5\n")}).to_stderr,
              HasSubstr(":2: unknown key 'gatway.clients_max'"));
  EXPECT_THAT(load({"--config", file("[log]\nformats = 'json'\n")}).to_stderr,
              HasSubstr(":2: unknown key 'log.formats', nearest is 'log.format'"));
  EXPECT_THAT(load({"--config", file("gateway = 5\n")}).to_stderr,
              HasSubstr(":1: unknown key 'gateway'"));
}

TEST_F(SomeSettings, SayTheRangeOfAValueOutsideIt) {
  EXPECT_EQ(load({"--sim-tick-rate-hz", "500"}).to_stderr,
            "--sim-tick-rate-hz: sim.tick_rate_hz: 500 is not within 30 .. 120 Hz\n");
  EXPECT_EQ(load({"--port-base", "99999999999"}).exit_code, exit_usage);
  EXPECT_EQ(load({"--sim-playout-gain", "nan"}).exit_code, exit_usage);
  const std::string path = file("[sim]\ntick_rate_hz = \"fast\"\n");
  EXPECT_THAT(load({"--config", path}).to_stderr,
              StartsWith(path + ":2: sim.tick_rate_hz: 'fast' is not a whole number"));
}

TEST_F(SomeSettings, AreCheckedTogetherOnceAllAreValid) {
  int checks = 0;
  settings.check([&]() -> Result<Ok> {
    ++checks;
    if (name == "moon") return Error{"name: there is no moon; choose another name"};
    return Ok{};
  });
  EXPECT_FALSE(load({"--name", "sea"}).exit_code);
  const auto refused = load({"--name", "moon", "--check-config"});
  EXPECT_EQ(refused.exit_code, exit_usage);
  EXPECT_EQ(refused.to_stderr, "perigee-test: name: there is no moon; choose another name\n");
  EXPECT_EQ(checks, 2);
  EXPECT_EQ(load({"--port-base", "no"}).exit_code, exit_usage);
  EXPECT_EQ(checks, 2) << "a setting that is wrong by itself is named first";
}

TEST_F(SomeSettings, RefuseWrongSyntaxInEveryPlace) {
  EXPECT_EQ(load({"--unheard-of"}).exit_code, exit_usage);
  EXPECT_EQ(load({"--config", "no/such/file.toml"}).exit_code, exit_usage);
  const auto folder_as_file = load({"--config", folder.path().string()});
  EXPECT_EQ(folder_as_file.exit_code, exit_usage);
  EXPECT_THAT(folder_as_file.to_stderr, HasSubstr("move that folder away"));
  EXPECT_THAT(load({"--config", file("port_base = = 3\n")}).to_stderr, HasSubstr("toml:1: "));
  EXPECT_EQ(load({"--replication-rings-m=1,2"}).exit_code, exit_usage);
  environment["PERIGEE_LOG_FORMAT"] = "xml";
  EXPECT_THAT(load({}).to_stderr, HasSubstr("'xml' is not one of text | json"));
}

TEST_F(SomeSettings, PrintAFileThatLoadsToTheSame) {
  const auto printed = load({"--sim-tick-rate-hz", "90", "--name", "a \"b\"", "--print-config"});
  EXPECT_EQ(printed.exit_code, exit_ok);
  EXPECT_THAT(printed.to_stdout, HasSubstr("; from --sim-tick-rate-hz\ntick_rate_hz = 90\n"));
  tick_rate_hz = 60;
  name.clear();
  const auto loaded = load({"--config", file(printed.to_stdout)});
  EXPECT_FALSE(loaded.exit_code) << loaded.to_stderr;
  EXPECT_EQ(tick_rate_hz, 90);
  EXPECT_EQ(name, "a \"b\"");
}

TEST_F(SomeSettings, PrintWhatTheProgramOffersBesides) {
  settings.printable("metrics", "print the metrics and exit", [] { return "a table\n"; });
  const auto printed = load({"--print-metrics"});
  EXPECT_EQ(printed.exit_code, exit_ok);
  EXPECT_EQ(printed.to_stdout, "a table\n");
  EXPECT_FALSE(load({}).exit_code) << "only when asked for";
}

TEST_F(SomeSettings, PrintControlCharactersSoThatAFileMayHaveThem) {
  const std::string odd = "two\nlines\ttab\x7f\x01";
  const auto printed = load({"--name", odd, "--print-config"});
  EXPECT_THAT(printed.to_stdout, HasSubstr("name = \"two\\u000alines\\u0009tab\\u007f\\u0001\"\n"));
  name.clear();
  const auto loaded = load({"--config", file(printed.to_stdout)});
  EXPECT_FALSE(loaded.exit_code) << loaded.to_stderr;
  EXPECT_EQ(name, odd);
}

TEST_F(SomeSettings, ExplainThemselves) {
  const auto help = load({"--help"});
  EXPECT_EQ(help.exit_code, exit_ok);
  EXPECT_THAT(help.to_stdout, HasSubstr("ticks per second [30 .. 120 Hz; default 60]"));
  EXPECT_THAT(help.to_stdout, HasSubstr("perigee-test --name a"));
  EXPECT_EQ(load({"--check-config"}).exit_code, exit_ok);
  const auto version = load({"--version"});
  EXPECT_EQ(version.exit_code, exit_ok);
  EXPECT_EQ(version.to_stdout, "perigee-test " + build_name() + "\n");
}

}  // namespace
}  // namespace perigee::host
