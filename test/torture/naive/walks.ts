// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the changes are pieces of source text

import type { InvariantName } from '../../../src/torture/invariants.ts'

/** A step of the author of a naive shop, who does what the torture advises, and nothing else. */
export interface Step {
  /** The cause that the torture reports before the step. */
  cause: string
  /** An invariant that the cause breaks. The step mends it. */
  breaks: InvariantName
  /** A run that finds it. */
  run: string
  /** Whether the run starts the server with `--restart`. */
  restarts?: true
  /** Texts of the shop or its test, and the texts that replace them. */
  changes: readonly (readonly [from: string, to: string])[]
}

const EXPRESS: readonly Step[] = [
  {
    cause: 'an event without a valid signature is accepted',
    breaks: 'accepted-forgery',
    run: 'forged@page.1',
    changes: [
      [
        'import { existsSync,',
        `import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync,`,
      ],
      [
        'app.use(express.json())',
        `app.use(
  express.json({
    verify: (req, _, raw) => {
      req.rawBody = raw
    },
  }),
)`,
      ],
      [
        'async function settle() {',
        `function isSigned(req) {
  const secret = process.env.BNPL_WEBHOOK_SECRET
  const sent = Buffer.from(req.get('service-signature') ?? '')
  if (!secret || !req.rawBody) return false
  const right = Buffer.from(createHmac('sha256', secret).update(req.rawBody).digest('hex'))
  return sent.length === right.length && timingSafeEqual(sent, right)
}

async function settle() {`,
      ],
      [
        `app.post('/webhooks', (req, res) => {`,
        `app.post('/webhooks', (req, res) => {
  if (!isSigned(req)) return res.sendStatus(401)`,
      ],
    ],
  },
  {
    cause: 'an order is paid because the customer came back, although no loan exists',
    breaks: 'paid-without-loan',
    run: 'opened-unpaid@page.1',
    changes: [
      [
        'const app = express()',
        `async function confirm(id) {
  const order = orders[id]
  const loan = await callBnpl(\`/partner/pre-approve/\${id}/loan\`, {})
  if (!loan) return false
  order.status = 'paid'
  ship(order)
  save()
  return true
}

const app = express()`,
      ],
      [
        `app.get('/success', (req, res) => {
  const order = orders[req.query.externalTrxId]
  order.status = 'paid'
  ship(order)
  save()
  res.send('Thank you for your order!')`,
        `app.get('/success', async (req, res) => {
  const isPaid = await confirm(req.query.externalTrxId)
  res.send(isPaid ? 'Thank you for your order!' : 'We have not received your payment yet.')`,
      ],
      [
        `  const order = orders[req.body.data.externalTrxId]
  order.status = 'paid'
  ship(order)
  save()
`,
        `  await confirm(req.body.data.externalTrxId)
`,
      ],
      [`app.post('/webhooks', (req, res)`, `app.post('/webhooks', async (req, res)`],
    ],
  },
  {
    cause: 'the verified loan is not compared with the order',
    breaks: 'amount-not-compared',
    run: 'other-amount@verifyLoan.1',
    changes: [
      [
        `  if (!loan) return false
`,
        `  if (loan?.externalTrxId !== id || loan.loanAmount !== order.amount || loan.state !== 'ACTIVE') return false
`,
      ],
      [
        `    const loan = await callBnpl(\`/partner/pre-approve/\${id}/loan\`, {})
    order.status = loan ? 'paid' : 'cancelled'
    if (loan) ship(order)
`,
        `    if (!(await confirm(id))) order.status = 'cancelled'
`,
      ],
    ],
  },
  {
    cause: 'an order is shipped twice',
    breaks: 'fulfilled-twice',
    run: 'none',
    changes: [
      [
        `  order.status = 'paid'
  ship(order)
`,
        `  if (order.status !== 'paid') ship(order)
  order.status = 'paid'
`,
      ],
    ],
  },
  {
    cause: 'the reconciliation closes an order that it could not verify, or says that it succeeded',
    breaks: 'loan-without-order',
    run: 'settle-error@page.1',
    changes: [
      [
        '  const { data } = await response.json()',
        `  if (response.status === 404) return undefined
  if (!response.ok) throw new Error(\`the service answered \${response.status}\`)
  const { data } = await response.json()`,
      ],
      [
        `  if (loan?.externalTrxId`,
        `  if (!loan) return 'without a loan'
  if (loan.externalTrxId`,
      ],
      ['return false\n  if (order.status', `return 'open'\n  if (order.status`],
      ['  save()\n  return true', `  save()\n  return 'paid'`],
      [
        'const isPaid = await confirm(req.query.externalTrxId)',
        `const isPaid = (await confirm(req.query.externalTrxId)) === 'paid'`,
      ],
      [
        `    if (!(await confirm(id))) order.status = 'cancelled'`,
        `    const state = await confirm(id).catch(() => 'open')
    if (state === 'open') process.exitCode = 1`,
      ],
    ],
  },
  {
    cause: 'a key, a secret or a national id is written where others can read it',
    breaks: 'leak',
    run: 'none',
    changes: [
      [
        `  console.log('checkout', req.body)
`,
        '',
      ],
    ],
  },
  {
    cause: 'the shop waits without end',
    breaks: 'hang',
    run: 'no-answer@evaluate.1',
    changes: [
      [
        `    body: new URLSearchParams(fields),
`,
        `    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(5000),
`,
      ],
      [
        `    body: JSON.stringify({ url: \`\${shop}/webhooks\` }),
`,
        `    body: JSON.stringify({ url: \`\${shop}/webhooks\` }),
    signal: AbortSignal.timeout(5000),
`,
      ],
    ],
  },
  {
    cause: 'a verification that failed is not repeated',
    breaks: 'ends-otherwise',
    run: 'server-error@verifyLoan.2',
    changes: [
      [
        `import express from './express.mjs'
`,
        `import { setTimeout as sleep } from 'node:timers/promises'
import express from './express.mjs'
`,
      ],
      [
        `  if (!response.ok) throw new Error(\`the service answered \${response.status}\`)
`,
        `  if (!response.ok) {
    const seconds = Number(response.headers.get('retry-after') ?? 0)
    throw Object.assign(new Error(\`the service answered \${response.status}\`), { wait: Math.min(5000, seconds * 1000) })
  }
`,
      ],
      [
        'function ship(order) {',
        `async function verify(id) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await callBnpl(\`/partner/pre-approve/\${id}/loan\`, {})
    } catch (error) {
      if (attempt === 3) throw error
      await sleep(error.wait || 200)
    }
  }
}

function ship(order) {`,
      ],
      [
        `const loan = await callBnpl(\`/partner/pre-approve/\${id}/loan\`, {})
`,
        `const loan = await verify(id)
`,
      ],
    ],
  },
  {
    cause: 'a customer is evaluated again, and the order of the first evaluation is not kept',
    breaks: 'evaluated-again',
    run: 'killed@evaluate.1',
    restarts: true,
    changes: [
      [
        `  await callBnpl('/partner/pre-loan-request/bnpl'`,
        `  orders[id] = { amount: PRICE, status: 'pending', shipped: 0 }
  save()
  await callBnpl('/partner/pre-loan-request/bnpl'`,
      ],
      [
        `{ ...payment, email })
  orders[id] = { amount: PRICE, status: 'pending', shipped: 0 }
  save()
`,
        `{ ...payment, email })
`,
      ],
    ],
  },
]

