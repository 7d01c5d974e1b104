#include "PerigeeSession.h"

#include "Dom/JsonObject.h"
#include "HAL/PlatformTime.h"
#include "HttpModule.h"
#include "Interfaces/IHttpRequest.h"
#include "Interfaces/IHttpResponse.h"
#include "Misc/Base64.h"
#include "PerigeeConnection.h"
#include "Serialization/JsonReader.h"
#include "Serialization/JsonSerializer.h"
#include "Serialization/JsonWriter.h"

/// The log-in that is under way.
struct FPerigeeLogIn {
  FHttpRequestPtr Request;
};

namespace {

constexpr double CentimetresPerMetre = 100;

int64 NowUs() { return static_cast<int64>(FPlatformTime::Seconds() * 1e6); }

// perigee is right-handed with y up and looks along +z; Unreal is left-handed with Z up and looks
// along +X. So X is z, Y is -x, and Z is y.
FVector PlaceOf(const double (&M)[3]) { return FVector(M[2], -M[0], M[1]) * CentimetresPerMetre; }

FTransform TransformOf(const perigee_client_entity& Entity) {
  const double* Q = Entity.world_rotation;
  return FTransform(FQuat(-Q[2], Q[0], -Q[1], Q[3]), PlaceOf(Entity.world_position_m));
}

perigee_client_input InputOf(const FPerigeeControls& Controls) {
  perigee_client_input Input{};
  Input.right = Controls.Right;
  Input.up = Controls.Up;
  Input.forward = Controls.Forward;
  Input.yaw_rad = -FMath::DegreesToRadians(Controls.YawDegrees);
  Input.pitch_rad = FMath::DegreesToRadians(Controls.PitchDegrees);
  Input.held_buttons = static_cast<uint32>(Controls.HeldButtons);
  Input.pressed_buttons = static_cast<uint32>(Controls.PressedButtons);
  Input.use_handle = static_cast<uint32>(Controls.UseHandle);
  return Input;
}

TArray<uint8> ArrayOf(const std::vector<uint8_t>& Bytes) {
  TArray<uint8> Array;
  Array.Append(Bytes.data(), static_cast<int32>(Bytes.size()));
  return Array;
}

/// The service's sentence about a refused log-in.
FString RefusalOf(const TSharedPtr<FJsonObject>& Reply, int32 Code) {
  const TSharedPtr<FJsonObject>* Error = nullptr;
  FString Message;
  if (Reply.IsValid() && Reply->TryGetObjectField(TEXT("error"), Error) &&
      (*Error)->TryGetStringField(TEXT("message"), Message)) {
    return Message;
  }
  return FString::Printf(TEXT("the session service answers the log-in with %d"), Code);
}

}  // namespace

void UPerigeeSession::Join(const FString& Url, const FString& PlayerName,
                           const FString& Credential) {
  Leave();
  Connection = MakeShared<FPerigeeConnection>();
  FPerigeePlayer* Player = Connection->Player();
  if (Player == nullptr) {
    End(Connection->Problem());
    return;
  }
  const TSharedRef<FJsonObject> Fields = MakeShared<FJsonObject>();
  Fields->SetStringField(TEXT("playerName"), PlayerName);
  Fields->SetStringField(TEXT("credential"), Credential);
  Fields->SetNumberField(TEXT("wireVersion"), Player->WireVersion());
  Fields->SetStringField(
      TEXT("schemaHash"),
      FString::Printf(TEXT("%llu"), static_cast<unsigned long long>(Player->SchemaHash())));
  FString Body;
  FJsonSerializer::Serialize(Fields, TJsonWriterFactory<>::Create(&Body));
  LogIn = MakeShared<FPerigeeLogIn>();
  const FHttpRequestPtr Request = FHttpModule::Get().CreateRequest();
  LogIn->Request = Request;
  Request->SetURL(Url + TEXT("/v1/log_in"));
  Request->SetVerb(TEXT("POST"));
  Request->SetHeader(TEXT("Content-Type"), TEXT("application/json"));
  Request->SetContentAsString(Body);
  Request->OnProcessRequestComplete().BindWeakLambda(
      this, [this](FHttpRequestPtr Answered, FHttpResponsePtr Response, bool bConnected) {
        if (!LogIn.IsValid() || Answered != LogIn->Request) return;  // the player has left since
        LogIn.Reset();
        if (!bConnected || !Response.IsValid()) {
          End(TEXT("the session service does not answer the log-in; is it running?"));
          return;
        }
        OnLogIn(Response->GetContentAsString(), Response->GetResponseCode());
      });
  Request->ProcessRequest();
}

void UPerigeeSession::OnLogIn(const FString& Answer, int32 Code) {
  TSharedPtr<FJsonObject> Reply;
  FString Text;
  TArray<uint8> Token;
  FJsonSerializer::Deserialize(TJsonReaderFactory<>::Create(Answer), Reply);
  if (!Reply.IsValid() || !Reply->TryGetStringField(TEXT("connectToken"), Text) ||
      !FBase64::Decode(Text, Token)) {
    End(RefusalOf(Reply, Code));
    return;
  }
  const char* Wrong =
      Connection->Player()->Begin(NowUs(), Token.GetData(), static_cast<size_t>(Token.Num()));
  Connection->bBegun = Wrong == nullptr;
  if (!Connection->bBegun) End(UTF8_TO_TCHAR(Wrong));
}

