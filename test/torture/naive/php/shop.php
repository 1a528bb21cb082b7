<?php
// A shop that sells in installments, as a hurried tutorial for PHP writes it: php -S HOST:PORT shop.php, php shop.php orders|settle

const PRICE = 250000;

$db = new PDO('sqlite:' . (getenv('SHOP_DATA') ?: 'shop.db'));
$db->exec('create table if not exists orders (id text, amount int, status text)');
$db->exec('create table if not exists shipments (order_id text)');

function query(string $sql, ...$values): array {
    global $db;
    $statement = $db->prepare($sql);
    $statement->execute($values);
    return $statement->fetchAll(PDO::FETCH_ASSOC);
}

function call(string $path, array $fields = []): array {
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ['Authorization: Bearer ' . getenv('BNPL_API_KEY'), 'Content-Type: application/x-www-form-urlencoded'],
        'content' => http_build_query($fields),
    ]]);
    $text = file_get_contents(getenv('BNPL_BASE_URL') . $path, false, $context);
    return json_decode($text, true)['data'] ?? [];
}

function pay(string $id): void {
    query("update orders set status = 'paid' where id = ?", $id);
    query('insert into shipments values (?)', $id);
}

function checkout(): void {
    $id = uniqid('order-');
    error_log("order $id of {$_POST['rut']}, {$_POST['email']}");
    query("insert into orders values (?, ?, 'pending')", $id, PRICE);
    $payment = ['externalTrxId' => $id, 'amount' => PRICE, 'entityId' => getenv('BNPL_ENTITY_ID')];
    call('/partner/pre-loan-request/bnpl', $payment + ['idNumber' => $_POST['rut']]);
    $widget = call('/partner/widget/start', $payment + ['email' => $_POST['email']]);
    $shop = "http://{$_SERVER['HTTP_HOST']}";
    $query = http_build_query([
        'widgetToken' => $widget['widgetToken'],
        'publicKey' => getenv('BNPL_PUBLIC_KEY'),
        'successReturnUrl' => "$shop/success",
        'errorReturnUrl' => "$shop/error",
    ]);
    header('Location: ' . getenv('BNPL_PAYMENT_URL') . "/?$query");
}

function success(): void {
    $id = $_GET['externalTrxId'];
    $loan = call("/partner/pre-approve/$id/loan");
    if ($loan) pay($id);
    else query("update orders set status = 'failed' where id = ?", $id);
    echo $loan ? 'Thank you for your order!' : 'The payment failed.';
}

function failed(): void {
    query("update orders set status = 'failed' where id = ?", $_GET['externalTrxId']);
    echo 'The payment failed.';
}

function webhook(): void {
    $body = file_get_contents('php://input');
    $signature = $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? null;
    if ($signature && $signature != hash_hmac('sha256', $body, getenv('BNPL_WEBHOOK_SECRET'))) {
        http_response_code(401);
        return;
    }
    pay(json_decode($body, true)['data']['externalTrxId']);
}

function settle(): void {
    foreach (query("select id from orders where status = 'pending'") as ['id' => $id]) {
        $loan = call("/partner/pre-approve/$id/loan");
        if ($loan) pay($id);
        else query("update orders set status = 'failed' where id = ?", $id);
    }
}

function printOrders(): void {
    foreach (query('select id, status, (select count(*) from shipments where order_id = id) as shipped from orders') as $order)
        echo json_encode(['externalTrxId' => $order['id'], 'paid' => $order['status'] === 'paid', 'fulfilled' => $order['shipped']]), "\n";
}

if (PHP_SAPI === 'cli') {
    if ($argv[1] === 'orders') printOrders();
    if ($argv[1] === 'settle') settle();
    exit;
}
match (strtok($_SERVER['REQUEST_URI'], '?')) {
    '/' => print '<form method="post" action="/checkout"><input name="rut"><input name="email"><button>Buy</button></form>',
    '/checkout' => checkout(),
    '/success' => success(),
    '/error' => failed(),
    '/webhooks' => webhook(),
};
