<?php
// The customer buys: bnpl sandbox run --customer -- php test.php

$free = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($free, false);
fclose($free);
$server = proc_open([PHP_BINARY, '-S', $address, 'shop.php'], [], $pipes);
while (!@fsockopen("tcp://$address")) usleep(50000);

function post(string $url, string $body, array $headers): string {
    return file_get_contents($url, false, stream_context_create(['http' => ['method' => 'POST', 'content' => $body, 'header' => $headers]]));
}

post(getenv('BNPL_BASE_URL') . '/partner/webhook', json_encode(['url' => "http://$address/webhooks"]), [
    'Authorization: Bearer ' . getenv('BNPL_API_KEY'),
    'Content-Type: application/json',
]);
$form = http_build_query(['rut' => '11222333-9', 'email' => 'ana@example.com']);
$page = post("http://$address/checkout", $form, ['Content-Type: application/x-www-form-urlencoded']);
proc_terminate($server);
if (!str_contains($page, 'Thank you')) {
    echo $page;
    exit(1);
}
