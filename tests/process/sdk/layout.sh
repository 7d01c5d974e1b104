#!/usr/bin/env bash
# Offsets of all fields in the structs of perigee_client.h, as the C compiler has them, one line each:
#   layout.sh HEADER
#   STRUCT FIELD OFFSET_BYTES SIZE_BYTES     STRUCT without perigee_client_; FIELD -: the struct itself
# Declarations in other languages are compared with these lines. In an empty folder.
set -euo pipefail
header=$1
awk '
  function field(declarator) {
    gsub(/\[[^]]*\]|[^a-z_0-9]/, "", declarator)
    printf "  FIELD(%s, %s)\n", name, declarator
  }
  { gsub(/\/\*.*\*\//, "") }
  /^typedef struct perigee_client_[a-z_]+ \{$/ {
    name = $3
    sub(/^perigee_client_/, "", name)
    printf "  STRUCT(%s)\n", name
    next
  }
  /^}/ && name != "" { printf "  END(%s)\n", name; name = "" }
  name != "" && NF > 0 {
    sub(/^ *[a-z0-9_]+ /, "") # the type
    fields = split($0, declarators, ",")
    for (i = 1; i <= fields; ++i) field(declarators[i])
  }
' "$header" >fields.inc
cat >layout.c <<C
#include "$header"
#include <stddef.h>
#include <stdio.h>
int main(void) {
  size_t end = 0, offset = 0;
#define ALIGNED(bytes) ((end + bytes - 1) / bytes * bytes)
#define STRUCT(s) \\
  end = 0; \\
  printf("%s - 0 %zu\\n", #s, sizeof(perigee_client_##s));
#define FIELD(s, f) \\
  offset = offsetof(perigee_client_##s, f); \\
  if (offset != ALIGNED(__alignof__(((perigee_client_##s*)NULL)->f))) return 1; \\
  end = offset + sizeof(((perigee_client_##s*)NULL)->f); \\
  printf("%s %s %zu %zu\\n", #s, #f, offset, end - offset);
#define END(s) \\
  if (sizeof(perigee_client_##s) != ALIGNED(__alignof__(perigee_client_##s))) return 1;
#include "fields.inc"
  return 0;
}
C
cc -std=gnu99 -Wall -Wextra -Werror layout.c -o layout_program
./layout_program || { echo 'layout.sh has overlooked a field' >&2; exit 1; }
