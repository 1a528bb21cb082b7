<?php
/** A shop that sells in installments, with plain PHP: `php -S HOST:PORT shop.php`, `php shop.php orders`, `php shop.php settle`, `php shop.php refund ORDER`. */

declare(strict_types=1);

const TIMEOUT_S = 5;
const MINUTE_S = 60;
/** An escape of JSON that is one half of a pair, and has no other half. Escaped backslashes and whole pairs are skipped. */
const HALF_EMOJI = '/(?:\\\\ud[89ab]\w\w\\\\ud[c-f]\w\w|\\\\[^u])(*SKIP)(*F)|\\\\ud[89a-f]\w\w/i';

function env(string $name, ?string $else = null): string {
    $value = getenv($name);
    return $value !== false ? $value : $else ?? throw new RuntimeException("$name is not set");
}

/**
 * Reads the shop's state, lets `$change` change it, and stores it on the disk before it returns. Only one process at a time may do this.
 * The state is `orders` by id, `shipments` by order and `events` by eventId.
 */
function state(callable $change): mixed {
    // `sandbox torture` gives each run of the shop a folder of its own.
    $file = env('SHOP_DATA', env('BNPL_RUN_DIR', '.') . '/shop.json');
    $lock = fopen("$file.lock", 'c') ?: throw new RuntimeException("$file.lock cannot be opened");
    flock($lock, LOCK_EX) ?: throw new RuntimeException("$file.lock cannot be locked");
    $text = is_file($file) ? file_get_contents($file) : '{"orders":{},"shipments":{},"events":{}}';
    $state = $before = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    $result = $change($state);
    if ($state !== $before) {
        $new = fopen("$file.new", 'w');
        $kept = $new && fwrite($new, json_encode($state, JSON_THROW_ON_ERROR)) && fsync($new) && fclose($new);
        ($kept && rename("$file.new", $file)) ?: throw new RuntimeException("$file cannot be written");
    }
    fclose($lock);
    return $result;
}

/** Returns an order with its id; null if the id is unknown. */
function order(string $id): ?array {
    return state(fn (array $state) => isset($state['orders'][$id]) ? ['id' => $id] + $state['orders'][$id] : null);
}

/** Changes a state only from the expected one. If two processes try the same change, only one succeeds. */
function move(string $id, string $before, string $after): bool {
    return state(function (array &$state) use ($id, $before, $after): bool {
        if ($state['orders'][$id]['state'] !== $before) return false;
        $state['orders'][$id]['state'] = $after;
        // The payment and the shipment are stored in one write.
        if ($before === 'open' && $after === 'paid') $state['shipments'][$id] = ($state['shipments'][$id] ?? 0) + 1;
        return true;
    });
}

/** Sends one call. Returns the status, `data` and the seconds to wait; [null, [], 0] when the outcome is unknown. */
function call(string $path, array $fields): array {
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ['Authorization: Bearer ' . env('BNPL_API_KEY'), 'Content-Type: application/x-www-form-urlencoded'],
        'content' => http_build_query($fields),
        'timeout' => TIMEOUT_S,
        'follow_location' => 0,
        'ignore_errors' => true,
    ]]);
    $text = @file_get_contents(env('BNPL_BASE_URL') . $path, false, $context);
    $head = implode("\n", $http_response_header ?? []);
    $status = preg_match('/^HTTP\/\S+ (\d+)/', $head, $found) ? (int) $found[1] : 0;
    if ($text !== false && $status >= 400 && $status < 500) {
        $wait = preg_match('/^retry-after: *(\d+)\s*$/mi', $head, $found) ? (int) $found[1] : 0;
        return [$status, [], min(TIMEOUT_S, $wait)];
    }
    $data = $text !== false && $status >= 200 && $status < 300 ? json_decode($text, true)['data'] ?? null : null;
    return is_array($data) ? [$status, $data, 0] : [null, [], 0];
}

/** Sends a call again if the service refused it for now (429). After an unknown outcome the call is not repeated. */
function callOnce(string $path, array $fields): array {
    for ($attempt = 1; ; $attempt++) {
        [$status, $data, $wait] = call($path, $fields);
        if ($status !== 429 || $attempt === 3) return [$status, $data];
        sleep($wait);
    }
}

