// A player in the world, without Unreal: sockets and clock are arguments.
#pragma once

#include <cstdint>
#include <vector>

#include "PerigeeClientApi.h"

/// UDP: a datagram that cannot be sent is lost on the way.
class IPerigeeDatagrams {
 public:
  virtual ~IPerigeeDatagrams() = default;
  virtual void Send(const perigee_client_address& To, const uint8_t* Bytes, size_t Size) = 0;
  /// Takes what has arrived next. False: nothing has. Size 0: an empty datagram, or an error in the
  /// place of one; more may wait behind it.
  virtual bool Receive(perigee_client_address& From, uint8_t* Bytes, size_t Capacity,
                       size_t& Size) = 0;
};

class FPerigeePlayer {
 public:
  FPerigeePlayer(const FPerigeeClientApi& InApi, IPerigeeDatagrams& InDatagrams);
  ~FPerigeePlayer();
  FPerigeePlayer(const FPerigeePlayer&) = delete;
  FPerigeePlayer& operator=(const FPerigeePlayer&) = delete;

  /// False: no memory was left for a client. Nothing else may be called then.
  bool Created() const { return Client != nullptr; }
  uint32_t WireVersion() const { return Api.wire_version(); }
  uint64_t SchemaHash() const { return Api.schema_hash(Client); }
  /// Connects with a token from the session service. Null, or why that fails.
  const char* Begin(int64_t NowUs, const uint8_t* Token, size_t TokenBytes);
  /// One frame. Null, or why the session is over.
  const char* Frame(int64_t NowUs, const perigee_client_input& Controls);
  void Leave(int64_t NowUs);
  /// Sets a field that the game adds to inputs, from the next tick on; a momentary one in that tick
  /// alone. Null, or why it is not set.
  const char* SetInput(const char* Field, int64_t Value);
  /// Sets all of them: the bytes of the game's struct.
  const char* SetOwnInput(const uint8_t* Fields, size_t Bytes);

  bool Playing() const { return bPlaying; }
  /// Of the last frame, parents before children.
  const std::vector<perigee_client_entity>& Entities() const { return Scene; }
  const perigee_client_entity* Own() const;
  /// Of the last frame.
  const std::vector<perigee_client_cue>& Cues() const { return News; }
  /// Cues of others, of the last frame.
  const std::vector<perigee_client_heard_cue>& CuesOfOthers() const { return NewsOfOthers; }
  /// Of the game, in order: those of the last frame.
  const std::vector<std::vector<uint8_t>>& Messages() const { return Heard; }
  /// Sends 1 to PERIGEE_CLIENT_MESSAGE_BYTES_MAX bytes to the game, which gets each message once,
  /// in order. Null, or why it is not sent.
  const char* SendMessage(const uint8_t* Message, size_t MessageBytes);
  /// The game's state of an entity of the last frame, a struct of the game. Empty: not known, or
  /// without a state.
  std::vector<uint8_t> GameState(uint32_t Handle) const;
  /// The world's state, the same for all clients. Empty: not known yet, or the game has none.
  std::vector<uint8_t> WorldState() const;
  const char* TypeName(uint32_t Type) const { return Api.type_name(Client, Type); }
  /// UTF-8; empty if it is not known. Valid until the next call.
  const char* PlayerName(uint32_t Actor);
  perigee_client_telemetry Telemetry() const;

 private:
  void ReceiveAll(int64_t NowUs);
  void SendAll();
  int TakeMessages();

  const FPerigeeClientApi& Api;
  IPerigeeDatagrams& Datagrams;
  perigee_client* Client;
  std::vector<perigee_client_entity> Scene;
  std::vector<perigee_client_cue> News;
  std::vector<perigee_client_heard_cue> NewsOfOthers;
  std::vector<std::vector<uint8_t>> Heard;
  char Name[33] = "";
  bool bPlaying = false;
};
