<?php
// Checks with Pazar whether an order was paid. PHP 7.4 or newer, no packages.
// region

// To print true or false, add this at the end and run: php check.php
// var_export(isPaid('https://pay.example.me', 'YOUR_PROJECT_ID', 'order-7', '1500', getenv('PAZAR_SECRET')));

/** True if this order was paid with exactly this amount, in cents. An empty amount matches any amount. */
function isPaid(string $baseUrl, string $projectId, string $customId, string $amount, string $secret): bool
{
    $question = ['projectId' => $projectId, 'customId' => $customId];
    if ($amount !== '') {
        $question['amount'] = $amount;
    }
    $encode = fn (string $part) => rtrim(strtr(base64_encode($part), '+/', '-_'), '=');
    $signed = $encode('{"alg":"HS256","typ":"JWT"}') . '.' . $encode(json_encode($question));
    $question['hash'] = $signed . '.' . $encode(hash_hmac('sha256', $signed, $secret, true));

    $request = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => 'content-type: application/json',
        'content' => json_encode($question),
        'timeout' => 10, // In seconds. A payer may be waiting.
    ]]);
    $answer = @file_get_contents("$baseUrl/sdk/transaction/checkStatus", false, $request);
    if ($answer === false) { // No response, or an error status.
        throw new RuntimeException('The status check failed: ' . (error_get_last()['message'] ?? ''));
    }
    return json_decode($answer, true)['successful'];
}
// endregion

// php check.php baseUrl projectId customId [amount], with PAZAR_SECRET in the environment.
try {
    $paid = isPaid($argv[1], $argv[2], $argv[3], $argv[4] ?? '', getenv('PAZAR_SECRET'));
} catch (RuntimeException $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(2);
}
echo $paid ? "paid\n" : "not paid\n";
exit($paid ? 0 : 1);
