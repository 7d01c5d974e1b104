// Plays with the plugin's FPerigeePlayer, over sockets of POSIX, as Unreal's glue does.
//   host LIBRARY            prints wire version and schema hash, for a log-in
//   host LIBRARY TOKEN_FILE
//   host LIBRARY --faults   what goes wrong, and what the player makes of it
//   host LIBRARY --fields   sets the input fields of the game of fields/game.cpp
#include <arpa/inet.h>
#include <dlfcn.h>
#include <unistd.h>

#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "PerigeePlayer.h"

namespace {

int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class Udp final : public IPerigeeDatagrams {
 public:
  ~Udp() override { close(udp_); }
  void Send(const perigee_client_address& to, const uint8_t* bytes, size_t size) override {
    sockaddr_in ip{};
    ip.sin_family = AF_INET;
    ip.sin_port = htons(to.port);
    std::memcpy(&ip.sin_addr, to.ip, 4);
    sendto(udp_, bytes, size, 0, reinterpret_cast<sockaddr*>(&ip), sizeof ip);
  }
  bool Receive(perigee_client_address& from, uint8_t* bytes, size_t capacity,
               size_t& size) override {
    sockaddr_in ip{};
    socklen_t ip_bytes = sizeof ip;
    const ssize_t got =
        recvfrom(udp_, bytes, capacity, 0, reinterpret_cast<sockaddr*>(&ip), &ip_bytes);
    if (got < 0) return false;
    from = {};
    from.family = 4;
    std::memcpy(from.ip, &ip.sin_addr, 4);
    from.port = ntohs(ip.sin_port);
    size = static_cast<size_t>(got);
    return true;
  }

 private:
  const int udp_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
};

int play(FPerigeePlayer& player, const std::string& token) {
  if (player.Begin(now_us(), reinterpret_cast<const uint8_t*>(token.data()), token.size()))
    return 2;
  perigee_client_input controls{};
  controls.forward = 1;
  double start_m[3] = {0}, walked_m = 0;
  int frames = 0, shots = 0;
  std::string name;
  std::vector<uint8_t> state;
  for (const int64_t end_us = now_us() + 30'000'000; now_us() < end_us && frames < 180;) {
    controls.pressed_buttons = frames % 60 == 30 ? PERIGEE_CLIENT_FIRE : 0;
    if (const char* over = player.Frame(now_us(), controls)) {
      std::printf("%s\n", over);
      return 1;
    }
    for (const perigee_client_cue& cue : player.Cues())
      shots += cue.state == PERIGEE_CLIENT_CUE_PLAYED;
    if (const perigee_client_entity* own = player.Own(); own != nullptr && player.Playing()) {
      if (frames++ == 0) std::memcpy(start_m, own->local_position_m, sizeof start_m);
      walked_m =
          std::hypot(own->local_position_m[0] - start_m[0], own->local_position_m[2] - start_m[2]);
      name = player.PlayerName(own->handle);
      state = player.GameState(own->handle);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(16));
  }
  std::printf("%s walked %.1f m, %d shots, %zu entities, %" PRIu64 " corrections\n", name.c_str(),
              walked_m, shots, player.Entities().size(), player.Telemetry().corrections);
  const uint8_t longest[PERIGEE_CLIENT_MESSAGE_BYTES_MAX] = {1};
  const bool sent = player.SendMessage(longest, sizeof longest) == nullptr &&
                    player.SendMessage(longest, 0) != nullptr;
  const uint8_t field[1] = {1};
  if (player.SetInput("slot", 3) == nullptr || player.SetOwnInput(field, sizeof field) == nullptr) {
    std::printf("Skiff has no input fields of its own\n");
    return 1;
  }
  // Skiff's fighter: 16 bytes, of which the third word is the health.
  if (!sent || state.size() != 16 || state[4] > 3 || !player.WorldState().empty() ||
      !player.Messages().empty()) {
    std::printf("messages or states are wrong: %zu bytes of state\n", state.size());
    return 1;
  }
  player.Leave(now_us());
  const char* over = player.Frame(now_us(), controls);
  return over != nullptr && frames == 180 ? 0 : 1;
}

/// Two empty datagrams of a stranger arrive before one with bytes.
class EmptyDatagrams final : public IPerigeeDatagrams {
 public:
  void Send(const perigee_client_address&, const uint8_t*, size_t) override {}
  bool Receive(perigee_client_address& from, uint8_t*, size_t, size_t& size) override {
    from = {};
    from.family = 4;
    size = arrived_ == 2 ? 9 : 0;
    return arrived_++ < 3;
  }

