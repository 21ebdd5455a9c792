// Verifies a callback of Pazar, or reports why it is refused. Java 11 or newer, no libraries.
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

// region
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class PazarCallback {
    /** Respond with 400 and do nothing else; the message is the reason. */
    static class Refused extends Exception {
        Refused(String reason) {
            super(reason);
        }
    }

    private final String json;

    private PazarCallback(String json) {
        this.json = json;
    }

    /**
     * event, transactionId, amount, currency, mode; customId and data if the payment had them, else null.
     * payment.result also has status; if status is "fail", also failureCode. refund.result: refundId,
     * refundStatus, refundedTotal. dispute.opened and dispute.closed: disputeId, disputeStatus.
     */
    String get(String name) {
        return field(json, name);
    }

    /**
     * rawBody: the bytes as received. JSON that was parsed and rewritten has another signature.
     * header: request::getHeader.
     * secrets: the current secret, and during a rotation the next one too.
     * priceOf: the price of this order in your records, in cents as digits; null for an order you do not
     * know. A signature does not prove that enough was paid. Only called for payments.
     */
    static PazarCallback verify(byte[] rawBody, UnaryOperator<String> header, List<String> secrets,
            Function<PazarCallback, String> priceOf, Instant now) throws Refused, GeneralSecurityException {
        // Anybody can sign with an empty key.
        if (secrets.isEmpty() || secrets.stream().anyMatch(key -> key.length() < 32)) {
            throw new Refused("no_secret");
        }
        String timestamp = Objects.toString(header.apply("webhook-timestamp"));
        String signatures = Objects.toString(header.apply("webhook-signature"));

        String secret = null;
        for (String key : secrets) {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(UTF_8), "HmacSHA256"));
            mac.update((header.apply("webhook-id") + "." + timestamp + ".").getBytes(UTF_8));
            String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(rawBody));
            for (String one : signatures.split(" ")) {
                if (MessageDigest.isEqual(one.getBytes(UTF_8), expected.getBytes(UTF_8))) secret = key;
            }
        }
        if (secret == null || !timestamp.matches("\\d{1,12}")) throw new Refused("bad_signature");
        Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now).abs();
        if (age.getSeconds() > 300) throw new Refused("expired"); // A replayed old request.

        PazarCallback callback = new PazarCallback(new String(rawBody, UTF_8));
        if (callback.get("event") == null) throw new Refused("malformed");
        String mode = secret.startsWith("sk_test_") ? "test" : "live";
        if (!mode.equals(callback.get("mode"))) throw new Refused("wrong_mode");
        boolean isPayment = callback.get("event").equals("payment.result");
        String amount = callback.get("amount");
        if (isPayment && (amount == null || !amount.equals(priceOf.apply(callback)))) {
            throw new Refused("amount_mismatch");
        }
        return callback;
    }

    /**
     * A callback may repeat, so save its webhook-id under a unique key together with the new state; if it is
     * already stored, respond 200 and do nothing else.
     * On a "fail" with failureCode resolved_unpaid about a paid order: stop the shipment, check the order.
     */
    String stateAfter(String state) {
        switch (get("event")) {
            case "payment.result": // Paid stays paid: a late "fail" is about an earlier attempt.
                return state.equals("paid") || "success".equals(get("status")) ? "paid" : "failed";
            case "refund.result": // Save refundId, refundStatus and refundedTotal. It is not a payment.
            case "dispute.opened": // Save disputeId and disputeStatus; you can respond until respondBy.
            case "dispute.closed":
            default: // An event that you do not know: respond 200 and ignore it.
                return state;
        }
    }

    /** One string of Pazar's flat JSON, which has no spaces; if you have Jackson or Gson, use that. */
    static String field(String json, String name) {
        int at = json.indexOf("\"" + name + "\":\"");
        if (at < 0) return null;
        StringBuilder text = new StringBuilder();
        for (at += name.length() + 4; json.charAt(at) != '"'; at++) {
            char one = json.charAt(at);
            if (one == '\\') {
                one = json.charAt(++at);
                int control = "bfnrt".indexOf(one);
                if (control >= 0) one = "\b\f\n\r\t".charAt(control);
                if (one == 'u') {
                    one = (char) Integer.parseInt(json.substring(at + 1, at + 5), 16);
                    at += 4;
                }
            }
            text.append(one);
        }
        return text.toString();
    }
}
// endregion

// javac -d out verify.java && java -cp out Verify [file]: reads {headers, body, secret, expectedAmount, now?,
// orderState?}, from the file or stdin.
class Verify {
    public static void main(String[] args) throws Exception {
        byte[] input = args.length > 0 ? Files.readAllBytes(Path.of(args[0])) : System.in.readAllBytes();
        String given = new String(input, UTF_8);
        Matcher now = Pattern.compile("\"now\":(\\d+)").matcher(given);
        try {
            PazarCallback callback = PazarCallback.verify(
                    PazarCallback.field(given, "body").getBytes(UTF_8),
                    name -> PazarCallback.field(given, name),
                    List.of(PazarCallback.field(given, "secret").split(" ")),
                    order -> PazarCallback.field(given, "expectedAmount"),
                    now.find() ? Instant.ofEpochSecond(Long.parseLong(now.group(1))) : Instant.now());
            System.out.println("ok " + callback.get("transactionId"));
            String state = PazarCallback.field(given, "orderState");
            if (state != null) System.out.println("order " + callback.stateAfter(state));
        } catch (PazarCallback.Refused refused) {
            System.out.println("refused " + refused.getMessage());
            System.exit(1);
        }
    }
}
