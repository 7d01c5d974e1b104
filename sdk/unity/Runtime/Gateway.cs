using System;
using System.Net;
using System.Net.Sockets;

namespace Perigee
{
    /// A UDP socket that is connected to one gateway. Unlike ReceiveFrom(), its calls make no garbage,
    /// and the system drops what others send.
    internal sealed class Gateway : IDisposable
    {
        internal const int Nothing = -1;
        /// When it was sent to; larger is later.
        internal ulong LastSend;
        internal readonly byte[] Address = new byte[Native.AddressBytes];
        readonly Socket socket;

        internal Gateway(byte[] address)
        {
            Buffer.BlockCopy(address, 0, Address, 0, Address.Length);
            bool v4 = address[Native.AddressFamilyAt] == 4;
            var ip = new byte[v4 ? 4 : 16];
            Buffer.BlockCopy(address, Native.AddressIpAt, ip, 0, ip.Length);
            socket = new Socket(
                v4 ? AddressFamily.InterNetwork : AddressFamily.InterNetworkV6, SocketType.Dgram, ProtocolType.Udp);
            socket.Blocking = false;
            try
            {
                socket.Connect(new IPEndPoint(new IPAddress(ip), BitConverter.ToUInt16(address, Native.AddressPortAt)));
            }
            catch (SocketException)
            {
                socket.Close();
                throw;
            }
        }

        internal bool Is(byte[] address)
        {
            for (int i = 0; i < Address.Length; ++i)
            {
                if (address[i] != Address[i]) return false;
            }
            return true;
        }

        /// False: the socket is of no use any more. A full buffer and a closed port at the other end,
        /// of which an earlier datagram was told, are not the socket's fault.
        internal bool Send(byte[] datagram, int bytes)
        {
            SocketError error;
            socket.Send(datagram, 0, bytes, SocketFlags.None, out error);
            return error == SocketError.Success || error == SocketError.WouldBlock ||
                error == SocketError.ConnectionRefused || error == SocketError.ConnectionReset;
        }

        /// Bytes of the next datagram, which may be empty; Nothing if none has arrived.
        internal int Receive(byte[] datagram)
        {
            SocketError error;
            int bytes = socket.Receive(datagram, 0, datagram.Length, SocketFlags.None, out error);
            return error == SocketError.Success ? bytes : Nothing;
        }

        public void Dispose()
        {
            socket.Close();
        }
    }
}
