<?php
// Refunds a payment and reads the list of events. PHP 7.4 or newer, no packages.
// region

// refund('https://pay.example.me', 'YOUR_PROJECT_ID', $transactionId, '500', 'return-12', $token)

/**
 * Refunds this amount, in cents. An empty amount refunds the rest. Calls with the same key refund
 * only once. After an error or a timeout, repeat the call with the same key and the same amount.
 */
function refund(
    string $baseUrl,
    string $projectId,
    string $transactionId,
    string $amount,
    string $key,
    string $token
): array {
    $what = ['projectId' => $projectId, 'transactionId' => $transactionId, 'idempotencyKey' => $key];
    if ($amount !== '') {
        $what['amount'] = $amount;
    }
    return post("$baseUrl/sdk/transaction/refund", $what, $token)['refund']; // id, state and more
}

/**
 * Returns what changed after this cursor; null returns everything. Store 'next' in the same transaction
 * as your changes for these events, and send it as after in the next call. Call again while 'hasMore' is
 * true.
 */
function readEvents(string $baseUrl, string $projectId, ?string $after, string $token): array
{
    $what = ['projectId' => $projectId] + ($after === null ? [] : ['after' => $after]);
    return post("$baseUrl/sdk/events/list", $what, $token);
}

function post(string $url, array $body, string $token): array
{
    $answer = file_get_contents($url, false, stream_context_create(['http' => [
        'method' => 'POST',
        'header' => "content-type: application/json\r\nauthorization: Bearer $token",
        'content' => json_encode($body),
        'timeout' => 30,
        'ignore_errors' => true, // The body of an error has its code.
    ]]));
    $answered = json_decode((string) $answer, true);
    if (!isset($answered['refund']) && !isset($answered['items'])) { // For example refund_exceeds.
        throw new RuntimeException('Pazar returned ' . ($answered['status'] ?? 'no response')
            . ' ' . ($answered['code'] ?? ''));
    }
    return $answered;
}
// endregion

// php refund.php baseUrl projectId [transactionId amount key], with PAZAR_TOKEN in the environment. Without a
// transaction it prints the types of all events.
$token = getenv('PAZAR_TOKEN');
try {
    if ($argc > 3) {
        $refund = refund($argv[1], $argv[2], $argv[3], $argv[4], $argv[5], $token);
        echo $refund['id'], ' ', $refund['state'], "\n";
        exit;
    }
    $after = null;
    do {
        $page = readEvents($argv[1], $argv[2], $after, $token);
        foreach ($page['items'] as $event) {
            echo $event['type'], "\n";
        }
        $after = $page['next'];
    } while ($page['hasMore']);
} catch (RuntimeException $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(2);
}
