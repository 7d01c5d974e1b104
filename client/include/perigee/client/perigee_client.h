/* The client library for engines: plain C99. A shared library is built per game; all of them have
 * these functions. docs/use_from_c.md has a whole program.
 *
 * The engine owns socket, clock and threads. Per frame: receive() every datagram that came,
 * advance(), poll_send() until it answers 0, then draw scene(). One handle is used by one thread at
 * a time; different handles do not share anything.
 *
 * Functions that can fail answer a negative perigee_client_result and have done nothing then.
 * Structs begin with struct_bytes: set it to sizeof the struct as you compiled it, so that later
 * libraries may know more fields. No C++ exception comes out. Metres, seconds, radians;
 * right-handed, y up; quaternions x, y, z, w; *_us is microseconds of any clock that only rises. */
#ifndef PERIGEE_CLIENT_H
#define PERIGEE_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PERIGEE_CLIENT_API __attribute__((visibility("default")))
/* Rises when old programs stop working; new fields and functions leave it as it is. */
#define PERIGEE_CLIENT_ABI 1
/* No datagram in either direction is longer. */
#define PERIGEE_CLIENT_DATAGRAM_BYTES_MAX 1225

typedef struct perigee_client perigee_client;

typedef enum perigee_client_result {
  PERIGEE_CLIENT_OK = 0,
  PERIGEE_CLIENT_BAD_ARGUMENT = -1, /* a null pointer, a struct that is too small, not a number */
  PERIGEE_CLIENT_BAD_TOKEN = -2,
  PERIGEE_CLIENT_BUFFER_TOO_SMALL = -3,
  PERIGEE_CLIENT_NOT_PLAYING = -4,
  PERIGEE_CLIENT_INTERNAL = -5 /* out of memory, or a fault of ours: destroy the handle */
} perigee_client_result;

typedef enum perigee_client_state {
  PERIGEE_CLIENT_TOKEN_EXPIRED = -6, /* up to DISCONNECTED: over; begin() with a new token */
  PERIGEE_CLIENT_TOKEN_INVALID = -5,
  PERIGEE_CLIENT_TIMED_OUT = -4,
  PERIGEE_CLIENT_RESPONSE_TIMED_OUT = -3,
  PERIGEE_CLIENT_REQUEST_TIMED_OUT = -2,
  PERIGEE_CLIENT_DENIED = -1,
  PERIGEE_CLIENT_DISCONNECTED = 0,
  PERIGEE_CLIENT_CONNECTING = 1,
  PERIGEE_CLIENT_JOINING = 2, /* connected, without an avatar yet */
  PERIGEE_CLIENT_PLAYING = 3,
  PERIGEE_CLIENT_RECONNECTING = 4 /* the gateway fell silent; on the way back to the avatar */
} perigee_client_state;

typedef struct perigee_client_address {
  uint8_t family; /* 4 or 6 */
  uint8_t ip[16]; /* network byte order; family 4 uses the first four, the rest is 0 */
  uint16_t port;  /* host byte order */
} perigee_client_address;

/* Bits of held_buttons and pressed_buttons. */
#define PERIGEE_CLIENT_JUMP (1u << 0)
#define PERIGEE_CLIENT_RUN (1u << 1)
#define PERIGEE_CLIENT_JETPACK (1u << 2) /* a press switches it on or off */
#define PERIGEE_CLIENT_DAMPERS (1u << 3) /* held: the jetpack brakes whatever is not steered */
#define PERIGEE_CLIENT_FIRE (1u << 4)
#define PERIGEE_CLIENT_ALTERNATE (1u << 5) /* the other weapon; Skiff's bow while it is held */
#define PERIGEE_CLIENT_DIG (1u << 6)       /* takes away the cell that one looks at */
#define PERIGEE_CLIENT_FILL (1u << 7)      /* puts a stone before it */

