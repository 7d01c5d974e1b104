#include "postgres_server/postgres_server.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace perigee::postgres_server {
namespace fs = std::filesystem;
namespace {

constexpr int start_tries = 900;  // a tenth of a second each

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// The user that runs the server, because root may not; null: the current user.
const passwd* server_user() { return geteuid() == 0 ? getpwnam("postgres") : nullptr; }

}  // namespace

fs::path programs() {
  const fs::path versions = "/usr/lib/postgresql";
  fs::path newest;
  int newest_version = 0;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(versions, missing)) {
    const int version = std::atoi(entry.path().filename().c_str());
    if (version > newest_version && fs::exists(entry.path() / "bin" / "initdb")) {
      newest = entry.path() / "bin";
      newest_version = version;
    }
  }
  return newest;
}

pid_t Server::spawn(const std::vector<std::string>& command) const {
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const passwd* user = server_user();
  const std::string log = folder_ / "log";
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child != 0) return child;
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  if (user != nullptr &&
      (setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0)) {
    _exit(126);
  }
  prctl(PR_SET_PDEATHSIG, SIGQUIT);  // ends it at once, also when the test is killed
  if (getppid() != parent || chdir(folder_.c_str()) != 0) _exit(125);
  execv(arguments[0], arguments.data());
  _exit(127);
}

Result<Ok> Server::run(const std::vector<std::string>& command) const {
  int status = 0;
  waitpid(spawn(command), &status, 0);
  if (status == 0) return Ok{};
  return Error{command.front() + " failed:\n" + text_of(folder_ / "log")};
}

Result<std::unique_ptr<Server>> Server::make() {
  std::string name = (fs::temp_directory_path() / "perigee-pg-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return Error{"no temporary folder"};
  std::unique_ptr<Server> server(new Server(name));
  if (const passwd* user = server_user()) {
    if (chown(name.c_str(), user->pw_uid, user->pw_gid) != 0) return Error{name + ": chown"};
  }
  const std::string data = server->folder_ / "data";
  const auto made = server->run({programs() / "initdb", "-D", data, "-U", "perigee", "-A", "trust",
                                 "-E", "UTF8", "--locale", "C", "--no-sync"});
  if (!made) return made.error();
  const std::string rules = "local all guest scram-sha-256\nlocal all all trust\n";
  std::ofstream(data + "/pg_hba.conf") << rules;
  if (const auto started = server->start(); !started) return started.error();
  const auto guest = server->run({programs() / "psql", "-q", "-d", server->database("postgres"),
                                  "-c", "CREATE ROLE guest LOGIN PASSWORD 'secret'"});
  if (!guest) return guest.error();
  return server;
}

Server::~Server() {
  kill_hard();
  std::error_code ignored;
  // Its children may take a moment to notice.
  for (int i = 0; i < 50 && fs::remove_all(folder_, ignored) == std::uintmax_t(-1); ++i) {
    usleep(100'000);
  }
}

std::string Server::database(const std::string& name) const {
  return "host=" + folder_.string() + " user=perigee dbname=" + name;
}

Result<Ok> Server::create_schema(const std::string& name) {
  return run(
      {programs() / "psql", "-q", "-d", database("postgres"), "-c", "CREATE SCHEMA " + name});
}

// After a crash the server refuses to start until the last child of its predecessor has exited.
Result<Ok> Server::start() {
  const std::vector<std::string> ask{programs() / "psql",  "-q", "-d",
                                     database("postgres"), "-c", "SELECT 1"};
  for (int i = 0; i < start_tries; ++i) {
    if (postmaster_ < 0) {
      postmaster_ = spawn({programs() / "postgres", "-D", folder_ / "data", "-k", folder_, "-c",
                           "listen_addresses=", "-c", "shared_buffers=64MB"});
    }
    usleep(100'000);
    if (waitpid(postmaster_, nullptr, WNOHANG) == postmaster_) {
      postmaster_ = -1;
    } else if (run(ask)) {
      return Ok{};
    }
  }
  return Error{"the server does not start:\n" + text_of(folder_ / "log")};
}

void Server::reap() {
  waitpid(postmaster_, nullptr, 0);
  postmaster_ = -1;
}

void Server::kill_hard() {
  if (postmaster_ < 0) return;
  kill(postmaster_, SIGKILL);
  reap();
}

void Server::stop() {
  if (postmaster_ < 0) return;
  kill(postmaster_, SIGINT);  // "fast": connections are closed, then a checkpoint
  reap();
}

void Server::signal_all(int number) const {
  std::istringstream children(text_of("/proc/" + std::to_string(postmaster_) + "/task/" +
                                      std::to_string(postmaster_) + "/children"));
  kill(postmaster_, number);
  for (pid_t child = 0; children >> child;) kill(child, number);
}

}  // namespace perigee::postgres_server