 private:
  int arrived_ = 0;
};

int received;

bool says(const char* sentence, const char* words) {
  if (sentence != nullptr && std::strstr(sentence, words) != nullptr) return true;
  std::printf("it says '%s' instead of '%s'\n", sentence == nullptr ? "" : sentence, words);
  return false;
}

int faults(FPerigeeClientApi api) {
  api.receive = [](perigee_client*, int64_t, const perigee_client_address*, uint8_t*,
                   size_t size) -> int {
    received += static_cast<int>(size);
    return PERIGEE_CLIENT_OK;
  };
  EmptyDatagrams datagrams;
  FPerigeePlayer player(api, datagrams);
  const uint8_t none[9] = {};
  perigee_client_input controls{};
  bool right = player.Created() && says(player.Begin(0, none, sizeof none), "log in again");
  player.Frame(0, controls);
  if (received != 9) {
    std::printf("behind empty datagrams, %d of 9 bytes were received\n", received);
    right = false;
  }
  controls.forward = NAN;
  right = says(player.Frame(0, controls), "numbers") && right;
  FPerigeeClientApi broken = api;
  broken.advance = [](perigee_client*, int64_t, const perigee_client_input*) -> int {
    return PERIGEE_CLIENT_INTERNAL;
  };
  broken.begin = [](perigee_client*, int64_t, const uint8_t*, size_t) -> int {
    return PERIGEE_CLIENT_INTERNAL;
  };
  FPerigeePlayer failed(broken, datagrams);
  right = says(failed.Begin(0, none, sizeof none), "failed inside") && right;
  right = says(failed.Frame(0, controls), "failed inside") && right;
  broken.create = [](uint32_t) -> perigee_client* { return nullptr; };
  if (FPerigeePlayer(broken, datagrams).Created()) {
    std::printf("a client without memory is said to be created\n");
    right = false;
  }
  return right ? 0 : 1;
}

/// The player's calls reach the client under their names, and refusals are sentences.
int fields(void* library, const FPerigeeClientApi& api) {
  static perigee_client* client;
  static const auto create = api.create;
  FPerigeeClientApi watched = api;
  watched.create = [](uint32_t abi) { return client = create(abi); };
  const auto get = reinterpret_cast<decltype(&perigee_client_get_input)>(
      dlsym(library, "perigee_client_get_input"));
  Udp udp;
  FPerigeePlayer player(watched, udp);
  const auto has = [&](const char* field, int64_t wanted) {
    int64_t value = 0;
    return get(client, field, &value) == PERIGEE_CLIENT_OK && value == wanted;
  };
  const uint8_t all[4] = {7, 0, 5, 6}, wrong[4] = {7, 0, 6, 6};
  const bool right =
      player.SetInput("slot", 3) == nullptr && has("slot", 3) &&
      player.SetInput("slot", 6) != nullptr && player.SetInput("weapon", 3) != nullptr &&
      has("slot", 3) && player.SetOwnInput(all, sizeof all) == nullptr && has("lean", 7) &&
      has("slot", 5) && has("emote", 6) && player.SetOwnInput(wrong, sizeof wrong) != nullptr &&
      player.SetOwnInput(all, 3) != nullptr && has("slot", 5);
  if (!right) std::printf("the input fields are wrong\n");
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  void* library = argc < 2 ? nullptr : dlopen(argv[1], RTLD_NOW);
  FPerigeeClientApi api;
  const char* wrong = library == nullptr
                          ? "it cannot be loaded"
                          : api.Load([=](const char* name) { return dlsym(library, name); });
  if (wrong != nullptr) {
    std::printf("the library: %s\n", wrong);
    return 2;
  }
  if (argc == 3 && std::strcmp(argv[2], "--faults") == 0) return faults(api);
  if (argc == 3 && std::strcmp(argv[2], "--fields") == 0) return fields(library, api);
  Udp udp;
  FPerigeePlayer player(api, udp);
  if (argc < 3) {
    std::printf("%" PRIu32 " %" PRIu64 "\n", player.WireVersion(), player.SchemaHash());
    return 0;
  }
  std::ifstream file(argv[2], std::ios::binary);
  return play(player, {std::istreambuf_iterator<char>(file), {}});
}