const FLASK: readonly Step[] = [
  {
    cause: 'the verified loan is not compared with the order',
    breaks: 'amount-not-compared',
    run: 'other-amount@verifyLoan.1',
    changes: [
      [
        '    return call(f"/partner/pre-approve/{order}/loan") is not None',
        `    loan = call(f"/partner/pre-approve/{order}/loan") or {}
    [(amount,)] = query("select amount from orders where id = ?", order)
    return (loan.get("externalTrxId"), loan.get("loanAmount"), loan.get("state")) == (order, amount, "ACTIVE")`,
      ],
    ],
  },
  {
    cause: 'a call that may have been carried out is sent again',
    breaks: 'second-evaluation',
    run: 'cut-after@evaluate.1',
    changes: [
      ['def call(path, **fields):', 'def call(path, tries=1, **fields):'],
      [
        `    # The service is sometimes down, so every call is tried again.
    for _ in range(3):`,
        '    for _ in range(tries):',
      ],
      ['call(f"/partner/pre-approve/{order}/loan")', 'call(f"/partner/pre-approve/{order}/loan", tries=3)'],
      [
        `    token = call("/partner/widget/start", **payment, email=request.form["email"])["widgetToken"]
`,
        `    widget = call("/partner/widget/start", **payment, email=request.form["email"])
    if not widget:
        return "Please try again.", 502
`,
      ],
      ['"widgetToken": token', '"widgetToken": widget["widgetToken"]'],
    ],
  },
  {
    cause: 'a customer has paid, and the order is never paid',
    breaks: 'loan-without-order',
    run: 'no-return@page.1',
    changes: [
      [
        `    query("insert into orders values (?, ?, 0, 0)", order, PRICE)
    if verify`,
        '    if verify',
      ],
      [
        '    return redirect(',
        `    query("insert into orders values (?, ?, 0, 0)", order, PRICE)
    return redirect(`,
      ],
      [
        `        else:
            query("delete from orders where id = ?", order)
`,
        '',
      ],
    ],
  },
  {
    cause: 'an order is shipped twice',
    breaks: 'fulfilled-twice',
    run: 'return-twice@page.1',
    changes: [['shipped = shipped + 1 where id = ?', 'shipped = shipped + 1 where id = ? and paid = 0']],
  },
  {
    cause: 'the reconciliation closes an order that it could not verify, or says that it succeeded',
    breaks: 'loan-without-order',
    run: 'settle-error@page.1',
    changes: [
      [
        '        except Exception as error:\n',
        `        except Exception as error:
            if getattr(error, "code", None) == 404:
                return {}
`,
      ],
      [
        'tries=3) or {}\n',
        `tries=3)
    if not loan:
        return "open" if loan is None else "without a loan"
`,
      ],
      [
        '    return (loan.get("externalTrxId"), loan.get("loanAmount"), loan.get("state")) == (order, amount, "ACTIVE")',
        `    is_paid = (loan.get("externalTrxId"), loan.get("loanAmount"), loan.get("state")) == (order, amount, "ACTIVE")
    return "paid" if is_paid else "open"`,
      ],
      [
        '    if verify(order):\n        pay(order)\n    return',
        '    if verify(order) == "paid":\n        pay(order)\n    return',
      ],
      [
        `def settle():
`,
        `def settle():
    exit_code = 0
`,
      ],
      [
        `        if verify(order):
            pay(order)


def print_orders`,
        `        state = verify(order)
        if state == "paid":
            pay(order)
        elif state == "open":
            exit_code = 1
    return exit_code


def print_orders`,
      ],
      [
        `        settle()
    else`,
        `        sys.exit(settle())
    else`,
      ],
    ],
  },
  {
    cause: 'a key, a secret or a national id is written where others can read it',
    breaks: 'leak',
    run: 'none',
    changes: [['app.logger.warning("POST %s %s %s", path, headers, fields)', 'app.logger.warning("POST %s", path)']],
  },
  {
    cause: 'a genuine event is refused',
    breaks: 'refused-delivery',
    run: 'none',
    changes: [['body = json.dumps(request.get_json()).encode()', 'body = request.get_data()']],
  },
  {
    cause: 'the shop waits without end',
    breaks: 'hang',
    run: 'no-answer@evaluate.1',
    changes: [
      ['body, headers)) as answer', 'body, headers), timeout=5) as answer'],
      ['.encode(), headers))', '.encode(), headers), timeout=5)'],
    ],
  },
  {
    cause: 'a customer is evaluated again, and the order of the first evaluation is not kept',
    breaks: 'evaluated-again',
    run: 'killed@evaluate.1',
    restarts: true,
    changes: [
      [
        '    payment = {"externalTrxId": order,',
        `    query("insert into orders values (?, ?, 0, 0)", order, PRICE)
    payment = {"externalTrxId": order,`,
      ],
      [
        `    query("insert into orders values (?, ?, 0, 0)", order, PRICE)
    return redirect(`,
        '    return redirect(',
      ],
    ],
  },
]

