<?php
/** The shop's own test: a customer buys. With `refund`, an operator then refunds the order. `bnpl sandbox run --customer -- php test.php refund` */

declare(strict_types=1);

/**
 * Sends a request. Returns the status and the parsed body; [0, null] if there is no answer within `$seconds`. Redirects are followed.
 */
function send(string $method, string $url, string $body = '', array $headers = [], int $seconds = 30): array {
    $context = ['method' => $method, 'content' => $body, 'header' => $headers, 'timeout' => $seconds, 'ignore_errors' => true];
    $text = @file_get_contents($url, false, stream_context_create(['http' => $context]));
    // After redirects there are several status lines, of which the last one counts.
    preg_match_all('/^HTTP\/\S+ (\d+)/m', implode("\n", $http_response_header ?? []), $found);
    return $text === false ? [0, null] : [(int) (end($found[1]) ?: 0), json_decode($text, true)];
}

/** Registers the address for deliveries. If the outcome of a registration is unknown, the list shows whether it was made. */
function register(string $url): void {
    $destinations = getenv('BNPL_BASE_URL') . '/partner/webhook';
    $headers = ['Authorization: Bearer ' . getenv('BNPL_API_KEY'), 'Content-Type: application/json'];
    for ($attempt = 1; $attempt <= 3; $attempt++) {
        [, $answer] = send('GET', $destinations, '', $headers, 3);
        if (!is_array($answer['data'] ?? null)) usleep(500_000 * $attempt);
        elseif (in_array($url, array_column($answer['data'], 'url'), true)) return;
        else send('POST', $destinations, json_encode(['url' => $url]), $headers, 3);
    }
}

/** Asks the shop as a customer does: repeats the request while there is no answer, because the shop is starting again. */
function ask(string $method, string $url, string $body = ''): array {
    for ($attempt = 1; ; $attempt++) {
        $answer = send($method, $url, $body);
        if ($answer[0] !== 0 || $attempt === 20) return $answer;
        usleep(100_000);
    }
}

/** Buys an order. Returns its id when it is paid. */
function buy(string $url): string {
    register("$url/webhooks");
    $order = json_encode(['rut' => '11222333-9', 'amount' => 250_000, 'email' => 'ana@example.com']);
    [$status, $placed] = ask('POST', "$url/orders", $order);
    // After a 502 the customer tries again.
    if ($status === 502) [$status, $placed] = send('POST', "$url/orders", $order);
    if ($status !== 201) throw new RuntimeException("the order was answered $status");
    // The payment page pays and redirects to the shop.
    ask('GET', $placed['payUrl']);
    for ($deadline = microtime(true) + 5; microtime(true) < $deadline;) {
        if (ask('GET', "$url/orders/{$placed['id']}")[1]['paid'] ?? false) return $placed['id'];
        usleep(50_000);
    }
    throw new RuntimeException("order {$placed['id']} is not paid");
}

/** Refunds an order as an operator does, who runs the command a second time. The second time changes nothing. */
function refund(string $url, string $id): void {
    foreach (['first', 'second'] as $time) {
        passthru(implode(' ', array_map('escapeshellarg', [PHP_BINARY, __DIR__ . '/shop.php', 'refund', $id])), $code);
        if ($code !== 0) throw new RuntimeException("the $time refund of order $id failed");
        $seen = ask('GET', "$url/orders/$id")[1];
        if ($seen !== ['id' => $id, 'paid' => false, 'refunded' => true]) throw new RuntimeException("order $id is not refunded");
    }
}

function run(string $url): void {
    global $argv;
    $id = buy($url);
    if (in_array('refund', $argv, true)) refund($url, $id);
}

/** Starts a shop for this test, and ends it when the work is done. */
function withShop(callable $work): void {
    $socket = stream_socket_server('tcp://127.0.0.1:0');
    $address = stream_socket_get_name($socket, false);
    fclose($socket);
    $quiet = [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']];
    $shop = proc_open([PHP_BINARY, '-S', $address, __DIR__ . '/shop.php'], $quiet, $pipes);
    try {
        while (!@fsockopen("tcp://$address")) usleep(20_000);
        $work("http://$address");
    } finally {
        proc_terminate($shop);
        proc_close($shop);
    }
}

// The shop that runs at SHOP_URL, or one that this test starts.
getenv('SHOP_URL') ? run(getenv('SHOP_URL')) : withShop(run(...));