typedef struct perigee_client_input {
  uint32_t struct_bytes;
  float right, up, forward; /* -1 .. 1, in the look's horizontal frame; up: jetpack only */
  float yaw_rad;            /* about the parent's +y; 0 looks along +z */
  float pitch_rad;          /* up positive, at most a quarter turn */
  uint32_t held_buttons;
  uint32_t pressed_buttons; /* went down since the last call; each counts once */
  uint32_t use_handle;      /* the thing to use, pressed since the last call; 0: none */
} perigee_client_input;

/* Bits of perigee_client_entity.flags. */
#define PERIGEE_CLIENT_OWN (1u << 0)          /* the predicted avatar */
#define PERIGEE_CLIENT_SMOOTHING (1u << 1)    /* a correction is being blended out */
#define PERIGEE_CLIENT_EXTRAPOLATED (1u << 2) /* drawn beyond its newest sample */

typedef struct perigee_client_entity {
  uint32_t handle; /* the same for as long as it lives */
  uint32_t parent; /* the entity whose frame local_* are in; 0: the world */
  uint32_t type;   /* perigee_client_type_name() */
  uint32_t flags;
  double local_position_m[3];
  double local_rotation[4];
  double world_position_m[3];
  double world_rotation[4];
  double smoothing_m[3]; /* SMOOTHING: so far from the true place it is drawn, in its parent's frame */
} perigee_client_entity;

/* perigee_client_cue.state: something to be seen or heard .. */
enum perigee_client_cue_state {
  PERIGEE_CLIENT_CUE_PLAYED = 0,    /* is predicted: show it now */
  PERIGEE_CLIENT_CUE_CONFIRMED = 1, /* happened; `detail` says what came of it */
  PERIGEE_CLIENT_CUE_CANCELLED = 2  /* did not: take it back */
};

/* Of what the own avatar does, and of what meets it; tick and index are its name. */
typedef struct perigee_client_cue {
  uint32_t tick;
  uint32_t index;
  uint32_t effect;  /* the game's; Skiff: 1 shot, 2 bow drawn, 3 arrow loosed, 4 dig, 5 fill, 6 hit */
  uint32_t subject; /* another entity that it is about, as who shot; 0: none */
  uint32_t state;
  uint32_t detail; /* the game's, when confirmed; Skiff: 1 somebody was hit */
} perigee_client_cue;

typedef struct perigee_client_ground {
  uint32_t struct_bytes;
  int32_t size[3]; /* cells along x, y and z; cell (0, 0, 0) has its low corner at the entity */
  double cell_m;
  uint64_t version; /* another one: some cell may have changed */
} perigee_client_ground;

typedef struct perigee_client_time {
  uint32_t struct_bytes;
  uint32_t known;            /* 0 before the first block of the server: the rest is 0, too */
  uint32_t predicted_tick;   /* the next one of the own avatar; 60 a second, times rate */
  uint32_t view_origin_tick; /* others are drawn view_ticks after it */
  double view_ticks;
  double view_delay_s; /* behind the newest tick that the server can have told */
  double rate;         /* of the world's time: 1, or less while its servers are overloaded */
} perigee_client_time;

typedef struct perigee_client_telemetry {
  uint32_t struct_bytes;
  uint32_t reserved;
  int64_t rtt_us;       /* of the network */
  int64_t full_loop_us; /* from sampling an input to hearing that it was applied */
  int64_t jitter_us;
  int64_t lead_us;
  uint64_t packets, packets_lost, bytes;
  uint64_t corrections; /* visible ones: over 5 cm */
  double largest_correction_m;
} perigee_client_telemetry;

/* The library's PERIGEE_CLIENT_ABI. */
PERIGEE_CLIENT_API uint32_t perigee_client_abi(void);
/* NULL: the library has another ABI than `abi`, pass PERIGEE_CLIENT_ABI; or no memory is left. */
PERIGEE_CLIENT_API perigee_client* perigee_client_create(uint32_t abi);
/* Says no goodbye: disconnect() and send what poll_send() has before. NULL is fine. */
PERIGEE_CLIENT_API void perigee_client_destroy(perigee_client* client);

