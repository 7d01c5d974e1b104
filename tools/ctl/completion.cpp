// perigee-ctl completion: scripts for shells, made from the commands and options that the program
// has.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "calls.hpp"

namespace perigee::session {
namespace {

/// The names of all options that begin with --.
std::string options_of(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      out += (out.empty() ? "--" : " --") + name;
    }
  }
  return out;
}

/// Commands whose arguments are names of workers.
bool takes_workers(const CLI::App& command) {
  constexpr std::string_view names[] = {"drain", "undrain", "kill", "replace", "move"};
  for (const std::string_view name : names) {
    if (command.get_name() == name) return true;
  }
  return false;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  std::vector<const CLI::App*> out;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    out.push_back(command);
  }
  return out;
}

std::string bash_script(const CLI::App& app) {
  std::string names, cases;
  for (const CLI::App* command : commands_of(app)) {
    names += (names.empty() ? "" : " ") + command->get_name();
    const std::string workers =
        takes_workers(*command) ? "$(perigee-ctl workers 2>/dev/null | awk 'NR > 1 { print $2 }') "
                                : "";
    cases +=
        "    " + command->get_name() + ") words=\"" + workers + options_of(*command) + "\" ;;\n";
  }
  return "_perigee_ctl() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} command='' words each\n"
         "  local all='" +
         names +
         "'\n"
         "  for each in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    case \" $all \" in *\" $each \"*) command=$each; break ;; esac\n"
         "  done\n"
         "  case \"$command\" in\n"
         "    '') words=\"$all " +
         options_of(app) + "\" ;;\n" + cases +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -F _perigee_ctl perigee-ctl\n";
}

/// Text inside of '...' of fish.
std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_script(const CLI::App& app) {
  std::string out = "complete -c perigee-ctl -f\n";
  const auto add_options = [&](const CLI::App& of, const std::string& condition) {
    for (const CLI::Option* option : of.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        out += "complete -c perigee-ctl -n " + condition + " -l " + name + " -d " +
               fish_quoted(option->get_description()) + "\n";
      }
    }
  };
  add_options(app, "__fish_use_subcommand");
  for (const CLI::App* command : commands_of(app)) {
    const std::string in = "'__fish_seen_subcommand_from " + command->get_name() + "'";
    out += "complete -c perigee-ctl -n __fish_use_subcommand -a " + command->get_name() + " -d " +
           fish_quoted(command->get_description()) + "\n";
    add_options(*command, in);
    if (takes_workers(*command)) {
      out += "complete -c perigee-ctl -n " + in +
             " -a \"(perigee-ctl workers 2>/dev/null | awk 'NR > 1 { print \\$2 }')\"\n";
    }
  }
  return out;
}

}  // namespace

Completion::Completion(CLI::App& app) : shell_(std::make_shared<std::string>()) {
  command_ = app.add_subcommand("completion", "print a script that completes commands in a shell");
  command_->add_option("shell", *shell_, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command_->footer(
      "examples:\n  source <(perigee-ctl completion bash)\n  perigee-ctl completion fish > "
      "~/.config/fish/completions/perigee-ctl.fish");
}

std::optional<int> Completion::run(const CLI::App& app) const {
  if (!command_->parsed()) return std::nullopt;
  std::string script = *shell_ == "fish" ? fish_script(app) : bash_script(app);
  if (*shell_ == "zsh") script = "autoload -U +X bashcompinit && bashcompinit\n" + script;
  std::fputs(script.c_str(), stdout);
  return host::exit_ok;
}

}  // namespace perigee::session
