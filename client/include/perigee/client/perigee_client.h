/* The client library for engines: plain C99. Each game is built into a shared library of its own;
 * all of them have these functions. docs/use_from_c.md has a complete program.
 *
 * The engine owns socket, clock and threads. Per frame: receive() every datagram that arrived,
 * advance(), poll_send() until it returns 0, then render scene(). One handle may be used by one
 * thread at a time; different handles share nothing.
 *
 * Functions that can fail return a negative perigee_client_result, and have then done nothing.
 * Structs begin with struct_bytes: set it to sizeof the struct as compiled, so that later versions
 * of the library may add fields. C++ exceptions never leave the library. Metres, seconds, radians;
 * right-handed, y up; quaternions x, y, z, w; *_us is microseconds of any monotonic clock. */
#ifndef PERIGEE_CLIENT_H
#define PERIGEE_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* PERIGEE_CLIENT_BUILD is defined where the library itself is compiled. */
#if defined(_WIN32) && defined(PERIGEE_CLIENT_BUILD)
#define PERIGEE_CLIENT_API __declspec(dllexport)
#elif defined(_WIN32)
#define PERIGEE_CLIENT_API __declspec(dllimport)
#elif defined(__GNUC__)
#define PERIGEE_CLIENT_API __attribute__((visibility("default")))
#else
#define PERIGEE_CLIENT_API
#endif
/* Raised when old programs would stop working; new fields and functions do not raise it. */
#define PERIGEE_CLIENT_ABI 1
/* Maximal length of a datagram, in both directions. */
#define PERIGEE_CLIENT_DATAGRAM_BYTES_MAX 1225
/* Maximal length of a message to or from the game. */
#define PERIGEE_CLIENT_MESSAGE_BYTES_MAX 1024

typedef struct perigee_client perigee_client;

typedef enum perigee_client_result {
  PERIGEE_CLIENT_OK = 0,
  PERIGEE_CLIENT_BAD_ARGUMENT = -1, /* a null pointer, a struct that is too small, not a number */
  PERIGEE_CLIENT_BAD_TOKEN = -2,
  PERIGEE_CLIENT_BUFFER_TOO_SMALL = -3,
  PERIGEE_CLIENT_NOT_PLAYING = -4,
  PERIGEE_CLIENT_INTERNAL = -5, /* out of memory, or a bug in perigee: destroy the handle */
  PERIGEE_CLIENT_TOO_MANY = -6  /* try again later */
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
  PERIGEE_CLIENT_RECONNECTING = 4 /* the gateway fell silent; reconnecting to the avatar */
} perigee_client_state;

typedef struct perigee_client_address {
  uint8_t family; /* 4 or 6 */
  uint8_t ip[16]; /* network byte order; family 4 uses the first four, the rest is 0 */
  uint16_t port;  /* host byte order */
} perigee_client_address;

/* Bits of held_buttons and pressed_buttons: the names of the first eight of 16. What the game does
 * with another one than the first four is up to it. */
#define PERIGEE_CLIENT_JUMP (1u << 0)
#define PERIGEE_CLIENT_RUN (1u << 1)
#define PERIGEE_CLIENT_JETPACK (1u << 2) /* a press switches it on or off */
#define PERIGEE_CLIENT_DAMPERS (1u << 3) /* held: the jetpack brakes all axes without input */
#define PERIGEE_CLIENT_FIRE (1u << 4)
#define PERIGEE_CLIENT_ALTERNATE (1u << 5) /* the other weapon; Skiff's bow while it is held */
#define PERIGEE_CLIENT_DIG (1u << 6)       /* removes the cell that the player looks at */
#define PERIGEE_CLIENT_FILL (1u << 7)      /* places a stone in front of it */

typedef struct perigee_client_input {
  uint32_t struct_bytes;
  float right, up, forward; /* -1 .. 1, in the look's horizontal frame; up: jetpack only */
  float yaw_rad;            /* about the parent's +y; 0 looks along +z */
  float pitch_rad;          /* up positive, at most a quarter turn */
  uint32_t held_buttons;
  uint32_t pressed_buttons; /* pressed since the last call; each counts once */
  uint32_t use_handle;      /* the entity to use, since the last call; 0: none */
} perigee_client_input;

