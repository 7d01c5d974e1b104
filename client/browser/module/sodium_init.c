/* Start and random numbers of libsodium for a client: its own core.c would link
 * every algorithm, and its randombytes wants /dev/random. */
#include <sodium.h>
#include <stdlib.h>
#ifdef _WIN32
#include <windows.h>

#include <ntsecapi.h>
#else
#include <unistd.h>
#endif

/* The portable implementations are the defaults. */
int sodium_init(void) { return 0; }
void sodium_misuse(void) { abort(); }

void randombytes_buf(void* out, size_t bytes) {
  unsigned char* to = out;
  while (bytes > 0) { /* getentropy() gives 256 bytes at most */
    const size_t part = bytes < 256 ? bytes : 256;
#ifdef _WIN32
    if (!RtlGenRandom(to, (ULONG)part)) abort();
#else
    if (getentropy(to, part) != 0) abort();
#endif
    to += part;
    bytes -= part;
  }
}