/** Places an order: evaluates the customer and makes the address of the payment page. The RUT is not kept. */
function placeOrder(string $shopUrl, array $asked): array {
    $id = bin2hex(random_bytes(16));
    $amount = $asked['amount'];
    state(function (array &$state) use ($id, $amount): void {
        $state['orders'][$id] = ['amount' => $amount, 'state' => 'new'];
    });
    $drop = function () use ($id): array {
        // Nobody has a payment address of this order, so it can never be paid. The customer may place another order.
        move($id, 'new', 'dropped');
        return [502, ['error' => 'the payment cannot be prepared now; please try again']];
    };
    $common = ['externalTrxId' => $id, 'amount' => $amount, 'entityId' => env('BNPL_ENTITY_ID')];
    [$status, $evaluated] = callOnce('/partner/pre-loan-request/bnpl', $common + ['idNumber' => $asked['rut']]);
    if ($status === 422) {
        move($id, 'new', 'refused');
        return [422, ['error' => 'paying in installments is not offered for this purchase']];
    }
    if (!is_array($evaluated['installmentOptions'] ?? null)) return $drop();
    [, $widget] = callOnce('/partner/widget/start', $common + ['email' => $asked['email']]);
    $token = $widget['widgetToken'] ?? null;
    // A service that does not say `accepted` accepts a session by its token.
    if (($widget['accepted'] ?? null) === false || !is_string($token)) return $drop();
    $back = "$shopUrl/return/$id";
    $return = ['successReturnUrl' => $back, 'errorReturnUrl' => $back];
    $query = http_build_query(['widgetToken' => $token, 'publicKey' => env('BNPL_PUBLIC_KEY')] + $return);
    // From here on the customer may pay the order, and `settle` verifies it.
    if (!move($id, 'new', 'open')) return $drop();
    return [201, ['id' => $id, 'payUrl' => env('BNPL_PAYMENT_URL') . "/?$query"]];
}

/** Asks about the loan of an order until it has one of these states. Returns its state, "none" without a loan, null without a matching answer. */
function verify(array $order, string ...$states): ?string {
    $is = null;
    // A verification changes nothing at the service, so it may be repeated.
    for ($attempt = 1; $attempt <= 3; $attempt++) {
        [$status, $loan, $wait] = call('/partner/pre-approve/' . rawurlencode($order['id']) . '/loan', []);
        if ($status === 404) return 'none';
        $about = [$loan['externalTrxId'] ?? null, $loan['loanAmount'] ?? null];
        if ($about === [$order['id'], $order['amount']]) $is = $loan['state'] ?? null;
        if (in_array($is, $states, true)) return $is;
        usleep($wait * 1_000_000 ?: 100_000 * $attempt);
    }
    error_log("order {$order['id']}: its loan is " . ($is ?? 'not known') . ', not ' . implode(' or ', $states) . '; settle asks again');
    return $is;
}

/** Ships an order if the service says that it is paid; a return or an event decides nothing. Returns whether the service answered. */
function check(array $order): bool {
    if ($order['state'] === 'refunding') return verify($order, 'CANCELLED') === 'CANCELLED' && noteRefund($order['id']);
    if ($order['state'] !== 'open') return true;
    $state = verify($order, 'ACTIVE');
    if ($state === 'ACTIVE') move($order['id'], 'open', 'paid');
    return in_array($state, ['ACTIVE', 'none'], true);
}

/** Cancels the loan of a paid order, for an operator. Goods that were shipped stay shipped. Returns whether the order is refunded. */
function refund(array $order): bool {
    ['id' => $id, 'state' => $state] = $order;
    if ($state === 'refunded') return true;
    if (!in_array($state, ['paid', 'refunding'], true)) throw new RuntimeException("order $id is not paid");
    // The loan may be cancelled already, for example by a refund whose answer was lost.
    $before = verify($order, 'ACTIVE', 'PAID', 'CANCELLED');
    if ($before === 'CANCELLED') return noteRefund($id);
    if ($before !== 'ACTIVE' && $before !== 'PAID') return false;
    // It is on the disk before the call is sent that a loan may be cancelled.
    if (!beginRefund($id)) throw new RuntimeException("the refund of order $id began less than a minute ago; run settle, and try again later");
    [$status] = callOnce('/partner/pre-approve/' . rawurlencode($id) . '/loan/cancel', []);
    error_log("order $id: the cancellation was answered " . ($status ?? 'unclearly'));
    $after = verify($order, 'CANCELLED');
    if ($after === 'CANCELLED') return noteRefund($id);
    // After an unclear answer the order stays in its state, because the service may still be cancelling the loan.
    if ($after === $before && $status >= 400) move($id, 'refunding', 'paid');
    return false;
}

/** Allows one cancellation to be sent. If its answer was lost, another one is allowed after a minute. */
function beginRefund(string $id): bool {
    return state(function (array &$state) use ($id): bool {
        ['state' => $is, 'cancelSentAt' => $sentAt] = $state['orders'][$id] + ['cancelSentAt' => 0];
        if ($is !== 'paid' && ($is !== 'refunding' || $sentAt > time() - MINUTE_S)) return false;
        $state['orders'][$id] = ['state' => 'refunding', 'cancelSentAt' => time()] + $state['orders'][$id];
        return true;
    });
}