/* The value of an own field of the game in a tick whose input is missing. */
enum perigee_client_missing {
  PERIGEE_CLIENT_MISSING_HELD = 0,     /* the last one, and after 100 ms the initial one */
  PERIGEE_CLIENT_MISSING_KEPT = 1,     /* the last one */
  PERIGEE_CLIENT_MISSING_MOMENTARY = 2 /* the initial one */
};

/* A field that the game adds to inputs. */
typedef struct perigee_client_input_field {
  char name[32]; /* ends with a zero */
  int64_t low, high, initial;
  uint32_t offset, bytes; /* in the game's struct */
  uint32_t missing;       /* a perigee_client_missing */
  uint32_t reserved;
} perigee_client_input_field;

/* Bits of perigee_client_entity.flags. */
#define PERIGEE_CLIENT_OWN (1u << 0)          /* the predicted avatar */
#define PERIGEE_CLIENT_SMOOTHING (1u << 1)    /* a correction is being blended out */
#define PERIGEE_CLIENT_EXTRAPOLATED (1u << 2) /* rendered beyond its newest sample */

typedef struct perigee_client_entity {
  uint32_t handle; /* constant for its lifetime */
  uint32_t parent; /* frame of local_*: an entity; 0: the world */
  uint32_t type;   /* perigee_client_type_name() */
  uint32_t flags;
  double local_position_m[3];
  double local_rotation[4];
  double world_position_m[3];
  double world_rotation[4];
  double smoothing_m[3]; /* SMOOTHING: offset of the rendered place, in the parent's frame */
} perigee_client_entity;

/* perigee_client_cue.state: a visible or audible effect .. */
enum perigee_client_cue_state {
  PERIGEE_CLIENT_CUE_PLAYED = 0,    /* is predicted: play it now */
  PERIGEE_CLIENT_CUE_CONFIRMED = 1, /* happened; `detail` has the result */
  PERIGEE_CLIENT_CUE_CANCELLED = 2  /* did not happen: take it back */
};

/* A cue of the own avatar's actions, or of a hit on it; tick and index identify it. */
typedef struct perigee_client_cue {
  uint32_t tick;
  uint32_t index;
  uint32_t effect;  /* the game's; Skiff: 1 shot, 2 draw, 3 loose, 4 dig, 5 fill, 6 hit */
  uint32_t subject; /* another entity involved, e.g. the shooter; 0: none */
  uint32_t state;
  uint32_t detail; /* the game's, when confirmed; Skiff: 1 a target was hit */
} perigee_client_cue;

/* A cue of another actor, or one that the game ordered: play it now. Entity, tick, effect,
 * subject, and the place of one without an entity, identify it. */
typedef struct perigee_client_heard_cue {
  uint32_t tick;    /* in which it happened */
  uint32_t handle;  /* of the entity that it belongs to; 0: none */
  uint32_t effect;  /* the game's, as of perigee_client_cue */
  uint32_t subject; /* another entity involved; 0: none */
  uint32_t detail;  /* the game's */
  uint32_t reserved;
  double world_position_m[3]; /* where the entity is rendered now, or a fixed place */
} perigee_client_heard_cue;

/* A final fact of the game that concerns the own avatar: a kill, a score. */
typedef struct perigee_client_outcome {
  uint32_t tick; /* in which it happened */
  uint32_t index;
  uint32_t kind;  /* the game's */
  uint32_t actor; /* entities; 0: none */
  uint32_t target;
  int32_t amount; /* the game's */
} perigee_client_outcome;

/* A projectile as rendered now; actor, tick and index identify it. */
typedef struct perigee_client_projectile {
  uint32_t actor; /* that launched it */
  uint32_t tick;
  uint32_t index;
  uint32_t kind;  /* the game's */
  uint32_t flags; /* PERIGEE_CLIENT_OWN: launched by the own avatar */
  uint32_t reserved;
  double world_position_m[3];
} perigee_client_projectile;

typedef struct perigee_client_ground {
  uint32_t struct_bytes;
  int32_t size[3]; /* cells along x, y and z; cell (0, 0, 0) has its low corner at the entity */
  double cell_m;
  uint64_t version; /* changes whenever a cell may have changed */
} perigee_client_ground;

typedef struct perigee_client_time {
  uint32_t struct_bytes;
  uint32_t known;            /* 0 before the server's first block: all fields are 0 then */
  uint32_t predicted_tick;   /* the own avatar's next tick; 60 per second, times rate */
  uint32_t view_origin_tick; /* others are rendered view_ticks after it */
  double view_ticks;
  double view_delay_s; /* behind the newest server tick that can have arrived */
  double rate;         /* of the world's time: 1, or less while its servers are overloaded */
} perigee_client_time;

