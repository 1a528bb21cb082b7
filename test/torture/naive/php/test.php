<?php
// The customer buys: bnpl sandbox run --customer -- php test.php

function post(string $url, string $body, array $headers): string|false {
    $http = ['method' => 'POST', 'content' => $body, 'header' => $headers, 'follow_location' => 0];
    $text = file_get_contents($url, false, stream_context_create(['http' => $http]));
    $GLOBALS['head'] = implode("\n", $http_response_header ?? []);
    return $text;
}

// The customer reloads the page while there is no answer.
function patiently(callable $ask): string {
    for ($attempt = 1; ; $attempt++) {
        $text = $ask();
        if (is_string($text) || $attempt === 20) return (string) $text;
        usleep(100000);
    }
}

// The shop that runs at SHOP_URL, or one that this test starts.
$shop = getenv('SHOP_URL');
if (!$shop) {
    $free = stream_socket_server('tcp://127.0.0.1:0');
    $address = stream_socket_get_name($free, false);
    fclose($free);
    $server = proc_open([PHP_BINARY, '-S', $address, 'shop.php'], [], $pipes);
    while (!@fsockopen("tcp://$address")) usleep(50000);
    $shop = "http://$address";
}

post(getenv('BNPL_BASE_URL') . '/partner/webhook', json_encode(['url' => "$shop/webhooks"]), [
    'Authorization: Bearer ' . getenv('BNPL_API_KEY'),
    'Content-Type: application/json',
]);
$form = http_build_query(['rut' => '11222333-9', 'email' => 'ana@example.com']);
$page = patiently(fn () => post("$shop/checkout", $form, ['Content-Type: application/x-www-form-urlencoded']));
if (preg_match('/^Location: *(\S+)/mi', $head, $found)) $page = patiently(fn () => file_get_contents($found[1]));
if (isset($server)) proc_terminate($server);
if (!str_contains($page, 'Thank you')) {
    echo $page;
    exit(1);
}
