// The loading half of Settings: command line, environment, file, help and printing.
#include "perigee/host/settings.hpp"

#include <toml++/toml.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/host/build.hpp"
#include "perigee/host/read_file.hpp"
#include "settings_impl.hpp"

namespace perigee::host {
namespace {

/// Sections of all perigee programs. A section of which this program declares no key belongs to
/// another program.
constexpr std::array<std::string_view, 8> sections{"bots", "directory",   "gateway", "log",
                                                   "otlp", "replication", "session", "sim"};

/// A TOML leaf in the text form of a flag.
std::optional<std::string> leaf_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* truth = node.as_boolean()) return std::string(truth->get() ? "true" : "false");
  if (const auto* real = node.as_floating_point()) {
    char digits[40];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, real->get()).ptr);
  }
  if (const auto* list = node.as_array()) {
    std::string text;
    for (const toml::node& item : *list) {
      const auto one = item.is_array() ? std::nullopt : leaf_text(item);
      if (!one) return std::nullopt;
      text += (text.empty() ? "" : ",") + *one;
    }
    return text;
  }
  return std::nullopt;
}

template <class Visit>
void for_each_leaf(const toml::table& table, const std::string& prefix, Visit visit) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    if (const auto* inner = node.as_table()) {
      for_each_leaf(*inner, key + ".", visit);
    } else {
      visit(key, node);
    }
  }
}

std::string table_of(const std::string& key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string::npos ? "" : key.substr(0, dot);
}

constexpr std::size_t config_bytes_max = 1U << 20;

std::string description(const SettingRow& row) {
  std::string text = row.help;
  std::string more = row.kind == SettingKind::Flag ? "" : row.limits;
  if (const std::string value = row.get(); !value.empty()) {
    more += (more.empty() ? "" : "; ") + std::string("default ") + value;
  }
  return more.empty() ? text : text + " [" + more + "]";
}

}  // namespace

void Settings::Impl::add(SettingRow row) {
  PERIGEE_ASSERT(find(row.key) == nullptr, "a setting must be declared only once");
  rows.push_back(std::move(row));
}

SettingRow* Settings::Impl::find(std::string_view key) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const SettingRow& row) {
    return row.key == key || (!row.former_key.empty() && row.former_key == key);
  });
  return found == rows.end() ? nullptr : &*found;
}

bool Settings::Impl::elsewhere(std::string_view key) const {
  const std::size_t dot = key.find('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view dotted = key.substr(0, dot + 1);
  const bool known =
      std::find(sections.begin(), sections.end(), key.substr(0, dot)) != sections.end();
  return known && std::none_of(rows.begin(), rows.end(),
                               [&](const SettingRow& row) { return row.key.starts_with(dotted); });
}

const SettingRow& Settings::Impl::nearest(std::string_view key) const {
  return *std::min_element(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
    return edit_distance(a.key, key) < edit_distance(b.key, key);
  });
}

Result<Ok> Settings::Impl::apply(SettingRow& row, std::string_view text,
                                 const std::string& origin) {
  const auto done = row.set(text);
  if (!done) return Error{origin + ": " + row.key + ": " + done.error().message};
  row.origin = origin;
  return Ok{};
}

std::string Settings::Impl::apply_file(const std::string& path) {
  const auto file = read_if_present(path, config_bytes_max);
  if (!file) return file.error().message + "\n";
  if (!*file) return path + ": no such file; set another --config\n";
  toml::table table;
  try {
    table = toml::parse(**file, path);
  } catch (const toml::parse_error& error) {
    const auto line = error.source().begin.line;
    return path + ":" + (line > 0 ? std::to_string(line) + ": " : " ") +
           std::string(error.description()) + "\n";
  }
  std::string complaints;
  for_each_leaf(table, "", [&](const std::string& key, const toml::node& node) {
    const std::string where = path + ":" + std::to_string(node.source().begin.line);
    SettingRow* row = find(key);
    if (row == nullptr && elsewhere(key)) return;
    const auto text = leaf_text(node);
    if (row == nullptr) {
      complaints += where + ": unknown key '" + key + "', nearest is '" + nearest(key).key + "'\n";
    } else if (!text) {
      complaints += where + ": " + key + ": dates and tables are not supported\n";
    } else if (const auto done = apply(*row, *text, where); !done) {
      complaints += done.error().message + "\n";
    }
  });
  return complaints;
}

