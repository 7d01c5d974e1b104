#include "PerigeePlayer.h"

namespace {

constexpr size_t ItemsAtFirst = 64;
constexpr int DatagramsPerFrameMax = 1024;

/// Of a state in which the session is over.
const char* SentenceOf(int State) {
  switch (State) {
    case PERIGEE_CLIENT_TOKEN_EXPIRED:
      return "the connection took longer than the token was valid; log in again";
    case PERIGEE_CLIENT_TOKEN_INVALID:
      return "the token is none; log in again";
    case PERIGEE_CLIENT_TIMED_OUT:
      return "the server has not been heard of for too long";
    case PERIGEE_CLIENT_RESPONSE_TIMED_OUT:
      return "the server answered at first, and then no more";
    case PERIGEE_CLIENT_REQUEST_TIMED_OUT:
      return "no server answered";
    case PERIGEE_CLIENT_DENIED:
      return "the server refused the connection: it is full, or an operator has ended the session";
    default:
      return "the session has ended";
  }
}

/// Of a negative perigee_client_result.
const char* SentenceOfResult(int Result) {
  switch (Result) {
    case PERIGEE_CLIENT_BAD_TOKEN:
      return "the token is none; log in again";
    case PERIGEE_CLIENT_NOT_PLAYING:
      return "that needs a player in the world";
    case PERIGEE_CLIENT_BAD_ARGUMENT:
    case PERIGEE_CLIENT_BUFFER_TOO_SMALL:
      return "an argument is wrong or out of range: controls have to be numbers";
    default:
      return "the client library has failed inside: no memory is left, or it has a bug";
  }
}

/// Calls Read(items, capacity), which returns how many there are, again if there are more. Returns
/// the count or a perigee_client_result.
template <class TItem, class FRead>
int ReadAll(std::vector<TItem>& Items, FRead Read) {
  Items.resize(Items.capacity());
  int Count = Read(Items.data(), Items.size());
  if (Count > static_cast<int>(Items.size())) {
    Items.resize(2 * static_cast<size_t>(Count));
    Count = Read(Items.data(), Items.size());
  }
  Items.resize(Count < 0 ? 0 : static_cast<size_t>(Count));
  return Count;
}

}  // namespace

FPerigeePlayer::FPerigeePlayer(const FPerigeeClientApi& InApi, IPerigeeDatagrams& InDatagrams)
    : Api(InApi), Datagrams(InDatagrams), Client(InApi.create(PERIGEE_CLIENT_ABI)) {
  Scene.reserve(ItemsAtFirst);
  News.reserve(ItemsAtFirst);
}

FPerigeePlayer::~FPerigeePlayer() { Api.destroy(Client); }

const char* FPerigeePlayer::Begin(int64_t NowUs, const uint8_t* Token, size_t TokenBytes) {
  const int Result = Api.begin(Client, NowUs, Token, TokenBytes);
  return Result < 0 ? SentenceOfResult(Result) : nullptr;
}

const char* FPerigeePlayer::Frame(int64_t NowUs, const perigee_client_input& Controls) {
  ReceiveAll(NowUs);
  perigee_client_input Sized = Controls;
  Sized.struct_bytes = sizeof Sized;
  if (const int Result = Api.advance(Client, NowUs, &Sized); Result < 0)
    return SentenceOfResult(Result);
  SendAll();
  const int State = Api.get_state(Client);
  if (State <= PERIGEE_CLIENT_DISCONNECTED) {
    bPlaying = false;
    Scene.clear();
    News.clear();
    NewsOfOthers.clear();
    Heard.clear();
    return SentenceOf(State);
  }
  bPlaying = State == PERIGEE_CLIENT_PLAYING || (bPlaying && State == PERIGEE_CLIENT_RECONNECTING);
  int Result = TakeMessages();
  if (Result < 0) return SentenceOfResult(Result);
  Result = ReadAll(News, [&](perigee_client_cue* Cues, size_t Capacity) {
    return Api.cues(Client, Cues, sizeof *Cues, Capacity);
  });
  if (Result >= 0) {
    Result = ReadAll(NewsOfOthers, [&](perigee_client_heard_cue* Cues, size_t Capacity) {
      return Api.heard(Client, Cues, sizeof *Cues, Capacity);
    });
  }
  if (Result >= 0) {
    Result = ReadAll(Scene, [&](perigee_client_entity* Entities, size_t Capacity) {
      return Api.scene(Client, NowUs, Entities, sizeof *Entities, Capacity);
    });
  }
  return Result < 0 ? SentenceOfResult(Result) : nullptr;
}

