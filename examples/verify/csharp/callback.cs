// The server that Pazar calls. Needs verify.cs in the same folder.
using System;
using System.Collections.Generic;
using System.Collections.Specialized;
using System.IO;
using System.Linq;
using System.Net;
using System.Text;
using System.Threading;

public static class Callback
{
    class Order
    {
        public string price = "1500", state = "open";
    }

    // Your orders, here in memory. With a database: one transaction, and webhook-id under a unique key.
    static readonly Dictionary<string, Order> orders = new Dictionary<string, Order>
    {
        ["order-7"] = new Order(),
    };
    static readonly Dictionary<string, string> refunds = new Dictionary<string, string>();
    static readonly HashSet<string> seen = new HashSet<string>();
    // The current secret, and during a rotation the next one too.
    static readonly string[] secrets = new[] { "PAZAR_SECRET", "PAZAR_NEXT_SECRET" }
        .Select(Environment.GetEnvironmentVariable).Where(one => !string.IsNullOrEmpty(one)).ToArray();

    static Order Find(PazarCallback callback)
    {
        string id = callback.customId ?? "";
        // Test callbacks of the portal and the exam use their own orders.
        bool isTest = id.StartsWith("test-") || id.StartsWith("exam-");
        if (callback.mode == "test" && isTest && !orders.ContainsKey(id)) orders[id] = new Order();
        return orders.TryGetValue(id, out Order order) ? order : null; // null: an order that is not ours
    }

    static string Take(byte[] body, NameValueCollection headers)
    {
        var callback = PazarCallback.Verify(
            body, name => headers[name], secrets, found => Find(found)?.price, DateTimeOffset.UtcNow);
        Order order = Find(callback); // A refund or a dispute may come before the payment's own callback.
        if (seen.Add(headers["webhook-id"])) // A repeated callback changes nothing.
        {
            if (order != null) order.state = callback.StateAfter(order.state);
            // Save disputes in the same way. The status "returned" is final, in any order of callbacks.
            string id = callback.refundId;
            if (id != null && (!refunds.TryGetValue(id, out string status) || status != "returned"))
                refunds[id] = callback.refundStatus;
        }
        string state = order?.state ?? "unknown";
        Console.WriteLine(callback.customId + ": " + state);
        if (callback.failureCode == "resolved_unpaid" && state == "paid")
            Console.WriteLine(callback.customId + ": stop the shipment and check the order");
        return state == "paid" ? "{\"paid\":true}" : "{\"paid\":false}"; // For the exam.
    }

    // At most 1 MB: a body that is cut off has a wrong signature.
    static byte[] Read(Stream input)
    {
        var body = new byte[1 << 20];
        int length = 0, read;
        while ((read = input.Read(body, length, body.Length - length)) > 0) length += read;
        Array.Resize(ref body, length);
        return body;
    }

    static void Respond(HttpListenerContext context)
    {
        byte[] body = Read(context.Request.InputStream);
        string answer;
        try
        {
            lock (orders) answer = Take(body, context.Request.Headers);
        }
        catch (PazarCallback.Refused reason)
        {
            context.Response.StatusCode = 400;
            answer = reason.Message;
            Console.WriteLine("refused: " + answer);
        }
        context.Response.Close(Encoding.UTF8.GetBytes(answer), true);
    }

    static void Serve(HttpListenerContext context)
    {
        try
        {
            Respond(context);
        }
        catch (Exception error) // Our own fault: Pazar tries again.
        {
            Console.Error.WriteLine(error);
            try { context.Response.StatusCode = 500; context.Response.Close(); }
            catch (Exception) { context.Response.Abort(); } // The connection is already closed.
        }
    }

    public static void Main(string[] args)
    {
        if (secrets.Length == 0) throw new Exception("Set PAZAR_SECRET to the secret of your project.");
        var server = new HttpListener();
        string url = "http://localhost:" + (args.Length > 0 ? args[0] : "4000") + "/";
        server.Prefixes.Add(url);
        server.Start();
        Console.WriteLine("Waiting for callbacks at " + url);
        while (true)
        {
            var context = server.GetContext();
            ThreadPool.QueueUserWorkItem(_ => Serve(context));
        }
    }
}
