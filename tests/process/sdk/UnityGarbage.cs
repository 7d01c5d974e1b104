// Plays at least two thousand frames and 150 packets, and counts what they left to collect. Then the
// errors: refused log-ins, calls that are wrong, and a session that was left.
using System;
using System.Threading;
using Perigee;

static class UnityGarbage
{
    const int Frames = 2000;
    const ulong Packets = 150;
    const long BytesMax = 1024; // the smallest object in each packet would be 3 kB

    static int Main(string[] arguments)
    {
        string url = arguments[0], credential = arguments[1];
        Plays(url, credential);
        Refused(url, "another", "wrong credential", "UNAUTHENTICATED");
        Refused("http://127.0.0.1:1", credential, "is it running?", "");
        WrongCalls();
        return 0;
    }

    static void Plays(string url, string credential)
    {
        using (var session = new Session(url, "Eve \"the\" \\", credential))
        {
            var controls = new Input();
            for (int seconds = 0; seconds < 20 && !(session.Playing && session.Own >= 0); ++seconds)
            {
                Play(session, ref controls, 100, 10);
            }
            Must(session.Playing && session.Own >= 0, "no avatar after 20 s");
            Play(session, ref controls, 100, 10); // everything is compiled and grown then
            uint handle = session.Client.Entities[session.Own].Handle;
            Must(session.Client.PlayerName(handle) == "Eve \"the\" \\", "name: " + session.Client.PlayerName(handle));
            var state = new byte[session.Client.GameStateBytes];
            Must(state.Length == 16 && session.Client.GameState(handle, state), state.Length + " bytes of state");
            Must(BitConverter.ToUInt16(state, 4) == 3, "Skiff's fighter begins with another health");
            Must(session.Client.WorldStateBytes == 0, "Skiff has no state of the world");
            var message = new byte[Client.MessageBytesMax];
            Must(session.Client.TakeMessage(message) == 0, "Skiff sends no messages");
            Must(session.Client.SendMessage(message, message.Length), "a message is not sent");
            GC.Collect();
            int collections = GC.CollectionCount(0);
            long before = GC.GetAllocatedBytesForCurrentThread();
            ulong packetsBefore = session.Client.Telemetry().Packets;
            Play(session, ref controls, Frames, 2);
            for (int i = 0; i < 100 && session.Client.Telemetry().Packets - packetsBefore < Packets; ++i)
            {
                Play(session, ref controls, 100, 10);
            }
            long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
            collections = GC.CollectionCount(0) - collections;
            ulong packets = session.Client.Telemetry().Packets - packetsBefore;
            Must(packets >= Packets, packets + " packets");
            Must(collections == 0 && bytes < BytesMax, collections + " collections, " + bytes + " bytes of garbage");
            Console.WriteLine("{0} frames, {1} packets, {2} entities: {3} collections, {4} bytes", Frames, packets,
                session.Client.EntityCount, collections, bytes);
        }
    }

    static void Play(Session session, ref Input controls, int frames, int pauseMs)
    {
        for (int i = 0; i < frames; ++i)
        {
            controls.Forward = i % 2;
            controls.PressedButtons = i % 1000 == 0 ? Buttons.Jump : Buttons.None;
            if (!session.Frame(ref controls)) throw session.End;
            for (int e = 0; e < session.Client.EntityCount; ++e) session.Client.TypeName(session.Client.Entities[e].Type);
            Thread.Sleep(pauseMs);
        }
    }

    static void Refused(string url, string credential, string words, string status)
    {
        using (var session = new Session(url, "Eve", credential))
        {
            var controls = new Input();
            for (int i = 0; i < 3000 && session.Frame(ref controls); ++i) Thread.Sleep(10);
            Must(session.End != null && session.End.Fault == Fault.LogIn, "it was not refused");
            Must(session.End.Message.Contains(words) && session.End.Status == status, session.End.Message);
        }
    }

    static void WrongCalls()
    {
        var client = new Client();
        Fails(Fault.BadArgument, () => client.Use("smoothing=odd"));
        Fails(Fault.BadArgument, () => client.Receive(0, new byte[3], new byte[9], 9));
        Fails(Fault.BadToken, () => client.Begin(0, new byte[9]));
        Fails(Fault.NotPlaying, () => client.InjectDesync(1, 0, 0));
        var message = new byte[Client.MessageBytesMax + 1];
        Fails(Fault.BadArgument, () => client.SendMessage(message, 0));
        Fails(Fault.BadArgument, () => client.SendMessage(message, message.Length));
        Fails(Fault.BadArgument, () => client.SendMessage(message, message.Length + 1));
        Fails(Fault.BadArgument, () => client.TakeMessage(new byte[Client.MessageBytesMax - 1]));
        for (int i = 0; i < 32; ++i) Must(client.SendMessage(message, 1), "message " + i + " is not taken");
        Must(!client.SendMessage(message, 1), "33 messages wait");
        Must(client.OwnInputBytes == 0, "Skiff has no input fields of its own");
        Fails(Fault.BadArgument, () => client.SetInput("slot", 3));
        Fails(Fault.BadArgument, () => client.SetOwnInput(new byte[1]));
        client.Dispose();
        Fails(Fault.Ended, () => client.Scene(0));
    }

    static void Fails(Fault fault, Action call)
    {
        try
        {
            call();
        }
        catch (PerigeeException problem)
        {
            Must(problem.Fault == fault, problem.Fault + ": " + problem.Message);
            return;
        }
        throw new Exception("no " + fault);
    }

    static void Must(bool holds, string otherwise)
    {
        if (!holds) throw new Exception(otherwise);
    }
}
