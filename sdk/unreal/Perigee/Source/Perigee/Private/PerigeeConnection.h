// The client library with Unreal's sockets.
#pragma once

#include "CoreMinimal.h"
#include "PerigeePlayer.h"

class FPerigeeConnection final : public IPerigeeDatagrams {
 public:
  /// Loads the library. Player() is null, and Problem() a sentence, if that fails.
  FPerigeeConnection();
  ~FPerigeeConnection() override;

  FPerigeePlayer* Player() { return Loaded.Get(); }
  const FString& Problem() const { return Sentence; }
  /// After the log-in, until the session is over.
  bool bBegun = false;

  void Send(const perigee_client_address& To, const uint8_t* Bytes, size_t Size) override;
  bool Receive(perigee_client_address& From, uint8_t* Bytes, size_t Capacity,
               size_t& Size) override;

 private:
  class FSocket* SocketFor(uint8 Family);

  void* Library = nullptr;
  FPerigeeClientApi Api;
  TUniquePtr<FPerigeePlayer> Loaded;
  FString Sentence;
  FSocket* V4 = nullptr;
  FSocket* V6 = nullptr;
};
