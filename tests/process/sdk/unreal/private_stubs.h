// The part of Unreal's modules HTTP, Json, Projects and Sockets that the plugin uses, without any
// behaviour, to compile it. A game does not see them.
#pragma once

#include "stubs.h"

struct IPlugin {
  FString GetBaseDir() const { return {}; }
};
struct IPluginManager {
  static IPluginManager& Get() {
    static IPluginManager One;
    return One;
  }
  TSharedPtr<IPlugin> FindPlugin(const TCHAR*) { return {}; }
};

class IHttpResponse {
 public:
  FString GetContentAsString() const { return {}; }
  int32 GetResponseCode() const { return 0; }
};
class IHttpRequest;
using FHttpRequestPtr = TSharedPtr<IHttpRequest, ESPMode::ThreadSafe>;
using FHttpResponsePtr = TSharedPtr<IHttpResponse, ESPMode::ThreadSafe>;
struct FHttpRequestCompleteDelegate {
  template <class T, class FAnswer>
  void BindWeakLambda(T*, FAnswer Answer) {
    if (false) Answer(FHttpRequestPtr(), FHttpResponsePtr(), false);
  }
};
class IHttpRequest {
 public:
  void SetURL(const FString&) {}
  void SetVerb(const FString&) {}
  void SetHeader(const FString&, const FString&) {}
  void SetContentAsString(const FString&) {}
  FHttpRequestCompleteDelegate& OnProcessRequestComplete() { return Complete; }
  bool ProcessRequest() { return true; }
  FHttpRequestCompleteDelegate Complete;
};
struct FHttpModule {
  static FHttpModule& Get() {
    static FHttpModule One;
    return One;
  }
  TSharedRef<IHttpRequest, ESPMode::ThreadSafe> CreateRequest() {
    return MakeShared<IHttpRequest>();
  }
};

class FJsonObject {
 public:
  void SetStringField(const FString&, const FString&) {}
  void SetNumberField(const FString&, double) {}
  bool TryGetStringField(const FString&, FString&) const { return false; }
  bool TryGetObjectField(const FString&, const TSharedPtr<FJsonObject>*&) const { return false; }
};
struct FJsonSink {};
template <class T = char>
struct TJsonWriterFactory {
  static TSharedRef<FJsonSink> Create(FString*) { return MakeShared<FJsonSink>(); }
};
template <class T = char>
struct TJsonReaderFactory {
  static TSharedRef<FJsonSink> Create(const FString&) { return MakeShared<FJsonSink>(); }
};
struct FJsonSerializer {
  static bool Serialize(const TSharedRef<FJsonObject>&, const TSharedRef<FJsonSink>&) {
    return true;
  }
  static bool Deserialize(const TSharedRef<FJsonSink>&, TSharedPtr<FJsonObject>&) { return true; }
};
struct FBase64 {
  static bool Decode(const FString&, TArray<uint8>&) { return true; }
};

class FInternetAddr {
 public:
  void SetRawIp(const TArray<uint8>&) {}
  TArray<uint8> GetRawIp() const { return {}; }
  void SetPort(int32) {}
  int32 GetPort() const { return 0; }
};
class FSocket {
 public:
  bool SetNonBlocking(bool) { return true; }
  FName GetProtocol() const { return {}; }
  bool SendTo(const uint8*, int32, int32&, const FInternetAddr&) { return true; }
  bool RecvFrom(uint8*, int32, int32&, FInternetAddr&) { return false; }
};
struct FNetworkProtocolTypes {
  static inline FName IPv4, IPv6;
};
inline FName NAME_DGram;
enum ESocketErrors { SE_EWOULDBLOCK };
class ISocketSubsystem {
 public:
  ESocketErrors GetLastErrorCode() { return SE_EWOULDBLOCK; }
  static ISocketSubsystem* Get(const FName&) { return nullptr; }
  FSocket* CreateSocket(const FName&, const FString&, const FName&) { return nullptr; }
  void DestroySocket(FSocket*) {}
  TSharedRef<FInternetAddr> CreateInternetAddr(const FName&) { return MakeShared<FInternetAddr>(); }
};
