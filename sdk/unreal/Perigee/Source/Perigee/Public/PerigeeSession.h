// A player in a world of perigee, for C++ and Blueprints:
// GetGameInstance()->GetSubsystem<UPerigeeSession>().
#pragma once

#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "Tickable.h"

#include "PerigeeSession.generated.h"

/** The controls of a frame. PressedButtons and UseHandle count once. */
USTRUCT(BlueprintType)
struct FPerigeeControls {
  GENERATED_BODY()

  /** -1 to 1, in the look's horizontal frame; Up: jetpack only. */
  UPROPERTY(BlueprintReadWrite, Category = "perigee")
  float Right = 0;
  UPROPERTY(BlueprintReadWrite, Category = "perigee")
  float Up = 0;
  UPROPERTY(BlueprintReadWrite, Category = "perigee")
  float Forward = 0;
  /** As FRotator: clockwise from above, 0 looks along +X. */
  UPROPERTY(BlueprintReadWrite, Category = "perigee")
  float YawDegrees = 0;
  /** Up is positive. */
  UPROPERTY(BlueprintReadWrite, Category = "perigee")
  float PitchDegrees = 0;
  /** Bits as PERIGEE_CLIENT_JUMP and so on. */
  UPROPERTY(BlueprintReadWrite, Category = "perigee")
  int32 HeldButtons = 0;
  UPROPERTY(BlueprintReadWrite, Category = "perigee")
  int32 PressedButtons = 0;
  /** The entity to use; 0: none. */
  UPROPERTY(BlueprintReadWrite, Category = "perigee")
  int64 UseHandle = 0;
};

/** An entity as rendered now. */
USTRUCT(BlueprintType)
struct FPerigeeEntity {
  GENERATED_BODY()

  /** Constant for its lifetime. */
  UPROPERTY(BlueprintReadOnly, Category = "perigee")
  int64 Handle = 0;
  /** Another entity that it moves with; 0: the world. */
  UPROPERTY(BlueprintReadOnly, Category = "perigee")
  int64 Parent = 0;
  UPROPERTY(BlueprintReadOnly, Category = "perigee")
  FName Type;
  /** The predicted avatar. */
  UPROPERTY(BlueprintReadOnly, Category = "perigee")
  bool bOwn = false;
  /** In the world, in centimetres. */
  UPROPERTY(BlueprintReadOnly, Category = "perigee")
  FTransform Transform;
};

DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FPerigeeEnded, const FString&, Sentence);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_FourParams(FPerigeeCueChanged, int32, Effect, int32, State,
                                              int32, Detail, int64, Subject);

DECLARE_DYNAMIC_MULTICAST_DELEGATE_FiveParams(FPerigeeHeard, int32, Effect, int64, Handle, int32,
                                              Detail, int64, Subject, const FVector&, Place);

DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FPerigeeMessage, const TArray<uint8>&, Bytes);

UCLASS()
class PERIGEE_API UPerigeeSession : public UGameInstanceSubsystem, public FTickableGameObject {
  GENERATED_BODY()

 public:
  /** Logs in at the session service, such as http://127.0.0.1:40013, connects, and plays. */
  UFUNCTION(BlueprintCallable, Category = "perigee")
  void Join(const FString& Url, const FString& PlayerName, const FString& Credential);
  /** Without it the avatar stays until a timeout. */
  UFUNCTION(BlueprintCallable, Category = "perigee")
  void Leave();
  /** The controls of the next frames. Presses add up until they are sent. */
  UFUNCTION(BlueprintCallable, Category = "perigee")
  void SetControls(const FPerigeeControls& Controls);
  /** Sets a field that the game adds to inputs, from the next tick on; a momentary one in that tick
   * alone. False: the game has no such field, or the value is out of its range. */
  UFUNCTION(BlueprintCallable, Category = "perigee")
  bool SetInput(const FString& Field, int64 Value);
  /** Sets all of these fields: the bytes of the game's struct. */
  UFUNCTION(BlueprintCallable, Category = "perigee")
  bool SetOwnInput(const TArray<uint8>& Fields);
  /** Empty if it is not known. */
  UFUNCTION(BlueprintCallable, Category = "perigee")
  FString PlayerNameOf(int64 Handle);

  /** Sends 1 to 1024 bytes to the game, which gets each message once, in order. False: it is not
   * sent, because 32 messages are on their way, or it has another length. */
  UFUNCTION(BlueprintCallable, Category = "perigee")
  bool SendMessage(const TArray<uint8>& Bytes);
  /** The game's state of an entity of this frame, the bytes of the game's struct; empty: not known,
   * or without a state. */
  UFUNCTION(BlueprintCallable, Category = "perigee")
  TArray<uint8> GameStateOf(int64 Handle);
  /** The world's state, the same for all clients; empty: not known yet, or the game has none. */
  UFUNCTION(BlueprintCallable, Category = "perigee")
  TArray<uint8> WorldState();

  /** In the world and predicting. */
  UPROPERTY(BlueprintReadOnly, Category = "perigee")
  bool bPlaying = false;
  /** Of this frame, parents before children. */
  UPROPERTY(BlueprintReadOnly, Category = "perigee")
  TArray<FPerigeeEntity> Entities;
  /** The own avatar in Entities; -1 while there is none. */
  UPROPERTY(BlueprintReadOnly, Category = "perigee")
  int32 OwnIndex = -1;
  UPROPERTY(BlueprintReadOnly, Category = "perigee")
  float PingMs = 0;
  UPROPERTY(BlueprintReadOnly, Category = "perigee")
  int64 Corrections = 0;
  /** The session is over, with a sentence for the player. */
  UPROPERTY(BlueprintAssignable, Category = "perigee")
  FPerigeeEnded OnEnded;
  /** State 0: play the effect; 1: it happened; 2: take it back. */
  UPROPERTY(BlueprintAssignable, Category = "perigee")
  FPerigeeCueChanged OnCue;
  /** A cue of another actor, or one that the game ordered: play the effect at its place, in
   * centimetres. */
  UPROPERTY(BlueprintAssignable, Category = "perigee")
  FPerigeeHeard OnHeard;
  /** A message of the game. */
  UPROPERTY(BlueprintAssignable, Category = "perigee")
  FPerigeeMessage OnMessage;

  void Deinitialize() override;
  void Tick(float DeltaTime) override;
  bool IsTickable() const override;
  TStatId GetStatId() const override;

 private:
  void OnLogIn(const FString& Answer, int32 Code);
  void End(const FString& Sentence);
  void ReadFrame();

  // Shared pointers, because games and the code that Unreal generates see the types only declared.
  TSharedPtr<class FPerigeeConnection> Connection;
  TSharedPtr<struct FPerigeeLogIn> LogIn;
  FPerigeeControls NextControls;
};
