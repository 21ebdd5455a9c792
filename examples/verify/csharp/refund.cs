// Refunds a payment and reads the list of events. .NET Framework 4.7.2, Mono, .NET 6 or newer; no packages.
using System.Text.RegularExpressions;

// region
using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading.Tasks;

public static class PazarRefunds
{
    // One client for the whole program.
    static readonly HttpClient Http = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };

    // await PazarRefunds.Refund("https://pay.example.me", "YOUR_PROJECT_ID", transactionId, "500",
    //     "return-12", token)

    // Refunds this amount, in cents. An empty amount refunds the rest. Calls with the same key refund
    // only once. After an error or a timeout, repeat the call with the same key and the same amount. The
    // result is {"refund":{"id":"re_…","state":"succeeded",…}}; read it with your JSON library.
    public static Task<string> Refund(
        string baseUrl, string projectId, string transactionId, string amount, string key, string token)
    {
        string what = "{\"projectId\":" + Quote(projectId) + ",\"transactionId\":" + Quote(transactionId)
            + ",\"idempotencyKey\":" + Quote(key)
            + (amount == "" ? "" : ",\"amount\":" + Quote(amount)) + "}";
        return Post(baseUrl + "/sdk/transaction/refund", what, token);
    }

    // Returns what changed after this cursor; an empty cursor returns everything. The result is
    // {"items":[…],"next":"…","hasMore":false}. Store "next" in the same transaction as your changes for
    // these events, and send it as after in the next call. Call again while "hasMore" is true.
    public static Task<string> ReadEvents(string baseUrl, string projectId, string after, string token)
    {
        string cursor = after == "" ? "" : ",\"after\":" + Quote(after);
        return Post(baseUrl + "/sdk/events/list", "{\"projectId\":" + Quote(projectId) + cursor + "}", token);
    }

    static async Task<string> Post(string url, string body, string token)
    {
        using (var request = new HttpRequestMessage(HttpMethod.Post, url))
        {
            request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
            request.Content = new StringContent(body, Encoding.UTF8, "application/json");
            using (var answer = await Http.SendAsync(request))
            {
                string text = await answer.Content.ReadAsStringAsync();
                if (answer.IsSuccessStatusCode) return text;
                // The body has the code, for example refund_exceeds.
                throw new HttpRequestException("Pazar returned " + (int)answer.StatusCode + ": " + text);
            }
        }
    }

    // Returns the text as a JSON string. Control characters are not escaped, because ids have none.
    static string Quote(string id)
    {
        return '"' + id.Replace("\\", "\\\\").Replace("\"", "\\\"") + '"';
    }
}
// endregion

// mcs -r:System.Net.Http refund.cs && mono refund.exe baseUrl projectId [transactionId amount key], with
// PAZAR_TOKEN in the environment. Without a transaction it prints the types of all events.
public static class Command
{
    public static int Main(string[] args)
    {
        string token = Environment.GetEnvironmentVariable("PAZAR_TOKEN");
        try
        {
            if (args.Length > 2)
            {
                string made = PazarRefunds.Refund(args[0], args[1], args[2], args[3], args[4], token)
                    .GetAwaiter().GetResult();
                Console.WriteLine(Find(made, "id") + " " + Find(made, "state"));
                return 0;
            }
            string page = "";
            do
            {
                string after = page == "" ? "" : Find(page, "next");
                page = PazarRefunds.ReadEvents(args[0], args[1], after, token).GetAwaiter().GetResult();
                foreach (Match type in Regex.Matches(page, "\"type\":\"([^\"]*)\""))
                    Console.WriteLine(type.Groups[1].Value);
            } while (page.Contains("\"hasMore\":true"));
            return 0;
        }
        catch (HttpRequestException error)
        {
            Console.Error.WriteLine(error.Message);
            return 2;
        }
    }

    static string Find(string json, string name)
    {
        return Regex.Match(json, "\"" + name + "\":\"([^\"]*)\"").Groups[1].Value;
    }
}