void UPerigeeSession::Leave() {
  if (Connection.IsValid() && Connection->bBegun) Connection->Player()->Leave(NowUs());
  Connection.Reset();
  LogIn.Reset();
  bPlaying = false;
  Entities.Reset();
  OwnIndex = -1;
}

void UPerigeeSession::SetControls(const FPerigeeControls& Controls) {
  const int32 Pressed = NextControls.PressedButtons | Controls.PressedButtons;
  NextControls = Controls;
  NextControls.PressedButtons = Pressed;
}

bool UPerigeeSession::SetInput(const FString& Field, int64 Value) {
  if (!IsTickable()) return false;
  return Connection->Player()->SetInput(TCHAR_TO_UTF8(*Field), Value) == nullptr;
}

bool UPerigeeSession::SetOwnInput(const TArray<uint8>& Fields) {
  if (!IsTickable()) return false;
  return Connection->Player()->SetOwnInput(Fields.GetData(), static_cast<size_t>(Fields.Num())) ==
         nullptr;
}

FString UPerigeeSession::PlayerNameOf(int64 Handle) {
  if (!bPlaying) return FString();
  return UTF8_TO_TCHAR(Connection->Player()->PlayerName(static_cast<uint32>(Handle)));
}

bool UPerigeeSession::SendMessage(const TArray<uint8>& Bytes) {
  if (!IsTickable()) return false;
  return Connection->Player()->SendMessage(Bytes.GetData(), static_cast<size_t>(Bytes.Num())) ==
         nullptr;
}

TArray<uint8> UPerigeeSession::GameStateOf(int64 Handle) {
  if (!bPlaying) return {};
  return ArrayOf(Connection->Player()->GameState(static_cast<uint32>(Handle)));
}

TArray<uint8> UPerigeeSession::WorldState() {
  if (!bPlaying) return {};
  return ArrayOf(Connection->Player()->WorldState());
}

void UPerigeeSession::Deinitialize() {
  Leave();
  Super::Deinitialize();
}

bool UPerigeeSession::IsTickable() const { return Connection.IsValid() && Connection->bBegun; }

TStatId UPerigeeSession::GetStatId() const {
  RETURN_QUICK_DECLARE_CYCLE_STAT(UPerigeeSession, STATGROUP_Tickables);
}

void UPerigeeSession::Tick(float) {
  const char* Over = Connection->Player()->Frame(NowUs(), InputOf(NextControls));
  NextControls.PressedButtons = 0;
  NextControls.UseHandle = 0;
  if (Over != nullptr) {
    End(UTF8_TO_TCHAR(Over));
    return;
  }
  ReadFrame();
}

void UPerigeeSession::ReadFrame() {
  FPerigeePlayer& Player = *Connection->Player();
  bPlaying = Player.Playing();
  const perigee_client_telemetry Telemetry = Player.Telemetry();
  PingMs = static_cast<float>(Telemetry.rtt_us / 1000.0);
  Corrections = static_cast<int64>(Telemetry.corrections);
  OwnIndex = -1;
  Entities.SetNum(static_cast<int32>(Player.Entities().size()));
  for (int32 i = 0; i < Entities.Num(); ++i) {
    const perigee_client_entity& From = Player.Entities()[static_cast<size_t>(i)];
    FPerigeeEntity& To = Entities[i];
    To.Handle = From.handle;
    To.Parent = From.parent;
    To.Type = FName(Player.TypeName(From.type));
    To.bOwn = (From.flags & PERIGEE_CLIENT_OWN) != 0;
    To.Transform = TransformOf(From);
    if (To.bOwn) OwnIndex = i;
  }
  // Copies, because a listener may call Leave().
  const std::vector<std::vector<uint8_t>> Messages = Player.Messages();
  const std::vector<perigee_client_cue> Cues = Player.Cues();
  const std::vector<perigee_client_heard_cue> CuesOfOthers = Player.CuesOfOthers();
  for (const perigee_client_cue& Cue : Cues) {
    OnCue.Broadcast(static_cast<int32>(Cue.effect), static_cast<int32>(Cue.state),
                    static_cast<int32>(Cue.detail), Cue.subject);
  }
  for (const perigee_client_heard_cue& Cue : CuesOfOthers) {
    OnHeard.Broadcast(static_cast<int32>(Cue.effect), Cue.handle, static_cast<int32>(Cue.detail),
                      Cue.subject, PlaceOf(Cue.world_position_m));
  }
  for (const std::vector<uint8_t>& Message : Messages) OnMessage.Broadcast(ArrayOf(Message));
}

void UPerigeeSession::End(const FString& Sentence) {
  const FString Kept = Sentence;  // it may belong to the connection
  Connection.Reset();
  bPlaying = false;
  Entities.Reset();
  OwnIndex = -1;
  OnEnded.Broadcast(Kept);
}
