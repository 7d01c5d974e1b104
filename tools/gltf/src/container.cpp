#include "container.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>

#include "perigee/base/shown_text.hpp"
#include "perigee/gltf/gltf.hpp"

namespace perigee::gltf {
namespace {

using Json = nlohmann::json;
constexpr std::uint32_t glb_magic = 0x46546c67;  // "glTF"
constexpr std::uint32_t json_chunk = 0x4e4f534a;
constexpr std::uint32_t binary_chunk = 0x004e4942;
constexpr std::string_view data_uri = "data:";

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t out = 0;
  std::memcpy(&out, bytes.data() + at, sizeof out);
  return out;
}

struct Parts {
  std::string_view json;
  std::span<const std::byte> binary;
};

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A GLB file is a head of three words, and chunks of two words and their bytes.
Result<Parts> parts_of_glb(std::span<const std::byte> file) {
  if (file.size() < 20) return Error{"the GLB file ends in its head"};
  if (word_at(file, 4) != 2) {
    return Error{"the GLB file has version " + std::to_string(word_at(file, 4)) +
                 ", but only glTF 2.0 is read: export it again"};
  }
  if (word_at(file, 8) != file.size()) {
    return Error{"the GLB file has " + std::to_string(file.size()) + " bytes, but its head says " +
                 std::to_string(word_at(file, 8)) + ": copy it again"};
  }
  Parts out;
  std::size_t at = 12;
  for (int chunk = 0; at < file.size(); ++chunk) {
    if (file.size() - at < 8 || word_at(file, at) > file.size() - at - 8) {
      return Error{"chunk " + std::to_string(chunk) + " of the GLB file is longer than the file"};
    }
    const std::size_t bytes = word_at(file, at);
    const std::uint32_t kind = word_at(file, at + 4);
    const auto body = file.subspan(at + 8, bytes);
    if (chunk == 0 && kind != json_chunk) return Error{"the GLB file does not begin with JSON"};
    if (chunk == 0) out.json = text_of(body);
    if (chunk == 1 && kind == binary_chunk) out.binary = body;
    at += 8 + bytes;
  }
  return out;
}

/// Parsers of JSON call themselves for each level, and their stack is finite.
bool too_deep(std::string_view json) {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_text) {
      if (c == '\\') ++i;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      if (++depth > depth_max) return true;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return false;
}

std::optional<Error> check_buffers(const Json& buffers, bool has_binary) {
  if (!buffers.is_array()) return Error{"'buffers' is not a list"};
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const std::string name = "buffer " + std::to_string(i);
    const Json& buffer = buffers[i];
    if (!buffer.is_object()) return Error{name + " is not an object"};
    if (!buffer.contains("uri")) {
      if (i == 0 && has_binary) continue;
      return Error{name + " has no data: export as GLB, or as JSON with its data inside"};
    }
    const Json& uri = buffer["uri"];
    if (!uri.is_string() || !uri.get_ref<const std::string&>().starts_with(data_uri)) {
      return Error{name +
                   " is in another file: export as GLB, or as JSON with its data inside; "
                   "other files are never opened"};
    }
  }
  return std::nullopt;
}

