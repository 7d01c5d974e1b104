#include "PerigeeConnection.h"

#include "HAL/PlatformProcess.h"
#include "IPAddress.h"
#include "Interfaces/IPluginManager.h"
#include "Misc/Paths.h"
#include "SocketSubsystem.h"
#include "Sockets.h"

#if PLATFORM_WINDOWS
#define PERIGEE_LIBRARY TEXT("perigee_client.dll")
#else
#define PERIGEE_LIBRARY TEXT("libperigee_client.so")
#endif

FPerigeeConnection::FPerigeeConnection() {
  const FString Folder = IPluginManager::Get().FindPlugin(TEXT("Perigee"))->GetBaseDir();
  const FString File = FPaths::Combine(Folder, TEXT("Library"), PERIGEE_LIBRARY);
  Library = FPlatformProcess::GetDllHandle(*File);
  if (Library == nullptr) {
    Sentence = FString::Printf(TEXT("the client library %s cannot be loaded"), *File);
    return;
  }
  const char* Wrong = Api.Load([this](const char* Name) {
    return FPlatformProcess::GetDllExport(Library, UTF8_TO_TCHAR(Name));
  });
  if (Wrong != nullptr) {
    Sentence = FString::Printf(TEXT("%s is no client library for this plugin: %s"), *File,
                               UTF8_TO_TCHAR(Wrong));
    return;
  }
  Loaded = MakeUnique<FPerigeePlayer>(Api, *this);
  if (!Loaded->Created()) {
    Loaded.Reset();
    Sentence = TEXT("no memory is left for a client");
  }
}

FPerigeeConnection::~FPerigeeConnection() {
  Loaded.Reset();
  ISocketSubsystem* Sockets = ISocketSubsystem::Get(PLATFORM_SOCKETSUBSYSTEM);
  for (FSocket* Socket : {V4, V6}) {
    if (Socket != nullptr) Sockets->DestroySocket(Socket);
  }
  if (Library != nullptr) FPlatformProcess::FreeDllHandle(Library);
}

FSocket* FPerigeeConnection::SocketFor(uint8 Family) {
  FSocket*& Socket = Family == 4 ? V4 : V6;
  if (Socket == nullptr) {
    const FName Protocol = Family == 4 ? FNetworkProtocolTypes::IPv4 : FNetworkProtocolTypes::IPv6;
    Socket = ISocketSubsystem::Get(PLATFORM_SOCKETSUBSYSTEM)
                 ->CreateSocket(NAME_DGram, TEXT("perigee"), Protocol);
    if (Socket != nullptr) Socket->SetNonBlocking(true);
  }
  return Socket;
}

void FPerigeeConnection::Send(const perigee_client_address& To, const uint8_t* Bytes, size_t Size) {
  FSocket* Socket = SocketFor(To.family);
  if (Socket == nullptr) return;  // no IPv6 here: the client tries the next gateway
  TArray<uint8> Ip;
  Ip.Append(To.ip, To.family == 4 ? 4 : 16);
  const TSharedRef<FInternetAddr> Address =
      ISocketSubsystem::Get(PLATFORM_SOCKETSUBSYSTEM)->CreateInternetAddr(Socket->GetProtocol());
  Address->SetRawIp(Ip);
  Address->SetPort(To.port);
  int32 Sent = 0;
  Socket->SendTo(Bytes, static_cast<int32>(Size), Sent, *Address);
}

bool FPerigeeConnection::Receive(perigee_client_address& From, uint8_t* Bytes, size_t Capacity,
                                 size_t& Size) {
  ISocketSubsystem* Sockets = ISocketSubsystem::Get(PLATFORM_SOCKETSUBSYSTEM);
  Size = 0;
  for (FSocket* Socket : {V4, V6}) {
    if (Socket == nullptr) continue;
    const TSharedRef<FInternetAddr> Address = Sockets->CreateInternetAddr(Socket->GetProtocol());
    int32 Read = 0;
    if (!Socket->RecvFrom(Bytes, static_cast<int32>(Capacity), Read, *Address)) {
      if (Sockets->GetLastErrorCode() == SE_EWOULDBLOCK) continue;
      return true;  // a closed port was told so, or a datagram was too long
    }
    const TArray<uint8> Ip = Address->GetRawIp();
    From = {};
    From.family = Ip.Num() == 4 ? 4 : 6;
    for (int32 i = 0; i < Ip.Num() && i < 16; ++i) From.ip[i] = Ip[i];
    From.port = static_cast<uint16>(Address->GetPort());
    Size = static_cast<size_t>(Read);
    return true;
  }
  return false;
}
