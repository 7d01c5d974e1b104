// The frame of the short pieces in docs/use_from_c.md.
#include "perigee/client/perigee_client.h"
void show(const uint8_t*, size_t);
void keep_it();
void piece(perigee_client* client, const uint8_t* typed, size_t typed_bytes, double trigger, double slot, bool wheel_moved, bool waves) {
  //: docs/use_from_c.md  uint8_t message[PERIGEE_CLIENT_MESSAGE_BYTES_MAX];
  //: docs/use_from_c.md  perigee_client_set_input(client, "throttle", trigger);
}