/// The parts of the file that a level needs.
Result<Json> reduced(std::string_view text, bool has_binary) {
  if (text.size() > json_bytes_max) {
    return Error{"the JSON has more than " + std::to_string(json_bytes_max >> 20) +
                 " MiB: export as GLB, or divide the file"};
  }
  if (too_deep(text)) {
    return Error{"the JSON is nested more than " + std::to_string(depth_max) + " deep"};
  }
  Json whole = Json::parse(text, nullptr, false);
  if (whole.is_discarded() || !whole.is_object()) {
    return Error{"this is neither a GLB file nor valid JSON of glTF 2.0"};
  }
  if (const auto required = whole.find("extensionsRequired");
      required != whole.end() && !required->empty()) {
    const Json& first = required->is_array() ? required->front() : *required;
    return Error{
        "the file requires the extension '" +
        (first.is_string() ? level::shown_name(first.get_ref<const std::string&>()) : "?") +
        "': export it without compression and other extensions"};
  }
  static constexpr std::array needed{"asset",     "scene",       "scenes",  "nodes",    "meshes",
                                     "materials", "bufferViews", "buffers", "accessors"};
  Json out = Json::object();
  for (const char* key : needed) {
    if (const auto found = whole.find(key); found != whole.end()) out[key] = std::move(*found);
  }
  if (out.contains("buffers")) {
    if (auto error = check_buffers(out["buffers"], has_binary)) return *error;
  }
  if (!out.contains("materials")) return out;
  if (!out["materials"].is_array()) return Error{"'materials' is not a list"};
  for (Json& material : out["materials"]) {
    if (!material.is_object()) return Error{"a material is not an object"};
    for (const char* unused : {"extensions", "pbrMetallicRoughness", "normalTexture",
                               "occlusionTexture", "emissiveTexture"}) {
      material.erase(unused);
    }
  }
  return out;
}

void append_chunk(std::vector<unsigned char>& to, std::uint32_t kind,
                  std::span<const std::byte> body, unsigned char padding) {
  const auto word = [&](std::uint32_t number) {
    for (int i = 0; i < 4; ++i) to.push_back(static_cast<unsigned char>(number >> 8 * i));
  };
  const std::size_t padded = (body.size() + 3) / 4 * 4;
  word(static_cast<std::uint32_t>(padded));
  word(kind);
  const auto* begin = reinterpret_cast<const unsigned char*>(body.data());
  to.insert(to.end(), begin, begin + body.size());
  to.resize(to.size() + padded - body.size(), padding);
}

std::vector<unsigned char> glb_of(const std::string& json, std::span<const std::byte> binary) {
  std::vector<unsigned char> out{'g', 'l', 'T', 'F', 2, 0, 0, 0, 0, 0, 0, 0};
  append_chunk(out, json_chunk, std::as_bytes(std::span(json)), ' ');
  append_chunk(out, binary_chunk, binary, 0);
  const auto size = static_cast<std::uint32_t>(out.size());
  std::memcpy(out.data() + 8, &size, sizeof size);
  return out;
}

}  // namespace

Result<tinygltf::Model> load(std::span<const std::byte> file) {
  if (file.size() > file_bytes_max) return Error{"the file has more than 512 MiB: divide it"};
  Parts parts{text_of(file), {}};
  if (file.size() >= 4 && word_at(file, 0) == glb_magic) {
    const auto found = parts_of_glb(file);
    if (!found) return found.error();
    parts = *found;
  }
  const bool has_binary = !parts.binary.empty();
  auto json = reduced(parts.json, has_binary);
  if (!json) return json.error();
  tinygltf::Model model;
  std::string error, warning;
  bool loaded = false;
  try {
    const std::string text = json->dump();
    json.value() = nullptr;  // its memory, before the same text is parsed again
    tinygltf::TinyGLTF loader;
    if (has_binary) {
      const auto glb = glb_of(text, parts.binary);
      loaded = loader.LoadBinaryFromMemory(&model, &error, &warning, glb.data(),
                                           static_cast<unsigned>(glb.size()));
    } else {
      loaded = loader.LoadASCIIFromString(&model, &error, &warning, text.data(),
                                          static_cast<unsigned>(text.size()), "");
    }
  } catch (const std::bad_alloc&) {
    throw;  // the file is not to blame
  } catch (const std::exception& wrong) {
    error = wrong.what();  // the library's parser throws at values of other types
  }
  if (!loaded) {
    std::replace(error.begin(), error.end(), '\n', ' ');
    error.resize(std::min<std::size_t>(error.size(), 400));  // it quotes the file
    return Error{"the glTF is not valid: " + (error.empty() ? "no reason is given" : shown(error))};
  }
  return model;
}

}  // namespace perigee::gltf
