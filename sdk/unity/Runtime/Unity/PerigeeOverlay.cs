using UnityEngine;

namespace Perigee.Unity
{
    /// Ping, jitter, loss, corrections and tick in a corner of the screen, renewed twice a second.
    [RequireComponent(typeof(PerigeeWorld))]
    public sealed class PerigeeOverlay : MonoBehaviour
    {
        const float PeriodS = 0.5f;

        PerigeeWorld world;
        string text = "";
        float renewAtS;

        void Awake()
        {
            world = GetComponent<PerigeeWorld>();
        }

        void Update()
        {
            if (UnityEngine.Time.unscaledTime < renewAtS) return;
            renewAtS = UnityEngine.Time.unscaledTime + PeriodS;
            text = TextOf(world.Session);
        }

        void OnGUI()
        {
            GUI.Label(new Rect(10, 10, 420, 90), text);
        }

        static string TextOf(Session session)
        {
            if (session == null) return "";
            if (session.End != null) return session.End.Message;
            if (!session.Playing) return "joining";
            Telemetry telemetry = session.Client.Telemetry();
            ulong packets = telemetry.Packets + telemetry.PacketsLost;
            double lossPercent = packets == 0 ? 0 : 100.0 * telemetry.PacketsLost / packets;
            return string.Format(
                "ping {0:0.0} ms, jitter {1:0.0} ms, loss {2:0.0} %\n{3} corrections, largest {4:0.00} m\ntick {5}, {6} entities",
                telemetry.RttUs / 1000.0, telemetry.JitterUs / 1000.0, lossPercent, telemetry.Corrections,
                telemetry.LargestCorrectionM, session.Client.Time().PredictedTick, session.Client.EntityCount);
        }
    }
}
