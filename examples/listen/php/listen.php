<?php
// Forwards every test callback of a project to a server on this machine, byte for byte. PHP 7.4 or newer.
// php listen.php http://localhost:4000, with PAZAR_BASE_URL, PAZAR_PROJECT_ID and PAZAR_TOKEN set.
function forward(string $shop, array $callback): void
{
    $started = microtime(true);
    $lines = [];
    foreach ($callback['headers'] as $name => $value) $lines[] = "$name: $value";
    $request = ['method' => 'POST', 'header' => $lines, 'content' => $callback['body'], 'timeout' => 15];
    $request += ['ignore_errors' => true, 'follow_location' => 0];
    $answer = @fopen($shop, 'r', false, stream_context_create(['http' => $request]));
    $status = status_of($answer) ?: null;
    echo $callback['id'], ' ', $status ?? 'no answer from your shop', "\n";
    report($callback['id'], $status, (int) ((microtime(true) - $started) * 1000));
}

// Lets the callback log show how your server responded. A read-only token may not do this.
function report(string $id, ?int $status, int $durationMs): void
{
    global $events, $headers;
    $body = json_encode(['callbackId' => $id, 'statusCode' => $status, 'durationMs' => $durationMs]);
    $request = ['method' => 'POST', 'content' => $body, 'timeout' => 15];
    $request += ['header' => [$headers[0], 'content-type: application/json']];
    @file_get_contents("$events/report", false, stream_context_create(['http' => $request]));
}

function status_of($answer): int
{
    return $answer ? (int) explode(' ', stream_get_meta_data($answer)['wrapper_data'][0])[1] : 0;
}

// Only ASCII may be sent in a URL.
$shop = preg_replace_callback('/[^!-~]/', fn($byte) => rawurlencode($byte[0]), $argv[1]);
$base = rtrim(getenv('PAZAR_BASE_URL'), '/');
$events = $base . '/portal/api/projects/' . getenv('PAZAR_PROJECT_ID') . '/events';
$headers = ['authorization: Bearer ' . getenv('PAZAR_TOKEN'), 'connection: close'];
while (true) {
    // With HTTP/1.0 each line can be read as soon as it arrives.
    $ask = ['protocol_version' => 1.0, 'header' => $headers, 'timeout' => 45, 'ignore_errors' => true];
    $stream = @fopen($events, 'r', false, stream_context_create(['http' => $ask]));
    $status = status_of($stream);
    // A wrong token or an unknown project. After a 429 (too many open streams) the loop tries again.
    if ($status >= 400 && $status < 500 && $status !== 429) exit(stream_get_contents($stream) . "\n");
    echo $status === 200 ? "Listening.\n" : "Connecting again.\n";
    $id = '';
    while ($status === 200 && ($line = fgets($stream)) !== false) {
        [$name, $value] = explode(': ', rtrim($line, "\n"), 2) + [1 => ''];
        if ($name === 'id') $id = $value;
        // The event is complete, so a reconnect continues after it.
        if ($line === "\n" && $id !== '') $headers[2] = "last-event-id: $id";
        $callback = $name === 'data' ? json_decode($value, true) : [];
        if (isset($callback['body'])) forward($shop, $callback); // Live callbacks have no body.
    }
    sleep(2);
}