typedef struct perigee_client_telemetry {
  uint32_t struct_bytes;
  uint32_t reserved;
  int64_t rtt_us;       /* of the network */
  int64_t full_loop_us; /* from sampling an input to learning that it was applied */
  int64_t jitter_us;
  int64_t lead_us;
  uint64_t packets, packets_lost, bytes;
  uint64_t corrections; /* visible ones: over 5 cm */
  double largest_correction_m;
} perigee_client_telemetry;

/* 50 ms of the connection, for a net graph. */
typedef struct perigee_client_net_sample {
  int64_t end_us;
  int64_t rtt_us, jitter_us, lead_us; /* at the end */
  uint32_t packets_received, packets_lost, bytes_received;
  uint32_t packets_sent, bytes_sent;
  uint32_t corrections; /* visible ones: over 5 cm */
  double largest_correction_m;
} perigee_client_net_sample;

/* The PERIGEE_CLIENT_ABI that the library was built with. */
PERIGEE_CLIENT_API uint32_t perigee_client_abi(void);
/* The size of a struct in the library, by its name after perigee_client_, e.g. "entity"; 0: the
 * library has no such struct. Fields of the program's struct beyond that size are always 0; of a
 * smaller struct the library fills all fields. */
PERIGEE_CLIENT_API size_t perigee_client_struct_bytes(const char* name);
/* Pass PERIGEE_CLIENT_ABI. NULL: the library has another ABI, or no memory is left. */
PERIGEE_CLIENT_API perigee_client* perigee_client_create(uint32_t abi);
/* Does not disconnect: first call disconnect(), and send all of poll_send(). Ignores NULL. */
PERIGEE_CLIENT_API void perigee_client_destroy(perigee_client* client);

/* Values for a log-in at the session service, besides name and credential. */
PERIGEE_CLIENT_API uint32_t perigee_client_wire_version(void);
PERIGEE_CLIENT_API uint64_t perigee_client_schema_hash(const perigee_client* client);

/* Connects with a token from the session service. */
PERIGEE_CLIENT_API int perigee_client_begin(perigee_client* client, int64_t now_us,
                                            const uint8_t* token, size_t token_bytes);
/* Handles one datagram, decrypting it in place. Unrelated datagrams are dropped, with OK. */
PERIGEE_CLIENT_API int perigee_client_receive(perigee_client* client, int64_t now_us,
                                              const perigee_client_address* from, uint8_t* datagram,
                                              size_t datagram_bytes);
/* Runs the due ticks with this input. If none is due, presses are kept for the next tick; while not
 * PLAYING they are discarded. */
PERIGEE_CLIENT_API int perigee_client_advance(perigee_client* client, int64_t now_us,
                                              const perigee_client_input* input);
/* The fields that the game adds to inputs; at most 16. Writes and returns as
 * perigee_client_scene(). */
PERIGEE_CLIENT_API int perigee_client_input_fields(const perigee_client* client,
                                                   perigee_client_input_field* fields,
                                                   size_t field_bytes, size_t capacity);
/* Sets one of them: it has this value in all ticks from the next advance() on, a MOMENTARY one in
 * the next tick alone. BAD_ARGUMENT, and no change: there is no field of that name, or the value is
 * out of its range. */
PERIGEE_CLIENT_API int perigee_client_set_input(perigee_client* client, const char* name,
                                                int64_t value);
/* The value that the next tick will have. BAD_ARGUMENT: there is no field of that name. */
PERIGEE_CLIENT_API int perigee_client_get_input(const perigee_client* client, const char* name,
                                                int64_t* value);
/* The size of the game's struct of these fields; 0: it has none. */
PERIGEE_CLIENT_API size_t perigee_client_own_input_bytes(const perigee_client* client);
/* Sets all of them, with the effect of perigee_client_set_input(): a struct of the game.
 * BAD_ARGUMENT, and no change: another size, or a value is out of its range. */
PERIGEE_CLIENT_API int perigee_client_set_own_input(perigee_client* client, const void* fields,
                                                    size_t fields_bytes);
/* Copies the next datagram to send and returns 1; 0 if none is left. */
PERIGEE_CLIENT_API int perigee_client_poll_send(perigee_client* client, perigee_client_address* to,
                                                uint8_t* datagram, size_t capacity_bytes,
                                                size_t* datagram_bytes);