int FPerigeePlayer::TakeMessages() {
  uint8_t Message[PERIGEE_CLIENT_MESSAGE_BYTES_MAX];
  size_t Size = 0;
  Heard.clear();
  while (true) {
    const int Result = Api.messages(Client, Message, sizeof Message, &Size);
    if (Result <= 0) return Result;
    Heard.emplace_back(Message, Message + Size);
  }
}

const char* FPerigeePlayer::SendMessage(const uint8_t* Message, size_t MessageBytes) {
  switch (const int Result = Api.send_message(Client, Message, MessageBytes)) {
    case PERIGEE_CLIENT_OK:
      return nullptr;
    case PERIGEE_CLIENT_BAD_ARGUMENT:
      return "a message has 1 to 1024 bytes";
    case PERIGEE_CLIENT_TOO_MANY:
      return "32 messages are on their way; try again later";
    default:
      return SentenceOfResult(Result);
  }
}

std::vector<uint8_t> FPerigeePlayer::GameState(uint32_t Handle) const {
  std::vector<uint8_t> State;
  for (const perigee_client_entity& Entity : Scene) {
    if (Entity.handle == Handle) State.resize(Api.type_state_bytes(Client, Entity.type));
  }
  if (State.empty() || Api.game_state(Client, Handle, State.data(), State.size()) != 1) return {};
  return State;
}

std::vector<uint8_t> FPerigeePlayer::WorldState() const {
  std::vector<uint8_t> State(Api.world_state_bytes(Client));
  if (State.empty() || Api.world_state(Client, State.data(), State.size()) != 1) return {};
  return State;
}

void FPerigeePlayer::Leave(int64_t NowUs) {
  Api.disconnect(Client, NowUs);
  SendAll();
}

const char* FPerigeePlayer::SetInput(const char* Field, int64_t Value) {
  const int Result = Api.set_input(Client, Field, Value);
  if (Result == PERIGEE_CLIENT_BAD_ARGUMENT)
    return "the game has no such input field, or the value is out of its range";
  return Result < 0 ? SentenceOfResult(Result) : nullptr;
}

const char* FPerigeePlayer::SetOwnInput(const uint8_t* Fields, size_t Bytes) {
  if (Bytes != Api.own_input_bytes(Client)) return "the game's own input has another size";
  const int Result = Api.set_own_input(Client, Fields, Bytes);
  if (Result == PERIGEE_CLIENT_BAD_ARGUMENT) return "an input field is out of its range";
  return Result < 0 ? SentenceOfResult(Result) : nullptr;
}

const perigee_client_entity* FPerigeePlayer::Own() const {
  for (const perigee_client_entity& Entity : Scene) {
    if (Entity.flags & PERIGEE_CLIENT_OWN) return &Entity;
  }
  return nullptr;
}

const char* FPerigeePlayer::PlayerName(uint32_t Actor) {
  if (Api.player_name(Client, Actor, Name, sizeof Name) < 0) Name[0] = 0;
  return Name;
}

perigee_client_telemetry FPerigeePlayer::Telemetry() const {
  perigee_client_telemetry Telemetry{};
  Telemetry.struct_bytes = sizeof Telemetry;
  Api.get_telemetry(Client, &Telemetry);
  return Telemetry;
}

void FPerigeePlayer::ReceiveAll(int64_t NowUs) {
  uint8_t Bytes[PERIGEE_CLIENT_DATAGRAM_BYTES_MAX];
  perigee_client_address From{};
  for (int i = 0; i < DatagramsPerFrameMax; ++i) {
    size_t Size = 0;
    if (!Datagrams.Receive(From, Bytes, sizeof Bytes, Size)) return;
    if (Size > 0) Api.receive(Client, NowUs, &From, Bytes, Size);
  }
}

void FPerigeePlayer::SendAll() {
  uint8_t Bytes[PERIGEE_CLIENT_DATAGRAM_BYTES_MAX];
  perigee_client_address To{};
  size_t Size = 0;
  while (Api.poll_send(Client, &To, Bytes, sizeof Bytes, &Size) == 1)
    Datagrams.Send(To, Bytes, Size);
}
