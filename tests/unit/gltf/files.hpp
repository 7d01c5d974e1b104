/// Small glTF files for tests, as JSON and its binary data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace perigee::gltf {

using Json = nlohmann::json;
using Bytes = std::vector<std::byte>;

inline void append_word(Bytes& to, std::uint32_t word) {
  const auto bytes = std::as_bytes(std::span(&word, 1));
  to.insert(to.end(), bytes.begin(), bytes.end());
}

/// Base64 (RFC 4648).
inline std::string base64_of(std::span<const std::byte> bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group =
          group << 8 | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const bool padding = i + k > bytes.size();
      out.push_back(padding ? '=' : digits[group >> (18 - 6 * k) & 63]);
    }
  }
  return out;
}

struct File {
  Json json;
  Bytes data;

  /// GLB; `version` and `size` for broken heads.
  Bytes glb(std::uint32_t version = 2) const {
    std::string text = json.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    Bytes out;
    append_word(out, 0x46546c67);
    append_word(out, version);
    append_word(out, static_cast<std::uint32_t>(12 + 8 + text.size() + 8 + data.size()));
    append_word(out, static_cast<std::uint32_t>(text.size()));
    append_word(out, 0x4e4f534a);
    const auto body = std::as_bytes(std::span(text));
    out.insert(out.end(), body.begin(), body.end());
    append_word(out, static_cast<std::uint32_t>(data.size()));
    append_word(out, 0x004e4942);
    out.insert(out.end(), data.begin(), data.end());
    return out;
  }
  /// JSON with its data in a URI.
  Bytes embedded() const {
    Json whole = json;
    whole["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64_of(data);
    const std::string text = whole.dump();
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
  }
};

/// A square of 2 x 2 m with its front up, made of the material "ice", and above it the empty node
/// "spawn", turned by a quarter.
inline File square() {
  File out;
  const float corners[] = {-1, 0, -1, -1, 0, 1, 1, 0, 1, 1, 0, -1};
  const std::uint16_t order[] = {0, 1, 2, 0, 2, 3};
  out.data.resize(sizeof corners + sizeof order);
  std::memcpy(out.data.data(), corners, sizeof corners);
  std::memcpy(out.data.data() + sizeof corners, order, sizeof order);
  out.json = Json::parse(R"({
    "asset": {"version": "2.0"},
    "scene": 0,
    "scenes": [{"nodes": [0, 1]}],
    "nodes": [
      {"name": "floor", "mesh": 0},
      {"name": "spawn", "translation": [0, 1, 0], "rotation": [0, 0.70710678, 0, 0.70710678]}],
    "meshes": [{"name": "tile", "primitives": [
      {"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
    "materials": [{"name": "ice", "extras": {"friction": 0.05, "surface": 3}}],
    "accessors": [
      {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
       "min": [-1, 0, -1], "max": [1, 0, 1]},
      {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}],
    "bufferViews": [
      {"buffer": 0, "byteOffset": 0, "byteLength": 48},
      {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
    "buffers": [{"byteLength": 60}]})");
  return out;
}

/// Wedges: two hulls of the same size, a larger one, and one that is a mesh.
inline File wedges() {
  File out = square();
  const float corners[] = {0, 0, 0, 2, 0, 0, 0, 0, 2, 2, 0, 2, 2, 1, 0, 2, 1, 2};
  const std::uint16_t order[] = {0, 1, 3, 0, 3, 2, 0, 4, 1, 2, 3, 5,
                                 1, 4, 5, 1, 5, 3, 0, 2, 5, 0, 5, 4};
  out.data.resize(sizeof corners + sizeof order);
  std::memcpy(out.data.data(), corners, sizeof corners);
  std::memcpy(out.data.data() + sizeof corners, order, sizeof order);
  out.json["accessors"][0]["count"] = 6;
  out.json["accessors"][1]["count"] = 24;
  out.json["bufferViews"][0]["byteLength"] = sizeof corners;
  out.json["bufferViews"][1] = {
      {"buffer", 0}, {"byteOffset", sizeof corners}, {"byteLength", sizeof order}};
  out.json["buffers"][0]["byteLength"] = out.data.size();
  out.json["meshes"][0]["name"] = "wedge";
  out.json["nodes"] = Json::parse(R"([
    {"name": "hull_a", "mesh": 0}, {"name": "hull_b", "mesh": 0, "translation": [5, 0, 0]},
    {"name": "hull_wide", "mesh": 0, "scale": [3, 1, 1], "translation": [0, 0, 5]},
    {"name": "wedge", "mesh": 0, "translation": [5, 0, 5]}])");
  out.json["scenes"][0]["nodes"] = {0, 1, 2, 3};
  return out;
}

}  // namespace perigee::gltf
