// Verifies a callback of Pazar, or reports why it is refused. .NET Framework 4.7.2, Mono, .NET 6 or newer; no packages.
using System.Collections.Generic;

// region
using System;
using System.IO;
using System.Linq;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;

public class PazarCallback
{
    // Named as in the JSON. customId and data only if the payment had them, else null.
    public string @event, transactionId, amount, currency, mode, customId, data;
    public string status, failureCode; // Only in payment.result; failureCode only in a "fail".
    public string refundId, refundStatus, refundedTotal; // Only in refund.result.
    public string disputeId, disputeStatus, respondBy; // Only in dispute.opened and dispute.closed.

    // Respond with 400 and do nothing else; the message is the reason.
    public class Refused : Exception
    {
        public Refused(string reason) : base(reason) { }
    }

    // rawBody: the bytes as received. JSON that was parsed and rewritten has another signature.
    // header: name => Request.Headers[name]
    // secrets: the current secret, and during a rotation the next one too.
    // priceOf: the price of this order in your records, in cents as digits; null for an order you do not
    // know. A signature does not prove that enough was paid. Only called for payments.
    public static PazarCallback Verify(byte[] rawBody, Func<string, string> header, string[] secrets,
        Func<PazarCallback, string> priceOf, DateTimeOffset now)
    {
        // Anybody can sign with an empty key.
        if (secrets.Length == 0 || secrets.Any(key => key.Length < 32)) throw new Refused("no_secret");
        string timestamp = header("webhook-timestamp"), signatures = header("webhook-signature") ?? "";
        var start = Encoding.UTF8.GetBytes(header("webhook-id") + "." + timestamp + ".");
        var message = start.Concat(rawBody).ToArray();
        string secret = secrets.FirstOrDefault(key => IsSigned(message, signatures, key));
        bool isTime = long.TryParse(timestamp, out long signedAt);
        if (secret == null || !isTime) throw new Refused("bad_signature");
        // A replayed old request.
        if (Math.Abs(now.ToUnixTimeSeconds() - signedAt) > 300) throw new Refused("expired");

        var callback = Parse(rawBody);
        if (callback?.@event == null) throw new Refused("malformed");
        string mode = secret.StartsWith("sk_test_") ? "test" : "live";
        if (callback.mode != mode) throw new Refused("wrong_mode");
        bool isPayment = callback.@event == "payment.result";
        string price = isPayment ? priceOf(callback) : null;
        if (isPayment && (price == null || callback.amount != price)) throw new Refused("amount_mismatch");
        return callback;
    }

    static PazarCallback Parse(byte[] rawBody)
    {
        try
        {
            var reader = new DataContractJsonSerializer(typeof(PazarCallback));
            return reader.ReadObject(new MemoryStream(rawBody)) as PazarCallback;
        }
        catch (Exception)
        {
            return null; // Signed, but not a JSON object, or a field is no text.
        }
    }

    static bool IsSigned(byte[] message, string signatures, string key)
    {
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(key)))
        {
            string expected = "v1," + Convert.ToBase64String(hmac.ComputeHash(message));
            return signatures.Split(' ').Any(one => IsSame(one, expected));
        }
    }

    // Takes the same time wherever the first wrong character is.
    static bool IsSame(string given, string expected)
    {
        int difference = given.Length ^ expected.Length;
        for (int i = 0; i < given.Length && i < expected.Length; i++) difference |= given[i] ^ expected[i];
        return difference == 0;
    }

    // A callback may repeat, so save its webhook-id under a unique key together with the new state; if it is
    // already stored, respond 200 and do nothing else.
    // On a "fail" with failureCode resolved_unpaid about a paid order: stop the shipment, check the order.
    public string StateAfter(string state)
    {
        switch (@event)
        {
            case "payment.result": // Paid stays paid: a late "fail" is about an earlier attempt.
                return state == "paid" || status == "success" ? "paid" : "failed";
            case "refund.result": // Save refundId, refundStatus and refundedTotal. It is not a payment.
            case "dispute.opened": // Save disputeId and disputeStatus; you can respond until respondBy.
            case "dispute.closed":
            default: // An event that you do not know: respond 200 and ignore it.
                return state;
        }
    }
}
// endregion

// mcs -r:System.Runtime.Serialization verify.cs && mono verify.exe [file]: reads {headers, body, secret,
// expectedAmount, now?, orderState?}, from the file or stdin.
public static class Command
{
    public class Given
    {
        public Dictionary<string, string> headers;
        public string body, secret, expectedAmount, orderState;
        public long now;
    }

    public static int Main(string[] args)
    {
        var settings = new DataContractJsonSerializerSettings { UseSimpleDictionaryFormat = true };
        Given given;
        using (var input = args.Length > 0 ? File.OpenRead(args[0]) : Console.OpenStandardInput())
            given = (Given)new DataContractJsonSerializer(typeof(Given), settings).ReadObject(input);
        var now = given.now == 0 ? DateTimeOffset.UtcNow : DateTimeOffset.FromUnixTimeSeconds(given.now);
        try
        {
            var callback = PazarCallback.Verify(Encoding.UTF8.GetBytes(given.body),
                name => given.headers.TryGetValue(name, out string value) ? value : null,
                given.secret.Split(' '), order => given.expectedAmount == "" ? null : given.expectedAmount,
                now);
            Console.WriteLine("ok " + callback.transactionId);
            if (given.orderState != null) Console.WriteLine("order " + callback.StateAfter(given.orderState));
            return 0;
        }
        catch (PazarCallback.Refused refused)
        {
            Console.WriteLine("refused " + refused.Message);
            return 1;
        }
    }
}
