using System;
using System.Net.Sockets;

namespace Perigee
{
    /// The gateways that datagrams were sent to, each with its socket. Of `most` gateways the one that
    /// was not sent to for the longest time makes room for another one.
    internal sealed class Gateways : IDisposable
    {
        const int DatagramsPerFrameMax = 1024;

        readonly Gateway[] known;
        ulong sends;

        internal Gateways(int most)
        {
            known = new Gateway[most];
        }

        internal int Count { get; private set; }

        /// A datagram that cannot be sent is lost on the way, e.g. without IPv6: the client then tries
        /// its next gateway.
        internal void Send(byte[] address, byte[] datagram, int bytes)
        {
            int at = At(address);
            if (at < 0) return;
            known[at].LastSend = ++sends;
            // A socket keeps the local address that it got when it was opened. After a change of the
            // network its errors do not end, and a new one has the new address.
            if (!known[at].Send(datagram, bytes)) Forget(at);
        }

        /// Passes what has arrived to the client.
        internal void Receive(Client client, byte[] datagram)
        {
            for (int i = 0; i < Count; ++i)
            {
                for (int n = 0; n < DatagramsPerFrameMax; ++n)
                {
                    int bytes = known[i].Receive(datagram);
                    if (bytes == Gateway.Nothing) break;
                    if (bytes > 0) client.Receive(Session.NowUs, known[i].Address, datagram, bytes);
                }
            }
        }

        public void Dispose()
        {
            while (Count > 0) Forget(Count - 1);
        }

        /// -1 if this machine cannot reach it.
        int At(byte[] address)
        {
            for (int i = 0; i < Count; ++i)
            {
                if (known[i].Is(address)) return i;
            }
            Gateway opened;
            try
            {
                opened = new Gateway(address);
            }
            catch (SocketException)
            {
                return -1;
            }
            if (Count == known.Length) Forget(Oldest());
            known[Count] = opened;
            return Count++;
        }

        int Oldest()
        {
            int oldest = 0;
            for (int i = 1; i < Count; ++i)
            {
                if (known[i].LastSend < known[oldest].LastSend) oldest = i;
            }
            return oldest;
        }

        void Forget(int at)
        {
            known[at].Dispose();
            known[at] = known[--Count];
            known[Count] = null;
        }
    }
}
