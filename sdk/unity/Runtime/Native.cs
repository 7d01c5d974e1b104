// The functions of perigee_client.h. An address is the 20 bytes of perigee_client_address.
using System;
using System.Runtime.InteropServices;

namespace Perigee
{
    internal static class Native
    {
        /// libperigee_client.so or perigee_client.dll: the library of your game, under this name.
        internal const string Library = "perigee_client";
        internal const uint Abi = 1;
        internal const int DatagramBytesMax = 1225;
        internal const int AddressBytes = 20, AddressFamilyAt = 0, AddressIpAt = 1, AddressPortAt = 18;
        internal const int BadArgument = -1, BadToken = -2, BufferTooSmall = -3, NotPlaying = -4;
        internal const int TooMany = -6;

        [DllImport(Library)]
        internal static extern uint perigee_client_abi();
        [DllImport(Library, CharSet = CharSet.Ansi)]
        internal static extern UIntPtr perigee_client_struct_bytes(string name);
        [DllImport(Library)]
        internal static extern IntPtr perigee_client_create(uint abi);
        [DllImport(Library)]
        internal static extern void perigee_client_destroy(IntPtr client);
        [DllImport(Library)]
        internal static extern uint perigee_client_wire_version();
        [DllImport(Library)]
        internal static extern ulong perigee_client_schema_hash(IntPtr client);
        [DllImport(Library)]
        internal static extern int perigee_client_begin(IntPtr client, long nowUs, byte[] token, UIntPtr bytes);
        [DllImport(Library)]
        internal static extern int perigee_client_receive(
            IntPtr client, long nowUs, byte[] from, byte[] datagram, UIntPtr bytes);
        [DllImport(Library)]
        internal static extern int perigee_client_advance(IntPtr client, long nowUs, ref Input input);
        [DllImport(Library, CharSet = CharSet.Ansi)]
        internal static extern int perigee_client_set_input(IntPtr client, string name, long value);
        [DllImport(Library)]
        internal static extern UIntPtr perigee_client_own_input_bytes(IntPtr client);
        [DllImport(Library)]
        internal static extern int perigee_client_set_own_input(IntPtr client, byte[] fields, UIntPtr bytes);
        [DllImport(Library)]
        internal static extern int perigee_client_poll_send(
            IntPtr client, byte[] to, byte[] datagram, UIntPtr capacity, out UIntPtr bytes);
        [DllImport(Library)]
        internal static extern int perigee_client_disconnect(IntPtr client, long nowUs);
        [DllImport(Library)]
        internal static extern int perigee_client_get_state(IntPtr client);
        [DllImport(Library)]
        internal static extern int perigee_client_scene(
            IntPtr client, long nowUs, [Out] Entity[] entities, UIntPtr each, UIntPtr capacity);
        [DllImport(Library)]
        internal static extern IntPtr perigee_client_type_name(IntPtr client, uint type);
        [DllImport(Library)]
        internal static extern int perigee_client_cues(
            IntPtr client, [Out] Cue[] cues, UIntPtr each, UIntPtr capacity);
        [DllImport(Library)]
        internal static extern int perigee_client_heard(
            IntPtr client, [Out] HeardCue[] cues, UIntPtr each, UIntPtr capacity);
        [DllImport(Library)]
        internal static extern int perigee_client_outcomes(
            IntPtr client, [Out] Outcome[] outcomes, UIntPtr each, UIntPtr capacity);
        [DllImport(Library)]
        internal static extern int perigee_client_projectiles(
            IntPtr client, long nowUs, [Out] Projectile[] projectiles, UIntPtr each, UIntPtr capacity);
        [DllImport(Library)]
        internal static extern UIntPtr perigee_client_game_state_bytes(IntPtr client);
        [DllImport(Library)]
        internal static extern int perigee_client_game_state(
            IntPtr client, uint handle, byte[] state, UIntPtr bytes);
        [DllImport(Library)]
        internal static extern UIntPtr perigee_client_type_state_bytes(IntPtr client, uint type);
        [DllImport(Library)]
        internal static extern UIntPtr perigee_client_world_state_bytes(IntPtr client);
        [DllImport(Library)]
        internal static extern int perigee_client_world_state(IntPtr client, byte[] state, UIntPtr bytes);
        [DllImport(Library)]
        internal static extern int perigee_client_player_name(
            IntPtr client, uint handle, byte[] name, UIntPtr capacity);
        [DllImport(Library)]
        internal static extern int perigee_client_send_message(IntPtr client, byte[] message, UIntPtr bytes);
        [DllImport(Library)]
        internal static extern int perigee_client_messages(
            IntPtr client, byte[] message, UIntPtr capacity, out UIntPtr bytes);
        [DllImport(Library)]
        internal static extern int perigee_client_get_time(IntPtr client, ref WorldTime time);
        [DllImport(Library)]
        internal static extern int perigee_client_get_telemetry(IntPtr client, ref Telemetry telemetry);
        [DllImport(Library, CharSet = CharSet.Ansi)]
        internal static extern int perigee_client_link(IntPtr client, long nowUs, string conditions);
        [DllImport(Library, CharSet = CharSet.Ansi)]
        internal static extern int perigee_client_use(IntPtr client, string techniques);
        [DllImport(Library)]
        internal static extern int perigee_client_inject_desync(IntPtr client, double x, double y, double z);
    }
}
