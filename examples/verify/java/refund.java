// Refunds a payment and reads the list of events. Java 11 or newer, no libraries.
import java.util.regex.Matcher;
import java.util.regex.Pattern;

// region
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

class PazarRefunds {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    // refund("https://pay.example.me", "YOUR_PROJECT_ID", transactionId, "500", "return-12", token)

    /**
     * Refunds this amount, in cents. An empty amount refunds the rest. Calls with the same key refund
     * only once. After an error or a timeout, repeat the call with the same key and the same amount. The
     * result is {"refund":{"id":"re_…","state":"succeeded",…}}; read it with your JSON library.
     */
    static String refund(String baseUrl, String projectId, String transactionId, String amount, String key,
            String token) throws IOException, InterruptedException {
        String what = "{\"projectId\":" + quote(projectId) + ",\"transactionId\":" + quote(transactionId)
                + ",\"idempotencyKey\":" + quote(key)
                + (amount.isEmpty() ? "" : ",\"amount\":" + quote(amount)) + "}";
        return post(baseUrl + "/sdk/transaction/refund", what, token);
    }

    /**
     * Returns what changed after this cursor; an empty cursor returns everything. The result is
     * {"items":[…],"next":"…","hasMore":false}. Store "next" in the same transaction as your changes for
     * these events, and send it as after in the next call. Call again while "hasMore" is true.
     */
    static String readEvents(String baseUrl, String projectId, String after, String token)
            throws IOException, InterruptedException {
        String cursor = after.isEmpty() ? "" : ",\"after\":" + quote(after);
        return post(baseUrl + "/sdk/events/list", "{\"projectId\":" + quote(projectId) + cursor + "}", token);
    }

    private static String post(String url, String body, String token)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(30))
                .header("content-type", "application/json")
                .header("authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) { // The body has the code, for example refund_exceeds.
            throw new IOException("Pazar returned status " + answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }

    /** Returns the text as a JSON string. Control characters are not escaped, because ids have none. */
    private static String quote(String id) {
        return '"' + id.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
// endregion

// javac -d out refund.java && java -cp out Refund baseUrl projectId [transactionId amount key], with PAZAR_TOKEN in
// the environment. Without a transaction it prints the types of all events.
class Refund {
    public static void main(String[] args) throws Exception {
        String token = System.getenv("PAZAR_TOKEN");
        try {
            if (args.length > 2) {
                String made = PazarRefunds.refund(args[0], args[1], args[2], args[3], args[4], token);
                System.out.println(find(made, "id") + " " + find(made, "state"));
                return;
            }
            String page = "";
            do {
                String after = page.isEmpty() ? "" : find(page, "next");
                page = PazarRefunds.readEvents(args[0], args[1], after, token);
                Matcher types = Pattern.compile("\"type\":\"([^\"]*)\"").matcher(page);
                while (types.find()) System.out.println(types.group(1));
            } while (page.contains("\"hasMore\":true"));
        } catch (IOException error) {
            System.err.println(error.getMessage());
            System.exit(2);
        }
    }

    private static String find(String json, String name) {
        Matcher field = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        return field.find() ? field.group(1) : "";
    }
}
