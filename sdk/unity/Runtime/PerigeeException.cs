using System;

namespace Perigee
{
    public enum Fault
    {
        LibraryMissing,
        OtherAbi, // library and package are of different versions
        BadArgument,
        BadToken,
        NotPlaying,
        LogIn,
        Ended, // the session is over
        Stopped // a bug in perigee or in the game, or no memory is left
    }

    /// Every error of this package. The message is a sentence for a person.
    public sealed class PerigeeException : Exception
    {
        public PerigeeException(Fault fault, string message)
            : base(message)
        {
            Fault = fault;
            Status = "";
        }

        public Fault Fault { get; private set; }
        /// Of a refused log-in: gRPC's name, such as UNAUTHENTICATED; empty without an answer.
        public string Status { get; internal set; }
        /// Of a refused log-in: when to try again; 0 if the service does not say so.
        public int RetryAfterS { get; internal set; }
    }
}
