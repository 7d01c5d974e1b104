// The client library without sockets and clock.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Perigee
{
    /// nowUs is microseconds of any clock that only rises. Used by one thread at a time.
    public sealed class Client : IDisposable
    {
        const int NameBytes = 33;
        const int ItemsAtFirst = 64;
        const int ProjectilesMax = 256;
        static readonly UIntPtr EntityBytes = SizeOf<Entity>();
        static readonly UIntPtr CueBytes = SizeOf<Cue>();
        static readonly UIntPtr HeardCueBytes = SizeOf<HeardCue>();
        static readonly UIntPtr OutcomeBytes = SizeOf<Outcome>();
        static readonly UIntPtr ProjectileBytes = SizeOf<Projectile>();
        static readonly uint InputBytes = (uint)SizeOf<Input>();
        static readonly uint TimeBytes = (uint)SizeOf<WorldTime>();
        static readonly uint TelemetryBytes = (uint)SizeOf<Telemetry>();

        readonly byte[] name = new byte[NameBytes];
        IntPtr handle;
        string[] typeNames = new string[ItemsAtFirst];

        public Client()
        {
            CheckLibrary();
            handle = Native.perigee_client_create(Native.Abi);
            if (handle == IntPtr.Zero) throw new PerigeeException(Fault.Stopped, "no memory is left for a client");
            Entities = new Entity[ItemsAtFirst];
            Cues = new Cue[ItemsAtFirst];
            Heard = new HeardCue[ItemsAtFirst];
            Outcomes = new Outcome[ItemsAtFirst];
            Projectiles = new Projectile[ProjectilesMax];
        }

        public uint WireVersion
        {
            get { return Native.perigee_client_wire_version(); }
        }
        public ulong SchemaHash
        {
            get { return Native.perigee_client_schema_hash(Alive); }
        }
        public State State
        {
            get { return (State)Native.perigee_client_get_state(Alive); }
        }
        /// Of the last Scene(): the first EntityCount of them. Larger arrays replace them when needed.
        public Entity[] Entities { get; private set; }
        public int EntityCount { get; private set; }
        /// Of the last Scene().
        public Projectile[] Projectiles { get; private set; }
        public int ProjectileCount { get; private set; }
        /// Of the last Advance().
        public Cue[] Cues { get; private set; }
        public int CueCount { get; private set; }
        /// Of the last Advance(): cues of others to play now.
        public HeardCue[] Heard { get; private set; }
        public int HeardCount { get; private set; }
        /// Of the last Advance().
        public Outcome[] Outcomes { get; private set; }
        public int OutcomeCount { get; private set; }

        public void Dispose()
        {
            Native.perigee_client_destroy(handle);
            handle = IntPtr.Zero;
        }

        public void Begin(long nowUs, byte[] token)
        {
            Check("Begin", Native.perigee_client_begin(Alive, nowUs, token, Words(token.Length)));
        }

        /// Decrypts the datagram in place. `from`: an address that PollSend() wrote.
        public void Receive(long nowUs, byte[] from, byte[] datagram, int bytes)
        {
            if (from.Length < Native.AddressBytes || bytes < 0 || bytes > datagram.Length) Check("Receive", Native.BadArgument);
            Check("Receive", Native.perigee_client_receive(Alive, nowUs, from, datagram, Words(bytes)));
        }

        /// Runs the due ticks with these controls, and reads cues and outcomes.
        public void Advance(long nowUs, ref Input input)
        {
            input.StructBytes = InputBytes;
            Check("Advance", Native.perigee_client_advance(Alive, nowUs, ref input));
            CueCount = Native.perigee_client_cues(handle, Cues, CueBytes, Words(Cues.Length));
            if (CueCount > Cues.Length)
            {
                Cues = new Cue[2 * CueCount];
                CueCount = Native.perigee_client_cues(handle, Cues, CueBytes, Words(Cues.Length));
            }
            HeardCount = Native.perigee_client_heard(handle, Heard, HeardCueBytes, Words(Heard.Length));
            if (HeardCount > Heard.Length)
            {
                Heard = new HeardCue[2 * HeardCount];
                HeardCount = Native.perigee_client_heard(handle, Heard, HeardCueBytes, Words(Heard.Length));
            }
            OutcomeCount = Native.perigee_client_outcomes(handle, Outcomes, OutcomeBytes, Words(Outcomes.Length));
            if (OutcomeCount > Outcomes.Length)
            {
                Outcomes = new Outcome[2 * OutcomeCount];
                OutcomeCount = Native.perigee_client_outcomes(handle, Outcomes, OutcomeBytes, Words(Outcomes.Length));
            }
        }

        /// Sets a field that the game adds to inputs, from the next tick on; a momentary one in that tick alone.
        public void SetInput(string field, long value)
        {
            int set = Native.perigee_client_set_input(Alive, field, value);
            if (set == Native.BadArgument)
            {
                throw new PerigeeException(
                    Fault.BadArgument,
                    "the game has no input field " + field + ", or " + value + " is out of its range");
            }
            Check("SetInput", set);
        }

        /// Size of the game's struct of these fields; 0: it has none.
        public int OwnInputBytes
        {
            get { return (int)Native.perigee_client_own_input_bytes(Alive); }
        }

        /// Sets all of them: the bytes of the game's struct.
        public void SetOwnInput(byte[] fields)
        {
            Check("SetOwnInput", Native.perigee_client_set_own_input(Alive, fields, Words(fields.Length)));
        }

        /// Writes the next datagram and returns its bytes; 0 if none is left.
        public int PollSend(byte[] to, byte[] datagram)
        {
            if (to.Length < Native.AddressBytes) Check("PollSend", Native.BadArgument);
            UIntPtr bytes;
            int sent = Native.perigee_client_poll_send(Alive, to, datagram, Words(datagram.Length), out bytes);
            return Check("PollSend", sent) == 0 ? 0 : (int)bytes;
        }

        /// PollSend() has the packets for it.
        public void Disconnect(long nowUs)
        {
            Check("Disconnect", Native.perigee_client_disconnect(Alive, nowUs));
        }

        /// Fills Entities, parents before children, and Projectiles: all known ones as rendered now.
        public void Scene(long nowUs)
        {
            int count = Native.perigee_client_scene(Alive, nowUs, Entities, EntityBytes, Words(Entities.Length));
            if (count > Entities.Length)
            {
                Entities = new Entity[2 * count];
                count = Native.perigee_client_scene(Alive, nowUs, Entities, EntityBytes, Words(Entities.Length));
            }
            EntityCount = Check("Scene", count);
            count = Native.perigee_client_projectiles(
                Alive, nowUs, Projectiles, ProjectileBytes, Words(Projectiles.Length));
            ProjectileCount = Check("Projectiles", count);
        }

        /// The game's name for an entity's type; null if there is none.
        public string TypeName(uint type)
        {
            if (type < typeNames.Length && typeNames[type] != null) return typeNames[type];
            string text = Marshal.PtrToStringAnsi(Native.perigee_client_type_name(Alive, type));
            if (text == null) return null;
            if (type >= typeNames.Length) Array.Resize(ref typeNames, (int)(2 * type));
            return typeNames[type] = text;
        }

        /// Of an actor's player; empty if it is not known. Makes a string.
        public string PlayerName(uint actor)
        {
            int bytes = Native.perigee_client_player_name(Alive, actor, name, Words(name.Length));
            return Encoding.UTF8.GetString(name, 0, Check("PlayerName", bytes));
        }

        /// Size of the game's state, a struct of the game.
        public int GameStateBytes
        {
            get { return (int)Native.perigee_client_game_state_bytes(Alive); }
        }

        /// Size of the state of entities of a type; 0: they have none.
        public int TypeStateBytes(uint type)
        {
            return (int)Native.perigee_client_type_state_bytes(Alive, type);
        }

        /// Copies the game's state of an entity: its size, or the first bytes. False: not known, or without a state.
        public bool GameState(uint entity, byte[] state)
        {
            return Check("GameState", Native.perigee_client_game_state(Alive, entity, state, Words(state.Length))) == 1;
        }

        /// Size of the world's state, which all clients know; 0: the game has none.
        public int WorldStateBytes
        {
            get { return (int)Native.perigee_client_world_state_bytes(Alive); }
        }

        /// Copies the world's state, or the first bytes of it. False: not known yet.
        public bool WorldState(byte[] state)
        {
            return Check("WorldState", Native.perigee_client_world_state(Alive, state, Words(state.Length))) == 1;
        }

        /// Longest message to or from the game.
        public const int MessageBytesMax = 1024;

        /// Sends the first `bytes` bytes, 1 to MessageBytesMax, to the game, which gets each message once, in order.
        /// False: 32 messages are on their way; try again later.
        public bool SendMessage(byte[] message, int bytes)
        {
            if (bytes < 0 || bytes > message.Length) Check("SendMessage", Native.BadArgument);
            int sent = Native.perigee_client_send_message(Alive, message, Words(bytes));
            return sent != Native.TooMany && Check("SendMessage", sent) == 0;
        }

        /// Copies the next message of the game into `message`, of MessageBytesMax bytes, and returns its size; 0: none is
        /// left. Call it after each frame until then.
        public int TakeMessage(byte[] message)
        {
            UIntPtr bytes;
            int taken = Native.perigee_client_messages(Alive, message, Words(message.Length), out bytes);
            return Check("TakeMessage", taken) == 0 ? 0 : (int)bytes;
        }

        public WorldTime Time()
        {
            var time = new WorldTime { StructBytes = TimeBytes };
            Check("Time", Native.perigee_client_get_time(Alive, ref time));
            return time;
        }

        public Telemetry Telemetry()
        {
            var telemetry = new Telemetry { StructBytes = TelemetryBytes };
            Check("Telemetry", Native.perigee_client_get_telemetry(Alive, ref telemetry));
            return telemetry;
        }

        /// A simulated path from now on, e.g. "P5" or "delay-ms=75 jitter-ms=10"; "none" ends it.
        public void Link(long nowUs, string conditions)
        {
            Check("Link", Native.perigee_client_link(Alive, nowUs, conditions));
        }

        /// Techniques against latency, e.g. "smoothing=none prediction=off".
        public void Use(string techniques)
        {
            Check("Use", Native.perigee_client_use(Alive, techniques));
        }

        /// Displaces the predicted avatar, to demonstrate a correction.
        public void InjectDesync(double xM, double yM, double zM)
        {
            Check("InjectDesync", Native.perigee_client_inject_desync(Alive, xM, yM, zM));
        }

        IntPtr Alive
        {
            get
            {
                if (handle == IntPtr.Zero) throw new PerigeeException(Fault.Ended, "this client has been disposed");
                return handle;
            }
        }

        static int Check(string call, int result)
        {
            if (result >= 0) return result;
            switch (result)
            {
                case Native.BadToken:
                    throw new PerigeeException(Fault.BadToken, "the token is none; log in again");
                case Native.NotPlaying:
                    throw new PerigeeException(Fault.NotPlaying, call + " needs a player in the world");
                case Native.BadArgument:
                case Native.BufferTooSmall:
                    throw new PerigeeException(Fault.BadArgument, "an argument of " + call + " is wrong or out of range");
                default:
                    throw new PerigeeException(
                        Fault.Stopped, call + " failed inside the client library (" + result + ")");
            }
        }

        static void CheckLibrary()
        {
            try
            {
                uint abi = Native.perigee_client_abi();
                if (abi != Native.Abi) throw Other("its ABI is " + abi + ", and this package's is " + Native.Abi);
                CheckSize("address", Words(Native.AddressBytes));
                CheckSize("input", SizeOf<Input>());
                CheckSize("entity", EntityBytes);
                CheckSize("cue", CueBytes);
                CheckSize("heard_cue", HeardCueBytes);
                CheckSize("outcome", OutcomeBytes);
                CheckSize("projectile", ProjectileBytes);
                CheckSize("time", SizeOf<WorldTime>());
                CheckSize("telemetry", SizeOf<Telemetry>());
            }
            catch (DllNotFoundException)
            {
                throw new PerigeeException(
                    Fault.LibraryMissing,
                    "there is no library " + Native.Library + ": copy that of your game to Assets/Plugins under this name");
            }
            catch (EntryPointNotFoundException problem)
            {
                throw Other(problem.Message + " is missing");
            }
        }

        static void CheckSize(string name, UIntPtr bytesHere)
        {
            UIntPtr there = Native.perigee_client_struct_bytes(name);
            if ((ulong)there < (ulong)bytesHere)
            {
                throw Other("perigee_client_" + name + " has " + there + " bytes there and " + bytesHere + " here");
            }
        }

        static PerigeeException Other(string difference)
        {
            return new PerigeeException(
                Fault.OtherAbi,
                "the library " + Native.Library + " is of another version than this package: " + difference);
        }

        static UIntPtr SizeOf<T>()
        {
            return Words(Marshal.SizeOf(typeof(T)));
        }

        static UIntPtr Words(int bytes)
        {
            return new UIntPtr((uint)bytes);
        }
    }
}
