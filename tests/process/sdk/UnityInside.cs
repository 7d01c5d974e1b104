// Gateways and offsets of structs, which the package keeps to itself: compiled together with its sources.
//   UnityInside < LINES_OF_LAYOUT_SH
using System;
using System.Collections.Generic;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Runtime.InteropServices;
using Perigee;

static class UnityInside
{
    static readonly Dictionary<string, Type> Structs = new Dictionary<string, Type>
    {
        { "input", typeof(Input) }, { "entity", typeof(Entity) }, { "cue", typeof(Cue) },
        { "heard_cue", typeof(HeardCue) },
        { "outcome", typeof(Outcome) }, { "projectile", typeof(Projectile) }, { "time", typeof(WorldTime) },
        { "telemetry", typeof(Telemetry) }
    };

    static int Main()
    {
        LongestUnusedMakesRoom();
        BrokenSocketIsReplaced();
        ClosedPortKeepsTheSocket();
        FieldsAreWhereCHasThem();
        return 0;
    }

    static void LongestUnusedMakesRoom()
    {
        using (Socket a = Bound(), b = Bound(), c = Bound())
        using (var gateways = new Gateways(2))
        {
            gateways.Send(AddressOf(a), new byte[1], 1);
            gateways.Send(AddressOf(b), new byte[2], 2);
            EndPoint ofA = Arrived(a, 1);
            gateways.Send(AddressOf(a), new byte[3], 3);
            Must(Arrived(a, 3).Equals(ofA), "a socket was not used again");
            gateways.Send(AddressOf(c), new byte[4], 4);
            Must(gateways.Count == 2, gateways.Count + " gateways");
            Arrived(c, 4);
            gateways.Send(AddressOf(a), new byte[5], 5);
            Must(Arrived(a, 5).Equals(ofA), "not the gateway that was unused for the longest time made room");
            EndPoint ofB = Arrived(b, 2);
            gateways.Send(AddressOf(b), new byte[6], 6);
            Must(!Arrived(b, 6).Equals(ofB), "the gateway that made room has kept its socket");
        }
    }

    static void BrokenSocketIsReplaced()
    {
        using (Socket a = Bound())
        using (var gateways = new Gateways(2))
        {
            gateways.Send(AddressOf(a), new byte[1], 1);
            EndPoint before = Arrived(a, 1);
            var tooLong = new byte[70000]; // an error of the socket, as after a change of the network
            gateways.Send(AddressOf(a), tooLong, tooLong.Length);
            Must(gateways.Count == 0, "a socket with an error is kept");
            gateways.Send(AddressOf(a), new byte[2], 2);
            Must(!Arrived(a, 2).Equals(before), "the socket with an error is used again");
        }
    }

    static void ClosedPortKeepsTheSocket()
    {
        byte[] closed;
        using (Socket a = Bound()) closed = AddressOf(a);
        using (var gateways = new Gateways(2))
        {
            for (int i = 0; i < 3; ++i) // of the first the second is told, on loopback at once
            {
                gateways.Send(closed, new byte[1], 1);
                Must(gateways.Count == 1, "a gateway that restarts costs the socket");
            }
        }
    }

    static void FieldsAreWhereCHasThem()
    {
        var compared = new Dictionary<string, int>();
        for (string line; (line = Console.ReadLine()) != null;)
        {
            string[] words = line.Split(' ');
            string name = words[0], field = words[1];
            int there = int.Parse(words[2]);
            if (name == "address") Must(AddressAt(field) == (field == "-" ? int.Parse(words[3]) : there), line);
            if (!Structs.ContainsKey(name)) continue;
            if (field == "-")
            {
                Must(Marshal.SizeOf(Structs[name]) == int.Parse(words[3]), line + ": another size here");
                compared[name] = 0;
                continue;
            }
            int here = (int)Marshal.OffsetOf(Structs[name], PascalOf(name, field));
            Must(here == there, line + ": at " + here + " here");
            ++compared[name];
        }
        int fields = 0;
        foreach (KeyValuePair<string, Type> each in Structs)
        {
            Must(compared.ContainsKey(each.Key), "C has no struct " + each.Key);
            int here = each.Value.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic).Length;
            Must(here == compared[each.Key], each.Key + " has " + here + " fields here");
            fields += here;
        }
        Console.WriteLine("{0} fields are where C has them", fields);
    }

    static int AddressAt(string field)
    {
        switch (field)
        {
            case "-": return Native.AddressBytes;
            case "family": return Native.AddressFamilyAt;
            case "ip": return Native.AddressIpAt;
            case "port": return Native.AddressPortAt;
            default: return -1;
        }
    }

    static string PascalOf(string name, string field)
    {
        if (name == "time" && field == "known") return "KnownWord";
        string pascal = "";
        foreach (string word in field.Split('_')) pascal += char.ToUpperInvariant(word[0]) + word.Substring(1);
        return pascal;
    }

    static Socket Bound()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.ReceiveTimeout = 10000;
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }

    static byte[] AddressOf(Socket socket)
    {
        var address = new byte[Native.AddressBytes];
        var bound = (IPEndPoint)socket.LocalEndPoint;
        address[Native.AddressFamilyAt] = 4;
        Buffer.BlockCopy(bound.Address.GetAddressBytes(), 0, address, Native.AddressIpAt, 4);
        Buffer.BlockCopy(BitConverter.GetBytes((ushort)bound.Port), 0, address, Native.AddressPortAt, 2);
        return address;
    }

    /// The sender of the next datagram, which has this size.
    static EndPoint Arrived(Socket socket, int bytes)
    {
        EndPoint from = new IPEndPoint(IPAddress.Any, 0);
        int got = socket.ReceiveFrom(new byte[100], ref from);
        Must(got == bytes, got + " bytes arrived instead of " + bytes);
        return from;
    }

    static void Must(bool holds, string otherwise)
    {
        if (!holds) throw new Exception(otherwise);
    }
}
