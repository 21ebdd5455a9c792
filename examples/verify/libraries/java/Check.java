// Verifies a callback with the official library. Usage: PAZAR_SECRET=… Check id timestamp signature < body
import static java.nio.charset.StandardCharsets.UTF_8;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.util.List;
import java.util.Map;

class Check {
    public static void main(String[] args) throws Exception {
        var headers = Map.of("webhook-id", List.of(args[0]), "webhook-timestamp", List.of(args[1]),
                "webhook-signature", List.of(args[2]));
        String body = new String(System.in.readAllBytes(), UTF_8);
        try {
            // Pass the secret as bytes. The library would decode a text from base64.
            new Webhook(System.getenv("PAZAR_SECRET").getBytes(UTF_8)).verify(body, headers);
            System.out.println("ok");
        } catch (WebhookVerificationException refused) {
            System.out.println("refused");
        }
    }
}
