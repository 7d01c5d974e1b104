#include "perigee/host/build.hpp"

#include <elf.h>
#include <link.h>

#include <bit>
#include <cstdio>
#include <cstring>

namespace perigee::host {
namespace {

constexpr std::size_t id_bytes_shown = 4;
constexpr std::size_t note_alignment = 4;

std::size_t padded(std::size_t bytes) {
  return (bytes + note_alignment - 1) / note_alignment * note_alignment;
}

/// The build id in a sequence of ELF notes; empty: there is none.
std::string id_in(const char* notes, std::size_t bytes) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    const std::size_t whole = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
    if (whole > bytes) break;
    const char* name = notes + sizeof note;
    const char* id = name + padded(note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
        std::memcmp(name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0 &&
        note.n_descsz >= id_bytes_shown) {
      std::string text;
      for (std::size_t i = 0; i < id_bytes_shown; ++i) {
        char hex[3];
        std::snprintf(hex, sizeof hex, "%02x",
                      static_cast<unsigned>(static_cast<unsigned char>(id[i])));
        text += hex;
      }
      return text;
    }
    notes += whole;
    bytes -= whole;
  }
  return {};
}

/// The first object is the program itself.
int look_into(dl_phdr_info* object, std::size_t, void* out) {
  auto& id = *static_cast<std::string*>(out);
  for (std::size_t i = 0; i < object->dlpi_phnum && id.empty(); ++i) {
    const auto& part = object->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    id = id_in(std::bit_cast<const char*>(object->dlpi_addr + part.p_vaddr), part.p_memsz);
  }
  return 1;
}

}  // namespace

std::string build_name() {
  std::string id;
  dl_iterate_phdr(look_into, &id);
  return id.empty() ? PERIGEE_VERSION : PERIGEE_VERSION "-" + id;
}

}  // namespace perigee::host
