<?php
// Writes a signed pay link. PHP 7.4 or newer, no packages.
// region

// To print a link, add this at the end and run: php sign.php
// echo payUrl('https://pay.example.me', 'YOUR_PROJECT_ID', '1500', 'Espresso', 'order-7', '',
//     getenv('PAZAR_SECRET')), "\n";

/** $amount: in cents. $data: your own text. $customId, $exp (Unix seconds): empty when the link has none. */
function payUrl(
    string $baseUrl,
    string $projectId,
    string $amount,
    string $data,
    string $customId,
    string $exp,
    string $secret
): string {
    $mode = strncmp($secret, 'sk_test_', 8) === 0 ? 'test' : 'live';
    // The length prefix keeps each value separate from the next one.
    $netstring = fn (?string $value) => $value === null ? '-,' : strlen($value) . ":$value,";
    $parts = ['paylink.v1', $mode, $projectId, $amount, $data];
    $parts[] = $customId === '' ? null : $customId;
    $parts[] = $exp === '' ? null : $exp;
    $mac = hash_hmac('sha256', implode('', array_map($netstring, $parts)), $secret, true);

    $query = ['amount' => $amount, 'project' => $projectId, 'data' => $data, 'customId' => $customId];
    $query += ['mode' => $mode === 'test' ? 'test' : '', 'exp' => $exp];
    $query['sig'] = rtrim(strtr(base64_encode($mac), '+/', '-_'), '=');
    // Every link has data, even if it is empty.
    $isGiven = fn (string $value, string $name) => $value !== '' || $name === 'data';
    $given = array_filter($query, $isGiven, ARRAY_FILTER_USE_BOTH);
    return "$baseUrl/pay?" . http_build_query($given, '', '&', PHP_QUERY_RFC3986);
}
// endregion

// php sign.php baseUrl projectId amount data [customId] [exp], with PAZAR_SECRET in the environment.
[, $baseUrl, $projectId, $amount, $data, $customId, $exp] = $argv + [5 => '', 6 => ''];
echo payUrl($baseUrl, $projectId, $amount, $data, $customId, $exp, getenv('PAZAR_SECRET')), "\n";
