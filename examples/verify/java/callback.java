// The server that Pazar calls. Needs verify.java in the same folder.
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.*;
import java.util.concurrent.Executors;
import java.util.stream.*;

class Callback {
    // Your orders, here in memory. With a database: one transaction, and webhook-id under a unique key.
    static final Map<String, String> prices = new HashMap<>(Map.of("order-7", "1500"));
    static final Map<String, String> states = new HashMap<>(Map.of("order-7", "open"));
    static final Map<String, String> refunds = new HashMap<>();
    static final Set<String> seen = new HashSet<>();

    // The current secret, and during a rotation the next one too.
    static final List<String> secrets = Stream.of("PAZAR_SECRET", "PAZAR_NEXT_SECRET")
            .map(System::getenv).filter(one -> one != null && !one.isEmpty()).collect(Collectors.toList());

    static String priceOf(PazarCallback callback) {
        String id = callback.get("customId");
        // Test callbacks of the portal and the exam use their own orders.
        if (callback.get("mode").equals("test") && id != null && id.matches("(test|exam)-.*")) {
            prices.putIfAbsent(id, "1500");
            states.putIfAbsent(id, "open");
        }
        return prices.get(id); // null: an order that is not ours
    }

    static void take(HttpExchange request) {
        int status = 500; // If anything fails, Pazar tries again.
        String answer = "";
        try (request) {
            var headers = request.getRequestHeaders();
            try {
                // Before the lock: a slow sender must not stop the others.
                byte[] body = request.getRequestBody().readNBytes(1 << 20);
                answer = "{\"paid\":" + save(body, headers) + "}"; // For the exam.
                status = 200;
            } catch (PazarCallback.Refused reason) {
                status = 400;
                System.out.println("refused: " + reason.getMessage());
            } catch (Exception error) {
                error.printStackTrace();
            }
            request.sendResponseHeaders(status, answer.isEmpty() ? -1 : answer.length());
            if (!answer.isEmpty()) request.getResponseBody().write(answer.getBytes());
        } catch (IOException error) {
            error.printStackTrace(); // The connection is already closed.
        }
    }

    /** Returns whether the order is paid now. */
    static synchronized boolean save(byte[] body, Headers headers) throws Exception {
        var now = Instant.now();
        var callback = PazarCallback.verify(body, headers::getFirst, secrets, Callback::priceOf, now);
        String order = Objects.toString(callback.get("customId"), "");
        if (seen.add(headers.getFirst("webhook-id"))) { // A repeated callback changes nothing.
            // A refund or a dispute may come before the payment's own callback.
            states.computeIfPresent(order, (id, state) -> callback.stateAfter(state));
            // Save disputes in the same way. The status "returned" is final.
            String refund = callback.get("refundId");
            if (refund != null && !"returned".equals(refunds.get(refund)))
                refunds.put(refund, callback.get("refundStatus"));
        }
        System.out.println(order + ": " + states.getOrDefault(order, "unknown"));
        if ("resolved_unpaid".equals(callback.get("failureCode")) && "paid".equals(states.get(order)))
            System.out.println(order + ": stop the shipment and check the order");
        return "paid".equals(states.get(order));
    }

    public static void main(String[] args) throws Exception {
        if (secrets.isEmpty()) {
            System.err.println("Set PAZAR_SECRET to the secret of your project.");
            System.exit(1);
        }
        System.setProperty("sun.net.httpserver.maxReqTime", "10"); // Seconds for a whole request.
        int port = Integer.parseInt(args.length > 0 ? args[0] : "4000");
        HttpServer server = HttpServer.create(new InetSocketAddress("localhost", port), 0);
        server.createContext("/", Callback::take);
        server.setExecutor(Executors.newCachedThreadPool()); // Otherwise a slow sender stops the others.
        server.start();
        System.out.println("Waiting for callbacks at http://localhost:" + port);
    }
}