/* What a log-in at the session service asks for beside name and credential. */
PERIGEE_CLIENT_API uint32_t perigee_client_wire_version(void);
PERIGEE_CLIENT_API uint64_t perigee_client_schema_hash(const perigee_client* client);

/* Connects with a token from the session service. */
PERIGEE_CLIENT_API int perigee_client_begin(perigee_client* client, int64_t now_us,
                                            const uint8_t* token, size_t token_bytes);
/* One datagram, decrypted in place. What is not for this client is dropped and answered with OK. */
PERIGEE_CLIENT_API int perigee_client_receive(perigee_client* client, int64_t now_us,
                                              const perigee_client_address* from,
                                              uint8_t* datagram, size_t datagram_bytes);
/* Runs the ticks that are due with this input. Presses wait for the next tick if none is, but not
 * for PLAYING. */
PERIGEE_CLIENT_API int perigee_client_advance(perigee_client* client, int64_t now_us,
                                              const perigee_client_input* input);
/* Copies the next datagram to send: 1. None is left: 0. */
PERIGEE_CLIENT_API int perigee_client_poll_send(perigee_client* client, perigee_client_address* to,
                                                uint8_t* datagram, size_t capacity_bytes,
                                                size_t* datagram_bytes);
/* Says goodbye; poll_send() has it. */
PERIGEE_CLIENT_API int perigee_client_disconnect(perigee_client* client, int64_t now_us);

/* A perigee_client_state; DISCONNECTED for NULL. */
PERIGEE_CLIENT_API int perigee_client_get_state(const perigee_client* client);
/* Everything known, as it is drawn now, parents before children. Writes at most `capacity` of them,
 * `entity_bytes` = sizeof(perigee_client_entity) apart, and answers how many there are. */
PERIGEE_CLIENT_API int perigee_client_scene(perigee_client* client, int64_t now_us,
                                            perigee_client_entity* entities, size_t entity_bytes,
                                            size_t capacity);
/* The game's name for an entity's type; NULL if there is none. Lives as long as the client. */
PERIGEE_CLIENT_API const char* perigee_client_type_name(const perigee_client* client,
                                                        uint32_t type);
/* What the last advance brought: ask after each. Writes and answers as perigee_client_scene(). */
PERIGEE_CLIENT_API int perigee_client_cues(const perigee_client* client, perigee_client_cue* cues,
                                           size_t cue_bytes, size_t capacity);
/* Of an entity that is ground made of cells; BAD_ARGUMENT for what is none. */
PERIGEE_CLIENT_API int perigee_client_get_ground(const perigee_client* client, uint32_t handle,
                                                 perigee_client_ground* ground);
/* 1 for each solid cell of a box, else 0, as predicted: x first, then z, then y. Outside of the
 * ground nothing is solid. `capacity` is at least size[0] * size[1] * size[2]. */
PERIGEE_CLIENT_API int perigee_client_cells(const perigee_client* client, uint32_t handle,
                                            const int32_t low[3], const int32_t size[3],
                                            uint8_t* solid, size_t capacity);
PERIGEE_CLIENT_API int perigee_client_get_time(const perigee_client* client,
                                               perigee_client_time* time);
PERIGEE_CLIENT_API int perigee_client_get_telemetry(const perigee_client* client,
                                                    perigee_client_telemetry* telemetry);
/* "smoothing=none prediction=off": what is done about latency from now on; what is not named stays.
 * docs/tuning.md lists all keys. BAD_ARGUMENT, and nothing changed: one of them is none. */
PERIGEE_CLIENT_API int perigee_client_use(perigee_client* client, const char* techniques);
/* Moves the predicted avatar, to see what a correction looks like. */
PERIGEE_CLIENT_API int perigee_client_inject_desync(perigee_client* client, double x_m, double y_m,
                                                    double z_m);

#ifdef __cplusplus
}
#endif
#endif
