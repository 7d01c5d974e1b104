#pragma once

#include <string>
#include <vector>

#include "perigee/host/settings.hpp"
#include "setting_row.hpp"

namespace perigee::host {

struct Settings::Impl {
  std::string program;
  std::string summary;
  std::string examples;
  std::vector<SettingRow> rows;  // in the order of declaration
  struct Printable {
    std::string flag;
    std::string help;
    std::function<std::string()> text;
  };
  std::vector<Printable> printables;
  std::vector<std::function<Result<Ok>()>> checks;

  void add(SettingRow row);
  /// Under its present or its former key; null: there is none.
  SettingRow* find(std::string_view key);
  /// The key belongs to another program, so that one file can serve all programs.
  bool elsewhere(std::string_view key) const;
  const SettingRow& nearest(std::string_view key) const;

  Result<Ok> apply(SettingRow& row, std::string_view text, const std::string& origin);
  /// All errors in a file, one per line; empty if it is valid.
  std::string apply_file(const std::string& path);
  std::string print() const;
  Loaded load(std::span<const std::string> arguments, const Environment& environment);
};

}  // namespace perigee::host
