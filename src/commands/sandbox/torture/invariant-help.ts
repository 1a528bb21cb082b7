/** What the help of the command says of its runs. */
export const INVARIANT_HELP = `The command runs once without a fault, then once for every fault at every
place that it came to: each call, each delivery, each visit of the payment
page. Every run has a sandbox of its own (BNPL_BASE_URL, BNPL_API_KEY and the
others, as with sandbox run) and a new folder in BNPL_RUN_DIR: keep the
database of the shop there, so that runs at the same time do not meet. --jobs
1 makes one run after another.

--orders prints a line of JSON for each order of the shop:
  {"externalTrxId":"A-1","paid":true,"fulfilled":1}
“fulfilled” counts how often it was shipped; "amount" and "installments" are
compared with the loan where they are given. --settle runs before it, twice if
it does not end with 0. Both run when the processes of the command have ended.

--restart starts the server of the shop before the command, and waits until it
listens on the port in BNPL_RUN_PORT. At every place one run kills it and
starts it again. Without it the command starts the shop, and nothing kills it.

After every run these hold, or there is a finding and the exit code is 10: no
order is paid without a loan; no loan is without its paid order; nothing is
fulfilled twice, or before its loan was verified; amounts are equal; a call
whose outcome is unknown is not repeated; one purchase has one loan; genuine
deliveries are taken and forged ones have no effect; no key and no national id
is in the output or in a log; the server of --restart runs until it is killed,
and starts again; the command ends, with 0 where the fault can be survived.`
