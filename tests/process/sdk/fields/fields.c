/* The C interface sets the input fields of a game, as docs/use_from_c.md says. */
#include <stdio.h>
#include <string.h>

#include "perigee/client/perigee_client.h"

static perigee_client* client;

/* The game's struct. */
struct controls {
  int16_t lean;
  uint8_t slot, emote;
};

static int has(int64_t lean, int64_t slot, int64_t emote) {
  const char* const names[3] = {"lean", "slot", "emote"};
  const int64_t wanted[3] = {lean, slot, emote};
  int same = 1, i;
  for (i = 0; i < 3; ++i) {
    int64_t value = -1;
    same = same && perigee_client_get_input(client, names[i], &value) == PERIGEE_CLIENT_OK &&
           value == wanted[i];
  }
  return same;
}

#define EXPECT(condition)                                \
  do {                                                   \
    if (!(condition)) {                                  \
      printf("line %d: not %s\n", __LINE__, #condition); \
      return 1;                                          \
    }                                                    \
  } while (0)

int main(void) {
  perigee_client_input_field fields[3];
  perigee_client_input input;
  struct controls controls = {7, 5, 6};
  client = perigee_client_create(PERIGEE_CLIENT_ABI);
  EXPECT(client != NULL);
  EXPECT(perigee_client_input_fields(client, fields, sizeof fields[0], 3) == 3);
  EXPECT(strcmp(fields[1].name, "slot") == 0 && fields[1].low == 1 && fields[1].high == 5);
  EXPECT(fields[1].missing == PERIGEE_CLIENT_MISSING_KEPT && fields[1].initial == 1);
  EXPECT(has(0, 1, 0));
  EXPECT(perigee_client_set_input(client, "lean", -100) == PERIGEE_CLIENT_OK);
  EXPECT(perigee_client_set_input(client, "slot", 3) == PERIGEE_CLIENT_OK);
  EXPECT(perigee_client_set_input(client, "emote", 2) == PERIGEE_CLIENT_OK);
  EXPECT(has(-100, 3, 2));
  EXPECT(perigee_client_set_input(client, "slot", 6) == PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT(perigee_client_set_input(client, "weapon", 3) == PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT(has(-100, 3, 2));
  memset(&input, 0, sizeof input);
  input.struct_bytes = sizeof input;
  EXPECT(perigee_client_advance(client, 1000000, &input) == PERIGEE_CLIENT_OK);
  EXPECT(has(-100, 3, 0));
  EXPECT(perigee_client_own_input_bytes(client) == sizeof controls);
  EXPECT(perigee_client_set_own_input(client, &controls, sizeof controls) == PERIGEE_CLIENT_OK);
  EXPECT(has(7, 5, 6));
  controls.slot = 0;
  EXPECT(perigee_client_set_own_input(client, &controls, sizeof controls) ==
         PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT(has(7, 5, 6));
  perigee_client_destroy(client);
  return 0;
}
