// As much JSON as a log-in has.
using System.Globalization;
using System.Text;

namespace Perigee
{
    internal static class Json
    {
        internal static string Quoted(string text)
        {
            var quoted = new StringBuilder("\"");
            foreach (char c in text)
            {
                if (c == '"' || c == '\\') quoted.Append('\\').Append(c);
                else if (c < ' ') quoted.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
                else quoted.Append(c);
            }
            return quoted.Append('"').ToString();
        }

        /// The first string with this key, at any depth; empty if there is none.
        internal static string Value(string text, string key)
        {
            string last = null; // the string before a colon
            bool isValue = false;
            for (int at = 0; at < text.Length; ++at)
            {
                char c = text[at];
                if (c == '"')
                {
                    string found = String(text, ref at);
                    if (isValue && last == key) return found;
                    last = isValue ? null : found;
                    isValue = false;
                }
                else if (c == ':') isValue = true;
                else if (c == ',' || c == '{' || c == '[') isValue = false;
            }
            return "";
        }

        /// `at`: its first quote; then its last one, or the end of a text that breaks off.
        static string String(string text, ref int at)
        {
            var value = new StringBuilder();
            for (++at; at < text.Length && text[at] != '"'; ++at)
            {
                if (text[at] != '\\' || at + 1 >= text.Length)
                {
                    value.Append(text[at]);
                    continue;
                }
                switch (text[++at])
                {
                    case 'n': value.Append('\n'); break;
                    case 't': value.Append('\t'); break;
                    case 'r': value.Append('\r'); break;
                    case 'b': value.Append('\b'); break;
                    case 'f': value.Append('\f'); break;
                    case 'u':
                        int unit;
                        if (at + 4 < text.Length &&
                            int.TryParse(text.Substring(at + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out unit))
                        {
                            value.Append((char)unit);
                            at += 4;
                        }
                        break;
                    default: value.Append(text[at]); break;
                }
            }
            return value.ToString();
        }
    }
}
