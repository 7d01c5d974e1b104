/// libuv's handles are C structs with a common beginning: its functions take pointers to that.
#pragma once

#include <uv.h>

namespace perigee::host {

template <class Handle>
uv_handle_t* as_handle(Handle* handle) {
  return reinterpret_cast<uv_handle_t*>(handle);
}
template <class Handle>
uv_stream_t* as_stream(Handle* handle) {
  return reinterpret_cast<uv_stream_t*>(handle);
}

}  // namespace perigee::host
