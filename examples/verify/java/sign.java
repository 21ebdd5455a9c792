// Writes a signed pay link. Java 11 or newer, no libraries.
// region
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class PazarLink {
    /** Prints a link: java sign.java */
    public static void main(String[] args) throws GeneralSecurityException {
        System.out.println(payUrl("https://pay.example.me", "YOUR_PROJECT_ID", "1500", "Espresso", "order-7",
                "", System.getenv("PAZAR_SECRET")));
    }

    /** amount: in cents. data: your own text. customId, exp (Unix seconds): empty when the link has none. */
    static String payUrl(String baseUrl, String projectId, String amount, String data, String customId,
            String exp, String secret) throws GeneralSecurityException {
        String mode = secret.startsWith("sk_test_") ? "test" : "live";
        String message = netstring("paylink.v1") + netstring(mode) + netstring(projectId) + netstring(amount)
                + netstring(data) + (customId.isEmpty() ? "-," : netstring(customId))
                + (exp.isEmpty() ? "-," : netstring(exp));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        byte[] sig = mac.doFinal(message.getBytes(UTF_8));
        // Every link has data, even if it is empty.
        return baseUrl + "/pay?amount=" + encode(amount) + "&project=" + encode(projectId)
                + "&data=" + encode(data)
                + (customId.isEmpty() ? "" : "&customId=" + encode(customId))
                + (mode.equals("test") ? "&mode=test" : "")
                + (exp.isEmpty() ? "" : "&exp=" + encode(exp))
                + "&sig=" + Base64.getUrlEncoder().withoutPadding().encodeToString(sig);
    }

    /** The length prefix keeps each value separate from the next one. */
    private static String netstring(String value) {
        return value.getBytes(UTF_8).length + ":" + value + ",";
    }

    /** Java encodes a space as "+". Links of Pazar have "%20". */
    private static String encode(String value) {
        return URLEncoder.encode(value, UTF_8).replace("+", "%20");
    }
}
// endregion

// javac -d out sign.java && java -cp out Sign baseUrl projectId amount data [customId] [exp], with
// PAZAR_SECRET in the environment.
class Sign {
    public static void main(String[] args) throws Exception {
        String customId = args.length > 4 ? args[4] : "";
        String exp = args.length > 5 ? args[5] : "";
        String secret = System.getenv("PAZAR_SECRET");
        System.out.println(PazarLink.payUrl(args[0], args[1], args[2], args[3], customId, exp, secret));
    }
}
