#!/usr/bin/env bash
# perigee_client.h is C99 and C++ for every compiler: gcc, clang as Microsoft's compiler sees it, and mingw-w64 where it is
# installed.
#   check_c_header.sh HEADER
set -euo pipefail
header=$1
checks() { # COMPILER OPTIONS...
  "$@" -fsyntax-only -Wall -Wextra -Werror -std=c99 -x c "$header"
  "$@" -fsyntax-only -Wall -Wextra -Werror -std=c++11 -x c++ "$header"
}
checks gcc -pedantic
# Without the headers of Windows: stdint.h and stddef.h are clang's own.
microsoft=(clang-19 --target=x86_64-pc-windows-msvc -ffreestanding -fms-compatibility -fms-extensions)
checks "${microsoft[@]}"
seen=$("${microsoft[@]}" -E -P -x c "$header")
if grep -q -e __attribute__ -e __builtin -e __extension__ <<<"$seen"; then
  echo "$header has words that Microsoft's compiler does not know" >&2
  exit 1
fi
if command -v x86_64-w64-mingw32-gcc-posix >/dev/null; then
  checks x86_64-w64-mingw32-gcc-posix -pedantic
fi