const PHP: readonly Step[] = [
  {
    cause: 'an event without a valid signature is accepted',
    breaks: 'accepted-forgery',
    run: 'forged-scheme@page.1',
    changes: [
      [
        `$signature = $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? null;
    if ($signature && $signature != hash_hmac('sha256', $body, getenv('BNPL_WEBHOOK_SECRET'))) {`,
        `$signature = $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? '';
    $secret = getenv('BNPL_WEBHOOK_SECRET');
    if (!$secret || !hash_equals(hash_hmac('sha256', $body, $secret), $signature)) {`,
      ],
    ],
  },
  {
    cause: 'the verified loan is not compared with the order',
    breaks: 'amount-not-compared',
    run: 'other-amount@verifyLoan.1',
    changes: [
      [
        'function pay(string $id)',
        `function isPaid(string $id): bool {
    $loan = call("/partner/pre-approve/$id/loan");
    [['amount' => $amount]] = query('select amount from orders where id = ?', $id);
    return [$loan['externalTrxId'] ?? null, $loan['loanAmount'] ?? null, $loan['state'] ?? null] === [$id, $amount, 'ACTIVE'];
}

function pay(string $id)`,
      ],
      [
        `    $loan = call("/partner/pre-approve/$id/loan");
    if ($loan) pay($id);
`,
        `    $isPaid = isPaid($id);
    if ($isPaid) pay($id);
`,
      ],
      ['echo $loan ?', 'echo $isPaid ?'],
      [
        `        $loan = call("/partner/pre-approve/$id/loan");
        if ($loan) pay($id);
`,
        `        if (isPaid($id)) pay($id);
`,
      ],
    ],
  },
  {
    cause: 'an order is shipped twice',
    breaks: 'fulfilled-twice',
    run: 'none',
    changes: [
      ['shipments (order_id text)', 'shipments (order_id text primary key)'],
      ['insert into shipments', 'insert or ignore into shipments'],
    ],
  },
  {
    cause: 'a customer has paid, and the order is never paid',
    breaks: 'loan-without-order',
    run: 'server-error@verifyLoan.1',
    changes: [
      [
        `    if ($isPaid) pay($id);
    else query("update orders set status = 'failed' where id = ?", $id);
`,
        `    if ($isPaid) pay($id);
`,
      ],
      [
        `pay($id);
        else query("update orders set status = 'failed' where id = ?", $id);
`,
        `pay($id);
`,
      ],
    ],
  },
  {
    cause: 'the reconciliation closes an order that it could not verify, or says that it succeeded',
    breaks: 'loan-without-order',
    run: 'settle-error@page.1',
    changes: [
      [
        `function settle(): void {
`,
        `function settle(): int {
    $code = 0;
`,
      ],
      [
        'function call(string $path, array $fields = []): array {',
        'function call(string $path, array $fields = [], ?array &$head = null): array {',
      ],
      [
        '    return json_decode($text',
        `    $head = $http_response_header ?? [];
    return json_decode($text`,
      ],
      [
        `function isPaid(string $id): bool {
    $loan = call("/partner/pre-approve/$id/loan");
`,
        `function isPaid(string $id): ?bool {
    $loan = call("/partner/pre-approve/$id/loan", [], $head);
    if (str_contains($head[0] ?? '', ' 404 ')) return null;
`,
      ],
      [
        `        if (isPaid($id)) pay($id);
    }
`,
        `        $isPaid = isPaid($id);
        if ($isPaid) pay($id);
        elseif ($isPaid === false) $code = 1;
    }
    return $code;
`,
      ],
      [`if ($argv[1] === 'settle') settle();`, `if ($argv[1] === 'settle') exit(settle());`],
    ],
  },
  {
    cause: 'a key, a secret or a national id is written where others can read it',
    breaks: 'leak',
    run: 'none',
    changes: [[`error_log("order $id of {$_POST['rut']}, {$_POST['email']}")`, 'error_log("order $id")']],
  },
  {
    cause: 'the shop waits without end',
    breaks: 'hang',
    run: 'no-answer@evaluate.1',
    changes: [
      [
        `        'content' => http_build_query($fields),
`,
        `        'content' => http_build_query($fields),
        'timeout' => 5,
`,
      ],
      [`'follow_location' => 0]`, `'follow_location' => 0, 'timeout' => $timeout]`],
      ['array $headers): string|false {', 'array $headers, int $timeout): string|false {'],
      [
        `    'Content-Type: application/json',
]);`,
        `    'Content-Type: application/json',
], 5);`,
      ],
      [
        `'Content-Type: application/x-www-form-urlencoded']));`,
        `'Content-Type: application/x-www-form-urlencoded'], 60));`,
      ],
    ],
  },
  {
    cause: 'a verification that failed is not repeated',
    breaks: 'ends-otherwise',
    run: 'server-error@verifyLoan.1',
    changes: [
      [
        `    $loan = call("/partner/pre-approve/$id/loan", [], $head);
    if`,
        `    for ($attempt = 1; $attempt <= 3; $attempt++) {
        $loan = call("/partner/pre-approve/$id/loan", [], $head);
        if ($loan || str_contains($head[0] ?? '', ' 404 ')) break;
        $wait = preg_match('/^retry-after: *(\\d+)/mi', implode("\\n", $head), $found) ? min(5, (int) $found[1]) : 0;
        usleep($wait * 1000000 ?: 200000);
    }
    if`,
      ],
    ],
  },
]

/** The steps that make each naive shop a right one, in the order in which the torture advises them. */
export const WALKS = { express: EXPRESS, flask: FLASK, php: PHP } as const

export type Naive = keyof typeof WALKS
