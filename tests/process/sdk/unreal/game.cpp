// A game with the code of docs/sdk_unreal.md. It sees the plugin's folder Public, and of Unreal
// only the modules that the plugin's Build.cs makes public.
#include "PerigeeSession.h"

struct AActor {
  void SetActorTransform(const FTransform&) {}
};

class AMyController {
 public:
  void Play(const FString& Credential) {
#include "page.inc"
  }

 private:
  void OnEnded(const FString&) {}
  UGameInstance* GetGameInstance() { return &Game; }
  FRotator GetControlRotation() const { return {}; }
  float GetInputAxisValue(const TCHAR*) const { return 0; }
  AActor* ActorOf(int64, const FName&) { return &Actor; }

  UGameInstance Game;
  AActor Actor;
};

void PlayInAGame() { AMyController().Play(FString()); }
