// Log-in at the session service over HTTP (docs/log_in_over_http.md).
using System;
using System.IO;
using System.Net;
using System.Text;

namespace Perigee
{
    public static class LogIn
    {
        const int PatienceMs = 10000;
        const int AnswerCharactersMax = 65536;

        /// The connect token, valid for 30 s and for one connection. Waits for the answer, so call it
        /// on a thread of its own, as Session does. `url`: of the service, such as https://HOST:PORT.
        public static byte[] Token(string url, string playerName, string credential, uint wireVersion, ulong schemaHash)
        {
            string body = "{\"playerName\":" + Json.Quoted(playerName) + ",\"credential\":" + Json.Quoted(credential) +
                ",\"wireVersion\":" + wireVersion + ",\"schemaHash\":\"" + schemaHash + "\"}";
            try
            {
                var request = (HttpWebRequest)WebRequest.Create(new Uri(new Uri(url), "/v1/log_in"));
                request.Method = "POST";
                request.ContentType = "application/json";
                request.Timeout = request.ReadWriteTimeout = PatienceMs;
                request.ServicePoint.Expect100Continue = false;
                byte[] bytes = new UTF8Encoding(false).GetBytes(body);
                request.ContentLength = bytes.Length;
                using (Stream stream = request.GetRequestStream()) stream.Write(bytes, 0, bytes.Length);
                using (var response = (HttpWebResponse)request.GetResponse())
                {
                    return Convert.FromBase64String(Json.Value(Text(response), "connectToken"));
                }
            }
            catch (WebException problem)
            {
                throw Refusal(url, problem);
            }
            catch (Exception problem) when (problem is IOException || problem is FormatException)
            {
                throw new PerigeeException(Fault.LogIn, "what " + url + " answers is no log-in (" + problem.Message + ")");
            }
        }

        static string Text(WebResponse response)
        {
            using (var reader = new StreamReader(response.GetResponseStream(), Encoding.UTF8))
            {
                var text = new char[AnswerCharactersMax];
                return new string(text, 0, reader.ReadBlock(text, 0, text.Length));
            }
        }

        static PerigeeException Refusal(string url, WebException problem)
        {
            using (var response = problem.Response as HttpWebResponse)
            {
                if (response == null)
                {
                    return new PerigeeException(
                        Fault.LogIn, url + " does not answer the log-in (" + problem.Message + "); is it running?");
                }
                string text = Text(response);
                string message = Json.Value(text, "message");
                int seconds;
                int.TryParse(response.Headers["Retry-After"], out seconds);
                return new PerigeeException(
                    Fault.LogIn, message != "" ? message : url + " answers the log-in with " + (int)response.StatusCode)
                {
                    Status = Json.Value(text, "status"),
                    RetryAfterS = seconds
                };
            }
        }
    }
}
