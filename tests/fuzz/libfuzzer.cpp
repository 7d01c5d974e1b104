// libFuzzer's two entry points. `fuzz_<target> --seeds FOLDER` writes the seeds instead of fuzzing.
#include <cstdlib>
#include <string_view>

#include "fuzz.hpp"

using namespace perigee::fuzz;

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc == 3 && std::string_view((*argv)[1]) == "--seeds") {
    write_seeds((*argv)[2]);
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > input_bytes_max) return -1;
  target.run({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}
