// The part of Unreal's modules Core, CoreUObject and Engine that the plugin and a game use, without
// any behaviour, to compile them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>

using int32 = std::int32_t;
using int64 = long long;
using uint8 = std::uint8_t;
using uint16 = std::uint16_t;
using uint32 = std::uint32_t;
using TCHAR = char16_t;
#define TEXT(Text) u##Text
#define TCHAR_TO_UTF8(Text) (static_cast<void>(Text), "")
#define UTF8_TO_TCHAR(Text) (static_cast<void>(Text), TEXT(""))
#define UPROPERTY(...)
#define UFUNCTION(...)
#define UCLASS(...)
#define USTRUCT(...)
#define GENERATED_BODY() PERIGEE_GENERATED_BODY
#define PERIGEE_API
#define PLATFORM_WINDOWS 0
#define PLATFORM_SOCKETSUBSYSTEM FName("")

class FName {
 public:
  FName() = default;
  FName(const char*) {}
};
class FString {
 public:
  FString() = default;
  FString(const TCHAR*) {}
  const TCHAR* operator*() const { return TEXT(""); }
  template <class... TArguments>
  static FString Printf(const TCHAR*, TArguments...) {
    return {};
  }
  friend FString operator+(const FString& A, const TCHAR*) { return A; }
};
template <class T>
class TArray {
 public:
  void Append(const T*, int32) {}
  void SetNum(int32) {}
  void Reset() {}
  int32 Num() const { return 0; }
  const T* GetData() const { return nullptr; }
  T& operator[](int32) {
    static T One;
    return One;
  }
  const T& operator[](int32) const {
    static T One;
    return One;
  }
  const T* begin() const { return nullptr; }
  const T* end() const { return nullptr; }
};
enum class ESPMode { ThreadSafe };
template <class T, ESPMode Mode = ESPMode::ThreadSafe>
class TSharedRef {
 public:
  TSharedRef(std::shared_ptr<T> InHeld) : Held(std::move(InHeld)) {}
  T* operator->() const { return Held.get(); }
  T& operator*() const { return *Held; }
  std::shared_ptr<T> Held;
};
template <class T, ESPMode Mode = ESPMode::ThreadSafe>
class TSharedPtr {
 public:
  TSharedPtr() = default;
  TSharedPtr(const TSharedRef<T>& Other) : Held(Other.Held) {}
  T* operator->() const { return Held.get(); }
  bool IsValid() const { return Held != nullptr; }
  void Reset() { Held.reset(); }
  friend bool operator!=(const TSharedPtr& A, const TSharedPtr& B) { return A.Held != B.Held; }
  std::shared_ptr<T> Held;
};
template <class T>
TSharedRef<T> MakeShared() {
  return std::make_shared<T>();
}
template <class T>
class TUniquePtr {
 public:
  TUniquePtr() = default;
  TUniquePtr(std::unique_ptr<T> InHeld) : Held(std::move(InHeld)) {}
  T* Get() { return Held.get(); }
  T* operator->() const { return Held.get(); }
  void Reset() { Held.reset(); }
  std::unique_ptr<T> Held;
};
template <class T, class... TArguments>
TUniquePtr<T> MakeUnique(TArguments&&... Arguments) {
  return std::make_unique<T>(static_cast<TArguments&&>(Arguments)...);
}
struct FVector {
  FVector(double, double, double) {}
  FVector operator*(double) const { return *this; }
};
struct FQuat {
  FQuat(double, double, double, double) {}
};
struct FTransform {
  FTransform() = default;
  FTransform(const FQuat&, const FVector&) {}
};
struct FRotator {
  double Pitch = 0, Yaw = 0, Roll = 0;
};
struct FMath {
  static float DegreesToRadians(float Degrees) { return Degrees; }
};
struct FPlatformTime {
  static double Seconds() { return 0; }
};
struct FPlatformProcess {
  static void* GetDllHandle(const TCHAR*) { return nullptr; }
  static void* GetDllExport(void*, const TCHAR*) { return nullptr; }
  static void FreeDllHandle(void*) {}
};
struct FPaths {
  template <class... TParts>
  static FString Combine(const TParts&...) {
    return {};
  }
};
struct TStatId {};
#define RETURN_QUICK_DECLARE_CYCLE_STAT(Name, Group) return TStatId()
class FTickableGameObject {
 public:
  virtual ~FTickableGameObject() = default;
  virtual void Tick(float DeltaTime) = 0;
  virtual bool IsTickable() const { return true; }
  virtual TStatId GetStatId() const = 0;
};
class UGameInstanceSubsystem {
 public:
  virtual ~UGameInstanceSubsystem() = default;
  virtual void Deinitialize() {}
};
class UGameInstance {
 public:
  template <class T>
  T* GetSubsystem() {
    return nullptr;
  }
};
template <class... TArguments>
struct TDynamicDelegate {
  void Broadcast(TArguments...) const {}
  template <class T>
  void AddDynamic(T*, void (T::*)(TArguments...)) {}
};
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(Name, A, NameA) using Name = TDynamicDelegate<A>
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_FourParams(Name, A, NameA, B, NameB, C, NameC, D, \
                                                      NameD)                                 \
  using Name = TDynamicDelegate<A, B, C, D>
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_FiveParams(Name, A, NameA, B, NameB, C, NameC, D, \
                                                      NameD, E, NameE)                       \
  using Name = TDynamicDelegate<A, B, C, D, E>
class FDefaultModuleImpl {};
#define IMPLEMENT_MODULE(Class, Name) static Class Name##Module;