/* Disconnects; poll_send() has the packets for it. */
PERIGEE_CLIENT_API int perigee_client_disconnect(perigee_client* client, int64_t now_us);

/* A perigee_client_state; DISCONNECTED for NULL. */
PERIGEE_CLIENT_API int perigee_client_get_state(const perigee_client* client);
/* All known entities as rendered now, parents before children. Writes at most `capacity` of them,
 * `entity_bytes` = sizeof(perigee_client_entity) apart, and returns how many there are. */
PERIGEE_CLIENT_API int perigee_client_scene(perigee_client* client, int64_t now_us,
                                            perigee_client_entity* entities, size_t entity_bytes,
                                            size_t capacity);
/* The game's name for an entity's type; NULL if there is none. Valid as long as the client. */
PERIGEE_CLIENT_API const char* perigee_client_type_name(const perigee_client* client,
                                                        uint32_t type);
/* The cues of the last advance: read them after each advance. Writes and returns as
 * perigee_client_scene(). */
PERIGEE_CLIENT_API int perigee_client_cues(const perigee_client* client, perigee_client_cue* cues,
                                           size_t cue_bytes, size_t capacity);
/* Cues of others to play now: their entities are rendered in their ticks. Read them after each
 * advance. Writes and returns as perigee_client_scene(). */
PERIGEE_CLIENT_API int perigee_client_heard(const perigee_client* client,
                                            perigee_client_heard_cue* cues, size_t cue_bytes,
                                            size_t capacity);
/* The outcomes of the last advance: read them after each advance. Writes and returns as
 * perigee_client_scene(). */
PERIGEE_CLIENT_API int perigee_client_outcomes(const perigee_client* client,
                                               perigee_client_outcome* outcomes,
                                               size_t outcome_bytes, size_t capacity);
/* All projectiles as rendered now; at most 256. Writes and returns as perigee_client_scene(). */
PERIGEE_CLIENT_API int perigee_client_projectiles(perigee_client* client, int64_t now_us,
                                                  perigee_client_projectile* projectiles,
                                                  size_t projectile_bytes, size_t capacity);
/* The size of the game's state, a struct of the game: compare it with that of the struct that you
 * pass to perigee_client_game_state(). 1 for a game without state; 0 for NULL. */
PERIGEE_CLIENT_API size_t perigee_client_game_state_bytes(const perigee_client* client);
/* The size of the state of entities of a type, of which the game may have more than one; 0: they
 * have none, or there is no such type. For actors as perigee_client_game_state_bytes(). */
PERIGEE_CLIENT_API size_t perigee_client_type_state_bytes(const perigee_client* client,
                                                          uint32_t type);
/* Copies the game's state of an entity, a struct of the game: of the own avatar as predicted, of
 * others the public fields, the rest initial. `state_bytes`: size of the struct; of a
 * smaller one the first bytes. Returns 1; 0: not known, or without a state. BAD_ARGUMENT: the
 * struct is larger than any game's. */
PERIGEE_CLIENT_API int perigee_client_game_state(const perigee_client* client, uint32_t handle,
                                                 void* state, size_t state_bytes);
/* The size of the world's state, which all clients know, wherever they are; 0: the game has none.
 */
PERIGEE_CLIENT_API size_t perigee_client_world_state_bytes(const perigee_client* client);
/* Copies it; arguments and results as of perigee_client_game_state(). */
PERIGEE_CLIENT_API int perigee_client_world_state(const perigee_client* client, void* state,
                                                  size_t state_bytes);
/* Writes the name of an actor's player as UTF-8 that ends with a zero; 33 bytes are ample. Returns
 * its length; 0: not known, or not an actor. BUFFER_TOO_SMALL, and nothing is written. */
PERIGEE_CLIENT_API int perigee_client_player_name(const perigee_client* client, uint32_t handle,
                                                  char* name, size_t capacity);
/* Sends 1 to PERIGEE_CLIENT_MESSAGE_BYTES_MAX bytes to the game on the server, which gets each
 * message once, after those sent before. BAD_ARGUMENT: another length. TOO_MANY: 32 messages are on
 * their way, because the path carries nothing, or the server accepts no more of them a second. */
PERIGEE_CLIENT_API int perigee_client_send_message(perigee_client* client, const uint8_t* message,
                                                   size_t message_bytes);
