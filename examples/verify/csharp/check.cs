// Checks with Pazar whether an order was paid. .NET Framework 4.7.2, Mono, .NET 6 or newer; no packages.
// region
using System;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;

// Prints True or False. Mono: mcs -r:System.Net.Http check.cs && mono check.exe. In your own program, leave
// this class out, and await IsPaid where you can.
public static class PrintStatus
{
    public static void Main()
    {
        Console.WriteLine(PazarStatus.IsPaid("https://pay.example.me", "YOUR_PROJECT_ID", "order-7", "1500",
            Environment.GetEnvironmentVariable("PAZAR_SECRET")).GetAwaiter().GetResult());
    }
}

public static class PazarStatus
{
    // One client for the whole program. Ten seconds, because a payer may be waiting.
    static readonly HttpClient Http = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };

    // True if this order was paid with exactly this amount, in cents. An empty amount matches any amount.
    public static async Task<bool> IsPaid(
        string baseUrl, string projectId, string customId, string amount, string secret)
    {
        string question = "\"projectId\":" + Quote(projectId) + ",\"customId\":" + Quote(customId)
            + (amount == "" ? "" : ",\"amount\":" + Quote(amount));
        string signed = Encode(Encoding.UTF8.GetBytes("{\"alg\":\"HS256\",\"typ\":\"JWT\"}"))
            + "." + Encode(Encoding.UTF8.GetBytes("{" + question + "}"));
        string hash;
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
            hash = signed + "." + Encode(hmac.ComputeHash(Encoding.UTF8.GetBytes(signed)));

        string body = "{" + question + ",\"hash\":\"" + hash + "\"}";
        using (var content = new StringContent(body, Encoding.UTF8, "application/json"))
        using (var answer = await Http.PostAsync(baseUrl + "/sdk/transaction/checkStatus", content))
        {
            answer.EnsureSuccessStatusCode();
            // If it was not paid, the response is {"successful":false}.
            return await answer.Content.ReadAsStringAsync() == "{\"successful\":true}";
        }
    }

    static string Encode(byte[] part)
    {
        return Convert.ToBase64String(part).TrimEnd('=').Replace('+', '-').Replace('/', '_');
    }

    // Returns the text as a JSON string. Control characters are not escaped, because ids have none.
    static string Quote(string id)
    {
        return '"' + id.Replace("\\", "\\\\").Replace("\"", "\\\"") + '"';
    }
}
// endregion

// mcs -main:Command -r:System.Net.Http check.cs && mono check.exe baseUrl projectId customId [amount], with
// PAZAR_SECRET in the environment.
public static class Command
{
    public static int Main(string[] args)
    {
        try
        {
            string secret = Environment.GetEnvironmentVariable("PAZAR_SECRET");
            bool paid = PazarStatus.IsPaid(args[0], args[1], args[2], args.Length > 3 ? args[3] : "", secret)
                .GetAwaiter().GetResult();
            Console.WriteLine(paid ? "paid" : "not paid");
            return paid ? 0 : 1;
        }
        catch (HttpRequestException error)
        {
            Console.Error.WriteLine(error.Message);
            return 2;
        }
    }
}
