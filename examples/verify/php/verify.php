<?php
// Verifies a callback of Pazar, or reports why it is refused. PHP 7.4 or newer, no packages.
// region

/** Respond with 400 and do nothing else; the message is the reason. */
class Refused extends Exception
{
}

/**
 * The callback as an array, once it is certain that Pazar sent it just now.
 *
 * $rawBody: file_get_contents('php://input'). JSON that was parsed and rewritten has another signature.
 * $headers: array_change_key_case(getallheaders()), so that names are in lower case.
 * $secrets: the current secret, and during a rotation the next one too.
 * $priceOf: gets the callback and returns the price of this order in your records, in cents, as a number or
 *           a string; null for an unknown order. A signature does not prove that enough was paid. Only
 *           called for payments.
 */
function verifyCallback(
    string $rawBody,
    array $headers,
    array $secrets,
    callable $priceOf,
    ?int $now = null
): array {
    if (!$secrets || min(array_map('strlen', $secrets)) < 32) { // Anybody can sign with an empty key.
        throw new Refused('no_secret');
    }
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    $signatures = explode(' ', $headers['webhook-signature'] ?? '');

    $secret = null;
    foreach ($secrets as $key) {
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true));
        foreach ($signatures as $one) {
            $secret = hash_equals($expected, $one) ? $key : $secret;
        }
    }
    if ($secret === null || !ctype_digit($timestamp)) {
        throw new Refused('bad_signature');
    }
    if (abs(($now ?? time()) - (int) $timestamp) > 300) { // A replayed old request.
        throw new Refused('expired');
    }

    $callback = json_decode($rawBody, true);
    if (!is_array($callback) || !is_string($callback['event'] ?? null)) {
        throw new Refused('malformed');
    }
    if (($callback['mode'] ?? null) !== (strncmp($secret, 'sk_test_', 8) === 0 ? 'test' : 'live')) {
        throw new Refused('wrong_mode');
    }
    $isPayment = $callback['event'] === 'payment.result';
    if ($isPayment && ($callback['amount'] ?? null) !== (string) $priceOf($callback)) {
        throw new Refused('amount_mismatch');
    }
    return $callback;
}

/**
 * A callback may repeat, so save its webhook-id under a unique key together with the new state; if it is
 * already stored, respond 200 and do nothing else.
 * On a "fail" with failureCode resolved_unpaid about a paid order: stop the shipment, check the order.
 */
function stateAfter(string $state, array $callback): string
{
    switch ($callback['event']) {
        case 'payment.result': // Paid stays paid: a late "fail" is about an earlier attempt.
            return $state === 'paid' || $callback['status'] === 'success' ? 'paid' : 'failed';
        case 'refund.result': // Save refundId, refundStatus and refundedTotal. It is not a payment.
        case 'dispute.opened': // Save disputeId and disputeStatus; you can respond until respondBy.
        case 'dispute.closed':
        default: // An event that you do not know: respond 200 and ignore it.
            return $state;
    }
}
// endregion

// php verify.php [file]: reads {headers, body, secret, expectedAmount, now?, orderState?}, from the file or stdin.
$given = json_decode(file_get_contents($argv[1] ?? 'php://stdin'), true);
['headers' => $headers, 'body' => $body, 'secret' => $secret, 'expectedAmount' => $expected] = $given;
try {
    $secrets = explode(' ', $secret);
    $callback = verifyCallback($body, $headers, $secrets, fn () => $expected, $given['now'] ?? null);
} catch (Refused $reason) {
    echo 'refused ', $reason->getMessage(), "\n";
    exit(1);
}
echo 'ok ', $callback['transactionId'], "\n";
if (isset($given['orderState'])) {
    echo 'order ', stateAfter($given['orderState'], $callback), "\n";
}
