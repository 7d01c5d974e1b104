// Constants and structs of perigee_client.h. Metres, seconds, radians; right-handed, y up.
using System;
using System.Runtime.InteropServices;

namespace Perigee
{
    /// Up to Disconnected: over.
    public enum State
    {
        TokenExpired = -6,
        TokenInvalid = -5,
        TimedOut = -4,
        ResponseTimedOut = -3,
        RequestTimedOut = -2,
        Denied = -1,
        Disconnected = 0,
        Connecting = 1,
        Joining = 2, // connected, without an avatar yet
        Playing = 3,
        Reconnecting = 4 // the gateway fell silent; reconnecting to the avatar
    }

    [Flags]
    public enum Buttons : uint
    {
        None = 0,
        Jump = 1u << 0,
        Run = 1u << 1,
        Jetpack = 1u << 2,
        Dampers = 1u << 3,
        Fire = 1u << 4,
        Alternate = 1u << 5,
        Dig = 1u << 6,
        Fill = 1u << 7
    }

    [Flags]
    public enum EntityFlags : uint
    {
        None = 0,
        Own = 1u << 0, // the predicted avatar
        Smoothing = 1u << 1, // a correction is being blended out
        Extrapolated = 1u << 2 // rendered beyond its newest sample
    }

    public enum CueState : uint
    {
        Played = 0, // predicted: play it now
        Confirmed = 1, // it happened; Detail has the result
        Cancelled = 2 // it did not happen: take it back
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Vector
    {
        public double X, Y, Z;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Rotation
    {
        public double X, Y, Z, W;
    }

    /// The controls of a frame. PressedButtons and UseHandle count once.
    [StructLayout(LayoutKind.Sequential)]
    public struct Input
    {
        internal uint StructBytes;
        public float Right, Up, Forward; // -1 .. 1, in the look's horizontal frame; Up: jetpack only
        public float YawRad; // about the parent's +y; 0 looks along +z
        public float PitchRad; // up positive
        public Buttons HeldButtons;
        public Buttons PressedButtons;
        public uint UseHandle; // 0: none
    }

    /// An entity as rendered now. Parent: the frame of Local..; 0: the world.
    [StructLayout(LayoutKind.Sequential)]
    public struct Entity
    {
        public uint Handle, Parent, Type;
        public EntityFlags Flags;
        public Vector LocalPositionM;
        public Rotation LocalRotation;
        public Vector WorldPositionM;
        public Rotation WorldRotation;
        public Vector SmoothingM;

        public bool Own
        {
            get { return (Flags & EntityFlags.Own) != 0; }
        }
    }

    /// A cue of the own avatar's actions, or of a hit on it; Tick and Index identify it.
    [StructLayout(LayoutKind.Sequential)]
    public struct Cue
    {
        public uint Tick, Index;
        public uint Effect; // the game's
        public uint Subject; // another entity involved; 0: none
        public CueState State;
        public uint Detail; // the game's, when confirmed
    }

    /// A cue of another actor, or one that the game ordered: play it now, at WorldPositionM.
    [StructLayout(LayoutKind.Sequential)]
    public struct HeardCue
    {
        public uint Tick; // in which it happened
        public uint Handle; // of the entity that it belongs to; 0: none
        public uint Effect; // the game's
        public uint Subject; // another entity involved; 0: none
        public uint Detail; // the game's
        internal uint Reserved;
        public Vector WorldPositionM;
    }

    /// A final fact of the game that concerns the own avatar.
    [StructLayout(LayoutKind.Sequential)]
    public struct Outcome
    {
        public uint Tick, Index;
        public uint Kind; // the game's
        public uint Actor, Target; // entities; 0: none
        public int Amount; // the game's
    }

    /// A projectile as rendered now; Actor, Tick and Index identify it.
    [StructLayout(LayoutKind.Sequential)]
    public struct Projectile
    {
        public uint Actor; // that launched it
        public uint Tick, Index;
        public uint Kind; // the game's
        public EntityFlags Flags; // Own: launched by the own avatar
        internal uint Reserved;
        public Vector WorldPositionM;
    }

    /// All fields are 0 before the server's first block.
    [StructLayout(LayoutKind.Sequential)]
    public struct WorldTime
    {
        internal uint StructBytes;
        internal uint KnownWord;
        public uint PredictedTick, ViewOriginTick;
        public double ViewTicks, ViewDelayS, Rate;

        public bool Known
        {
            get { return KnownWord != 0; }
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Telemetry
    {
        internal uint StructBytes;
        internal uint Reserved;
        public long RttUs, FullLoopUs, JitterUs, LeadUs;
        public ulong Packets, PacketsLost, Bytes;
        public ulong Corrections; // visible ones: over 5 cm
        public double LargestCorrectionM;
    }
}