/** Marks an order as refunded, after a verification has shown that its loan is cancelled. */
function noteRefund(string $id): bool {
    return move($id, 'paid', 'refunded') || move($id, 'refunding', 'refunded') || order($id)['state'] === 'refunded';
}

/** Sends the answer at once, so that the caller does not wait for the rest of the work. */
function answer(int $status, array $body = []): void {
    $text = json_encode((object) $body);
    http_response_code($status);
    header('Content-Type: application/json');
    header('Content-Length: ' . strlen($text));
    echo $text;
    function_exists('fastcgi_finish_request') ? fastcgi_finish_request() : flush();
}

/** Whether a delivery is genuine. The signature is a digest of the raw body, or `t=…,signature=…`: one of the time, a dot and the body. */
function isSigned(string $body): bool {
    $sent = $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? $_SERVER['HTTP_BANCAME_SIGNATURE'] ?? '';
    $isTimed = preg_match('/^t=(\d+),signature=(\w+)$/D', $sent, $timed) === 1;
    $right = hash_hmac('sha256', $isTimed ? "$timed[1].$body" : $body, env('BNPL_WEBHOOK_SECRET'));
    return hash_equals($right, strtolower($isTimed ? $timed[2] : $sent));
}

/** Receives a delivery: verifies its raw bytes, notes its eventId, answers at once, and verifies the order afterwards. */
function receive(string $body): void {
    if (!isSigned($body)) { answer(401); return; }
    // json_decode refuses half of an emoji such as \ud83d, so it is replaced. The signature was verified before.
    $event = json_decode(preg_replace(HALF_EMOJI, '\ufffd', $body), true);
    $eventId = $event['eventId'] ?? null;
    if (!is_string($eventId)) { answer(400); return; }
    $isNew = state(function (array &$state) use ($eventId): bool {
        $isNew = !isset($state['events'][$eventId]);
        $state['events'][$eventId] = true;
        return $isNew;
    });
    answer(200);
    $trx = $event['data']['externalTrxId'] ?? null;
    $order = $isNew && is_string($trx) ? order($trx) : null;
    if ($order) check($order);
}

function handle(string $method, string $path, string $body): void {
    [, $page, $id] = explode('/', "$path//");
    if ("$method /$page" === 'POST /webhooks') { receive($body); return; }
    if ("$method /$page" === 'POST /orders') {
        $asked = json_decode($body, true);
        $isOrder = is_string($asked['rut'] ?? null) && is_int($asked['amount'] ?? null) && is_string($asked['email'] ?? null);
        answer(...($isOrder ? placeOrder(env('SHOP_URL', "http://{$_SERVER['HTTP_HOST']}"), $asked) : [400]));
        return;
    }
    $order = $method === 'GET' && in_array($page, ['orders', 'return'], true) ? order($id) : null;
    if (!$order) { answer(404); return; }
    if ($page === 'return') check($order);
    $state = order($id)['state'];
    answer(200, ['id' => $id, 'paid' => $state === 'paid', 'refunded' => $state === 'refunded']);
}

/** Verifies every order that may be paid, or whose refund was not completed. Returns whether each of them is settled. */
function settle(): bool {
    $open = [];
    foreach (array_keys(state(fn (array $state) => $state['orders'])) as $id) {
        // An evaluation whose outcome is unknown cannot be looked up, and nobody can pay its order.
        move((string) $id, 'new', 'dropped');
        $open[] = check(order((string) $id));
    }
    return !in_array(false, $open, true);
}

function printOrders(): void {
    $state = state(fn (array $state) => $state);
    foreach ($state['orders'] as $id => ['state' => $is]) {
        // An order is paid until its loan is known to be cancelled.
        $row = ['externalTrxId' => (string) $id, 'paid' => in_array($is, ['paid', 'refunding'], true)];
        echo json_encode($row + ['fulfilled' => $state['shipments'][$id] ?? 0, 'refunded' => $is === 'refunded']), "\n";
    }
}

if (PHP_SAPI !== 'cli') {
    handle($_SERVER['REQUEST_METHOD'], parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) ?: '/', file_get_contents('php://input'));
} else {
    match ($argv[1] ?? '') {
        'orders' => printOrders(),
        'settle' => exit(settle() ? 0 : 1),
        'refund' => exit(refund(order($argv[2] ?? '') ?? throw new RuntimeException('there is no such order')) ? 0 : 1),
    };
}
