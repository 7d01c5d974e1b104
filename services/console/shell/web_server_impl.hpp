/// The web server's connections, and what libwebsockets calls for them.
#pragma once

#include <libwebsockets.h>

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "web_connection.hpp"
#include "web_server.hpp"

namespace perigee::console {

struct WebServer::Impl {
  ~Impl();

  static int callback(lws* wsi, lws_callback_reasons reason, void* user, void* in, size_t bytes);
  int on(lws* wsi, lws_callback_reasons reason, WebId& id, std::string_view in);
  int on_http(lws* wsi, WebId& id);
  int on_body(WebId id, std::string_view part);
  void deliver_request(WebId id);
  int write_answer(lws* wsi, WebId& id);
  void on_opened(lws* wsi, WebId id);
  int on_message_part(lws* wsi, WebId id, std::string_view part);
  int write_messages(lws* wsi, WebId id);
  void on_woken();
  void on_closed(WebId& id);
  WebId add(lws* wsi, bool socket);
  /// Loop of the server's thread.
  void run() {
    while (!stopping) lws_service(context, 0);
  }
  void wake(WebId id) {
    ready.push_back(id);
    lws_cancel_service(context);
  }
  WebConnection* find(WebId id) {
    const auto found = connections.find(id);
    return found == connections.end() ? nullptr : &found->second;
  }

  Handler handler;  ///< set before the thread starts
  lws_context* context = nullptr;
  std::array<lws_protocols, 2> protocols{};
  std::atomic<bool> stopping{false};
  mutable std::mutex mutex;
  std::map<WebId, WebConnection> connections;  // guarded by mutex
  std::vector<WebId> ready;                    // guarded by mutex: have something to write
  WebId next_id = 1;                           // guarded by mutex
  Counts counts;                               // guarded by mutex
  std::thread thread;
};

}  // namespace perigee::console