std::string Settings::Impl::print() const {
  std::vector<const SettingRow*> ordered;
  ordered.reserve(rows.size());
  for (const SettingRow& row : rows) ordered.push_back(&row);
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) {
    return table_of(a->key) < table_of(b->key);
  });
  std::string out;
  std::string table;
  for (const SettingRow* row : ordered) {
    if (table_of(row->key) != table) {
      table = table_of(row->key);
      out += "\n[" + table + "]\n";
    }
    const std::string name = table.empty() ? row->key : row->key.substr(table.size() + 1);
    out += "# " + row->help + (row->limits.empty() ? "" : " [" + row->limits + "]") + "; from " +
           row->origin + "\n" + name + " = " + row->toml_value() + "\n";
  }
  return out;
}

Settings::Loaded Settings::Impl::load(std::span<const std::string> arguments,
                                      const Environment& environment) {
  CLI::App app(summary, program);
  app.set_help_flag("--help,-h", "print this and exit");
  app.set_version_flag("--version", program + " " + build_name(), "print the version and exit");
  std::string config_path;
  bool print_config = false;
  bool check_config = false;
  std::vector<std::string> given(rows.size());
  std::vector<CLI::Option*> options(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    options[i] = rows[i].kind == SettingKind::Flag
                     ? app.add_flag(rows[i].flags(), given[i], description(rows[i]))
                     : app.add_option(rows[i].flags(), given[i], description(rows[i]));
    options[i]->type_name("");
  }
  app.add_option("--config", config_path, "TOML file with settings");
  app.add_flag("--print-config", print_config, "print the effective settings as TOML and exit");
  app.add_flag("--check-config", check_config, "check all settings and exit");
  const Printable* asked_for = nullptr;
  for (const Printable& printable : printables) {
    app.add_flag_callback(
        printable.flag, [&asked_for, &printable] { asked_for = &printable; }, printable.help);
  }
  app.footer(
      "The flag --log-level is PERIGEE_LOG_LEVEL in the environment and `level` in [log] in the "
      "file;\nflags take precedence over the environment, the environment over the file, the file "
      "over defaults.\n\nexamples:\n" +
      examples +
      "\n\nexit codes: 0 success, 1 failure at run time (the last line has the remedy), 2 invalid "
      "settings");
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return {exit_ok, app.help(), ""};
  } catch (const CLI::CallForVersion&) {
    return {exit_ok, app.version() + "\n", ""};
  } catch (const CLI::ParseError& error) {
    return {exit_usage, "", program + ": " + error.what() + "; see " + program + " --help\n"};
  }

  if (asked_for != nullptr) return {exit_ok, asked_for->text(), ""};
  std::string complaints;
  if (config_path.empty()) config_path = environment("PERIGEE_CONFIG").value_or("");
  if (!config_path.empty()) complaints += apply_file(config_path);
  const auto take = [&](SettingRow& row, std::string_view text, const std::string& origin) {
    if (const auto done = apply(row, text, origin); !done)
      complaints += done.error().message + "\n";
  };
  for (SettingRow& row : rows) {
    for (const std::string& name : row.environments()) {
      if (const auto text = environment(name)) take(row, *text, name);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (options[i]->count() > 0) take(rows[i], given[i], rows[i].flag());
  }
  if (!complaints.empty()) return {exit_usage, "", complaints};
  for (const auto& check : checks) {
    if (const auto done = check(); !done) {
      return {exit_usage, "", program + ": " + done.error().message + "\n"};
    }
  }
  if (check_config) return {exit_ok, "all settings are valid\n", ""};
  if (print_config) return {exit_ok, print(), ""};
  return {};
}

Settings::Settings(std::string program, std::string summary, std::string examples)
    : impl_(std::make_unique<Impl>()) {
  impl_->program = std::move(program);
  impl_->summary = std::move(summary);
  impl_->examples = std::move(examples);
}
Settings::~Settings() = default;

void Settings::former(std::string_view key, std::string_view former_key) {
  SettingRow* row = impl_->find(key);
  PERIGEE_ASSERT(row != nullptr && impl_->find(former_key) == nullptr,
                 "a former key belongs to a declared setting and is not in use");
  row->former_key = former_key;
}

void Settings::check(std::function<Result<Ok>()> check) {
  impl_->checks.push_back(std::move(check));
}

void Settings::printable(std::string_view name, std::string_view help,
                         std::function<std::string()> text) {
  impl_->printables.push_back({"--print-" + std::string(name), std::string(help), std::move(text)});
}

Settings::Loaded Settings::load(std::span<const std::string> arguments,
                                const Environment& environment) {
  return impl_->load(arguments, environment);
}

std::optional<int> Settings::load(int argc, const char* const* argv) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  const auto environment = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  const Loaded loaded = load(arguments, environment);
  std::cout << loaded.to_stdout << std::flush;
  std::cerr << loaded.to_stderr << std::flush;
  return loaded.exit_code;
}

std::string Settings::print() const { return impl_->print(); }

}  // namespace perigee::host
