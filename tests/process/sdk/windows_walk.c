/* A player on Windows: walks ahead for three seconds with the token in a file, and prints what
 * happened. windows_walk               prints wire version and schema hash, for a log-in
 *   windows_walk TOKEN_FILE */
#include <inttypes.h>
#include <math.h>
#include <perigee/client/perigee_client.h>
#include <stdio.h>
#include <string.h>
#include <winsock2.h>

static int64_t clock_us(void) {
  LARGE_INTEGER now, frequency;
  QueryPerformanceCounter(&now);
  QueryPerformanceFrequency(&frequency);
  return (int64_t)((double)now.QuadPart * 1e6 / (double)frequency.QuadPart);
}

static SOCKET open_socket(void) {
  WSADATA data;
  u_long yes = 1;
  WSAStartup(MAKEWORD(2, 2), &data);
  SOCKET udp = socket(AF_INET, SOCK_DGRAM, 0);
  ioctlsocket(udp, FIONBIO, &yes);
  return udp;
}

static void receive_all(perigee_client* client, SOCKET udp) {
  uint8_t bytes[PERIGEE_CLIENT_DATAGRAM_BYTES_MAX];
  struct sockaddr_in ip;
  int ip_bytes = sizeof ip, got;
  while ((got = recvfrom(udp, (char*)bytes, sizeof bytes, 0, (struct sockaddr*)&ip, &ip_bytes)) >=
         0) {
    perigee_client_address peer = {.family = 4, .port = ntohs(ip.sin_port)};
    memcpy(peer.ip, &ip.sin_addr, 4);
    perigee_client_receive(client, clock_us(), &peer, bytes, (size_t)got);
    ip_bytes = sizeof ip;
  }
}

static void send_all(perigee_client* client, SOCKET udp) {
  uint8_t bytes[PERIGEE_CLIENT_DATAGRAM_BYTES_MAX];
  perigee_client_address peer;
  size_t size;
  while (perigee_client_poll_send(client, &peer, bytes, sizeof bytes, &size) == 1) {
    struct sockaddr_in ip = {.sin_family = AF_INET, .sin_port = htons(peer.port)};
    memcpy(&ip.sin_addr, peer.ip, 4);
    sendto(udp, (const char*)bytes, (int)size, 0, (struct sockaddr*)&ip, sizeof ip);
  }
}

static int play(perigee_client* client, const uint8_t* token, size_t token_bytes) {
  static perigee_client_entity scene[4096];
  const SOCKET udp = open_socket();
  const int64_t began_us = clock_us();
  double start_m[3] = {0}, walked_m = 0;
  int frames = 0;
  char name[33] = "";
  if (perigee_client_begin(client, began_us, token, token_bytes) < 0) return 2;
  while (clock_us() < began_us + 30000000 && frames < 180) {
    const perigee_client_input input = {.struct_bytes = sizeof input, .forward = 1};
    receive_all(client, udp);
    perigee_client_advance(client, clock_us(), &input);
    send_all(client, udp);
    const int known = perigee_client_scene(client, clock_us(), scene, sizeof scene[0], 4096);
    for (int i = 0; i < known && i < 4096; ++i) {
      if (!(scene[i].flags & PERIGEE_CLIENT_OWN)) continue;
      const double* at_m = scene[i].local_position_m;
      perigee_client_player_name(client, scene[i].handle, name, sizeof name);
      if (frames++ == 0) memcpy(start_m, at_m, sizeof start_m);
      walked_m = hypot(at_m[0] - start_m[0], at_m[2] - start_m[2]);
    }
    Sleep(16);
  }
  perigee_client_telemetry telemetry = {.struct_bytes = sizeof telemetry};
  perigee_client_get_telemetry(client, &telemetry);
  printf("%s walked %.1f m, %" PRIu64 " corrections\n", name, walked_m, telemetry.corrections);
  perigee_client_disconnect(client, clock_us());
  send_all(client, udp);
  return frames == 180 ? 0 : 1;
}

int main(int argc, char** argv) {
  uint8_t token[4096];
  perigee_client* client = perigee_client_create(PERIGEE_CLIENT_ABI);
  if (client == NULL) return 2;
  if (argc < 2) {
    printf("%" PRIu32 " %" PRIu64 "\n", perigee_client_wire_version(),
           perigee_client_schema_hash(client));
    return 0;
  }
  FILE* file = fopen(argv[1], "rb");
  const size_t token_bytes = file == NULL ? 0 : fread(token, 1, sizeof token, file);
  if (file != NULL) fclose(file);
  const int result = play(client, token, token_bytes);
  perigee_client_destroy(client);
  return result;
}
