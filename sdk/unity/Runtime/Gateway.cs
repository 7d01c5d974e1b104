using System;
using System.Net;
using System.Net.Sockets;

namespace Perigee
{
    /// A UDP socket that is connected to one gateway. Unlike ReceiveFrom(), its calls make no garbage,
    /// and the system drops what others send.
    internal sealed class Gateway : IDisposable
    {
        internal readonly byte[] Address = new byte[Native.AddressBytes];
        readonly Socket socket;

        internal Gateway(byte[] address)
        {
            Buffer.BlockCopy(address, 0, Address, 0, Address.Length);
            bool v4 = address[0] == 4;
            var ip = new byte[v4 ? 4 : 16];
            Buffer.BlockCopy(address, 1, ip, 0, ip.Length);
            socket = new Socket(
                v4 ? AddressFamily.InterNetwork : AddressFamily.InterNetworkV6, SocketType.Dgram, ProtocolType.Udp);
            socket.Blocking = false;
            try
            {
                socket.Connect(new IPEndPoint(new IPAddress(ip), BitConverter.ToUInt16(address, 18)));
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

        /// A datagram that cannot be sent is lost on the way.
        internal void Send(byte[] datagram, int bytes)
        {
            SocketError ignored;
            socket.Send(datagram, 0, bytes, SocketFlags.None, out ignored);
        }

        /// Bytes of the next datagram; 0 if none has arrived.
        internal int Receive(byte[] datagram)
        {
            SocketError error;
            int bytes = socket.Receive(datagram, 0, datagram.Length, SocketFlags.None, out error);
            return error == SocketError.Success ? bytes : 0;
        }

        public void Dispose()
        {
            socket.Close();
        }
    }
}
