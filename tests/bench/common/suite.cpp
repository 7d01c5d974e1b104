#include "bench/common/suite.hpp"

#include <sys/utsname.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace perigee::bench {
namespace {

std::string machine() {
  std::string cpu = "unknown CPU";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      cpu = line.substr(line.find(':') + 2);
      break;
    }
  }
  utsname system{};
  uname(&system);
  return cpu + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores, " +
         system.sysname + " " + system.release;
}

std::string commit() {
  const char* given = std::getenv("PERIGEE_COMMIT");
  return given != nullptr ? given : "unknown";
}

void print_usage(std::FILE* out, const std::string& program) {
  std::fprintf(
      out,
      "usage: %s [--json] [--quick] [--logs DIR]\n"
      "  --json   one object on standard output instead of the table\n"
      "  --quick  a short run whose figures have the right form only\n"
      "  --logs   where the processes of a cluster leave what they say, e.g. why a run failed\n",
      program.c_str());
}

}  // namespace

void print_progress(const std::string& text) { std::fprintf(stderr, "    %s\n", text.c_str()); }

int run_suite(std::string_view name, int argc, char** argv, const Suite& suite) {
  Run run;
  bool json = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--json") {
      json = true;
    } else if (argument == "--quick") {
      run.quick = true;
    } else if (argument == "--logs" && i + 1 < argc) {
      run.logs = argv[++i];
    } else {
      const bool asked = argument == "--help" || argument == "-h";
      print_usage(asked ? stdout : stderr, "bench_" + std::string(name));
      return asked ? 0 : 2;
    }
  }
  Figures figures;
  std::vector<double> reference{reference_ns()};
  const auto done = suite(run, figures);
  reference.push_back(reference_ns());
  figures.add("reference_ns", (reference[0] + reference[1]) / 2, "ns");
  const Origin origin{std::string(name), commit(), machine()};
  std::fputs((json ? figures.json(origin) : figures.table(origin)).c_str(), stdout);
  if (done) return 0;
  std::fflush(stdout);
  std::fprintf(stderr, "bench %s: %s\n", std::string(name).c_str(), done.error().message.c_str());
  return 1;
}

}  // namespace perigee::bench
