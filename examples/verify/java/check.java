// Checks with Pazar whether an order was paid. Java 11 or newer, no libraries.
// region
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class PazarStatus {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** Prints true or false: java check.java */
    public static void main(String[] args) throws Exception {
        System.out.println(isPaid("https://pay.example.me", "YOUR_PROJECT_ID", "order-7", "1500",
                System.getenv("PAZAR_SECRET")));
    }

    /** True if this order was paid with exactly this amount, in cents. An empty amount matches any amount. */
    static boolean isPaid(String baseUrl, String projectId, String customId, String amount, String secret)
            throws GeneralSecurityException, IOException, InterruptedException {
        String question = "\"projectId\":" + quote(projectId) + ",\"customId\":" + quote(customId)
                + (amount.isEmpty() ? "" : ",\"amount\":" + quote(amount));
        String signed = encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}") + "." + encode("{" + question + "}");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        byte[] signature = mac.doFinal(signed.getBytes(UTF_8));
        String hash = signed + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);

        HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + "/sdk/transaction/checkStatus"))
                .timeout(Duration.ofSeconds(10)) // A payer may be waiting.
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{" + question + ",\"hash\":\"" + hash + "\"}"))
                .build();
        HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("The status check returned status " + answer.statusCode());
        }
        return answer.body().equals("{\"successful\":true}"); // If it was not paid: {"successful":false}.
    }

    private static String encode(String part) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(part.getBytes(UTF_8));
    }

    /** Returns the text as a JSON string. Control characters are not escaped, because ids have none. */
    private static String quote(String id) {
        return '"' + id.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
// endregion

// javac -d out check.java && java -cp out Check baseUrl projectId customId [amount], with PAZAR_SECRET in the
// environment.
class Check {
    public static void main(String[] args) throws Exception {
        try {
            String amount = args.length > 3 ? args[3] : "";
            boolean paid = PazarStatus.isPaid(args[0], args[1], args[2], amount, System.getenv("PAZAR_SECRET"));
            System.out.println(paid ? "paid" : "not paid");
            System.exit(paid ? 0 : 1);
        } catch (IOException error) {
            System.err.println(error.getMessage());
            System.exit(2);
        }
    }
}
