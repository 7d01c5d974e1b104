using System;
using System.Diagnostics;
using System.Threading;

namespace Perigee
{
    /// A player in the world: the client library with log-in, sockets and clock. Call Frame() once
    /// per frame, from the constructor on; while it plays, it makes no garbage. Nothing waits: the
    /// log-in has a thread of its own.
    public sealed class Session : IDisposable
    {
        const int GatewaysMax = 32;

        readonly Gateways gateways = new Gateways(GatewaysMax);
        readonly byte[] address = new byte[Native.AddressBytes];
        readonly byte[] datagram = new byte[Native.DatagramBytesMax];
        volatile byte[] token;
        volatile PerigeeException refusal;
        bool begun;

        public Session(string url, string playerName, string credential)
        {
            Client = new Client();
            uint wireVersion = Client.WireVersion;
            ulong schemaHash = Client.SchemaHash;
            var logIn = new Thread(() =>
            {
                try
                {
                    token = LogIn.Token(url, playerName, credential, wireVersion, schemaHash);
                }
                catch (PerigeeException problem)
                {
                    refusal = problem;
                }
                catch (Exception problem)
                {
                    refusal = new PerigeeException(Fault.LogIn, "the log-in at " + url + " failed: " + problem.Message);
                }
            });
            logIn.IsBackground = true;
            logIn.Start();
        }

        public Client Client { get; private set; }
        /// In the world and predicting.
        public bool Playing { get; private set; }
        /// Why the session is over; null while it is not.
        public PerigeeException End { get; private set; }
        /// Index of the own avatar in Client.Entities; -1 if there is none to draw.
        public int Own { get; private set; }

        public static long NowUs
        {
            get { return (long)(Stopwatch.GetTimestamp() * (1e6 / Stopwatch.Frequency)); }
        }

        /// Sends the controls, and fills Client.Entities, Cues, Heard and Outcomes. False once the session is
        /// over: End says why.
        public bool Frame(ref Input input)
        {
            if (End != null) return false;
            try
            {
                Step(ref input);
            }
            catch (PerigeeException problem)
            {
                Stop(problem);
            }
            return End == null;
        }

        /// Leaves the world, and frees everything. Without it the avatar stays until a timeout.
        public void Dispose()
        {
            if (End != null) return;
            if (begun)
            {
                Client.Disconnect(NowUs);
                Send();
            }
            Stop(new PerigeeException(Fault.Ended, "the player has left"));
        }

        void Step(ref Input input)
        {
            Own = -1;
            if (!begun)
            {
                if (refusal != null) throw refusal;
                if (token == null) return;
                Client.Begin(NowUs, token);
                begun = true;
            }
            gateways.Receive(Client, datagram);
            Client.Advance(NowUs, ref input);
            Send();
            State state = Client.State;
            if (state <= State.Disconnected) throw new PerigeeException(Fault.Ended, SentenceOf(state));
            Playing = state == State.Playing || (Playing && state == State.Reconnecting);
            Client.Scene(NowUs);
            for (int i = 0; i < Client.EntityCount; ++i)
            {
                if (Client.Entities[i].Own) Own = i;
            }
        }

        void Send()
        {
            for (int bytes; (bytes = Client.PollSend(address, datagram)) > 0;)
            {
                gateways.Send(address, datagram, bytes);
            }
        }

        void Stop(PerigeeException why)
        {
            End = why;
            Playing = false;
            Own = -1;
            gateways.Dispose();
            Client.Dispose();
        }

        static string SentenceOf(State state)
        {
            switch (state)
            {
                case State.TokenExpired: return "the connection took longer than the token was valid; log in again";
                case State.TokenInvalid: return "the token is none; log in again";
                case State.TimedOut: return "the server has not been heard of for too long";
                case State.ResponseTimedOut: return "the server answered at first, and then no more";
                case State.RequestTimedOut: return "no server answered";
                case State.Denied:
                    return "the server refused the connection: it is full, or an operator has ended the session";
                default: return "the session has ended";
            }
        }
    }
}
