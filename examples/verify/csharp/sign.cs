// Writes a signed pay link. .NET Framework 4.7.2, Mono, .NET 6 or newer; no packages.
// region
using System;
using System.Security.Cryptography;
using System.Text;

// Prints a link. Mono: mcs sign.cs && mono sign.exe. In your own program, leave this class out.
public static class PrintLink
{
    public static void Main()
    {
        Console.WriteLine(PazarLink.PayUrl("https://pay.example.me", "YOUR_PROJECT_ID", "1500", "Espresso",
            "order-7", "", Environment.GetEnvironmentVariable("PAZAR_SECRET")));
    }
}

public static class PazarLink
{
    // amount: in cents. data: your own text. customId, exp (Unix seconds): empty when the link has none.
    public static string PayUrl(string baseUrl, string projectId, string amount, string data,
        string customId, string exp, string secret)
    {
        string mode = secret.StartsWith("sk_test_") ? "test" : "live";
        string message = Netstring("paylink.v1") + Netstring(mode) + Netstring(projectId) + Netstring(amount)
            + Netstring(data) + (customId == "" ? "-," : Netstring(customId))
            + (exp == "" ? "-," : Netstring(exp));
        string sig;
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
            sig = Convert.ToBase64String(hmac.ComputeHash(Encoding.UTF8.GetBytes(message)));
        // Every link has data, even if it is empty.
        return baseUrl + "/pay?amount=" + Uri.EscapeDataString(amount)
            + "&project=" + Uri.EscapeDataString(projectId) + "&data=" + Uri.EscapeDataString(data)
            + (customId == "" ? "" : "&customId=" + Uri.EscapeDataString(customId))
            + (mode == "test" ? "&mode=test" : "") + (exp == "" ? "" : "&exp=" + Uri.EscapeDataString(exp))
            + "&sig=" + sig.TrimEnd('=').Replace('+', '-').Replace('/', '_');
    }

    // The length prefix keeps each value separate from the next one.
    static string Netstring(string value)
    {
        return Encoding.UTF8.GetByteCount(value) + ":" + value + ",";
    }
}
// endregion

// mcs -main:Command sign.cs && mono sign.exe baseUrl projectId amount data [customId] [exp], with PAZAR_SECRET in the
// environment.
public static class Command
{
    public static void Main(string[] args)
    {
        string customId = args.Length > 4 ? args[4] : "", exp = args.Length > 5 ? args[5] : "";
        string secret = Environment.GetEnvironmentVariable("PAZAR_SECRET");
        Console.WriteLine(PazarLink.PayUrl(args[0], args[1], args[2], args[3], customId, exp, secret));
    }
}