/* Copies the next message of the game and returns 1; 0 if none is left. Each comes once, in order:
 * call it after each advance until it returns 0. BUFFER_TOO_SMALL for less than
 * PERIGEE_CLIENT_MESSAGE_BYTES_MAX bytes; the message then stays. */
PERIGEE_CLIENT_API int perigee_client_messages(perigee_client* client, uint8_t* message,
                                               size_t capacity_bytes, size_t* message_bytes);
/* For an entity that is ground made of cells; BAD_ARGUMENT for others. */
PERIGEE_CLIENT_API int perigee_client_get_ground(const perigee_client* client, uint32_t handle,
                                                 perigee_client_ground* ground);
/* 1 for each solid cell of a box, else 0, as predicted: x first, then z, then y. Cells outside of
 * the ground are not solid. `capacity` is at least size[0] * size[1] * size[2]. */
PERIGEE_CLIENT_API int perigee_client_cells(const perigee_client* client, uint32_t handle,
                                            const int32_t low[3], const int32_t size[3],
                                            uint8_t* solid, size_t capacity);
PERIGEE_CLIENT_API int perigee_client_get_time(const perigee_client* client,
                                               perigee_client_time* time);
PERIGEE_CLIENT_API int perigee_client_get_telemetry(const perigee_client* client,
                                                    perigee_client_telemetry* telemetry);
/* The last 12.8 s, the oldest sample first. Of more than `capacity` the newest are written.
 * `sample_bytes` = sizeof(perigee_client_net_sample). Returns how many there are. */
PERIGEE_CLIENT_API int perigee_client_net_graph(const perigee_client* client,
                                                perigee_client_net_sample* samples,
                                                size_t sample_bytes, size_t capacity);
/* Sends and receives over a simulated path from now on, to try the game under bad conditions: a
 * profile of the lab and values that replace its own, e.g. "P5", "P2 loss-permille=50" or
 * "delay-ms=75 jitter-ms=10" (one way); "none" ends it, and so does disconnect(). Datagrams then
 * move once per frame. BAD_ARGUMENT, and no change: a word is invalid. */
PERIGEE_CLIENT_API int perigee_client_link(perigee_client* client, int64_t now_us,
                                           const char* conditions);
/* Sets techniques against latency from now on, e.g. "smoothing=none prediction=off"; the others
 * stay. docs/tuning.md lists all keys. BAD_ARGUMENT, and no change: a key or value is invalid. */
PERIGEE_CLIENT_API int perigee_client_use(perigee_client* client, const char* techniques);
/* Keeps the last `seconds` (1 to 40) of the own avatar from now on, for a flight recording; 0 ends
 * it. Another number starts over. 30 s take 1.4 MB, and 1 us a tick. */
PERIGEE_CLIENT_API int perigee_client_record(perigee_client* client, int seconds);
/* Writes the client's half of a flight recording, a file as docs/flight_recorder.md has it, and
 * returns 1. Takes some milliseconds. 0: nothing is recorded yet. BUFFER_TOO_SMALL sets
 * recording_bytes to the bytes that it needs now; 2 MB are ample. */
PERIGEE_CLIENT_API int perigee_client_recording(const perigee_client* client, uint8_t* recording,
                                                size_t capacity_bytes, size_t* recording_bytes);
/* Reads a flight recording and, unless `other` is NULL, the half of the other side, and writes both
 * paths and the causes of the corrections as JSON; docs/flight_recorder.md has its fields. Runs
 * ticks again with the rules of this game: up to seconds. No client has to be connected. `reruns`:
 * 1 compares each tick with its replay, too. Returns 1; 0: the recordings cannot be used, and
 * `json` is a sentence on why. BUFFER_TOO_SMALL sets json_bytes to the bytes that it needs. */
PERIGEE_CLIENT_API int perigee_client_report_flight(const perigee_client* client,
                                                    const uint8_t* half, size_t half_bytes,
                                                    const uint8_t* other, size_t other_bytes,
                                                    int reruns, char* json, size_t capacity_bytes,
                                                    size_t* json_bytes);
/* Displaces the predicted avatar, to demonstrate a correction. */
PERIGEE_CLIENT_API int perigee_client_inject_desync(perigee_client* client, double x_m, double y_m,
                                                    double z_m);

#ifdef __cplusplus
}
#endif
#endif
