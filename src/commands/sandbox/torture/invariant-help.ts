export const INVARIANT_HELP = `The command is run once without a fault. Then it is run once for every fault of
every call, every delivery and every visit of the payment page in that run.
Every run has a new sandbox (BNPL_BASE_URL, BNPL_API_KEY and the other variables
of \`bnpl sandbox run\`) and a new folder, which BNPL_RUN_DIR names. Keep the
database of the shop in that folder, so that no run lists the orders of another
run. With --jobs 1, only one run is made at a time.

--orders prints a line of JSON for each order of the shop:
  {"externalTrxId":"A-1","paid":true,"fulfilled":1}
“fulfilled” counts how often the order was shipped. If a line contains "amount"
or "installments", the value is compared with the loan. After the processes of
the command have ended, --orders runs. If --settle is given, --settle runs then,
and after it --orders runs again. If the exit code of --settle is not 0, it runs
a second time. In some runs, --orders also runs while the command is running.

--restart starts the server of the shop before the command, and waits until the
server listens on the port in BNPL_RUN_PORT. For every place where a fault is
tried, one more run kills the server there and starts it again. Without
--restart, the command must start the shop itself, and nothing kills the shop.

These rules are checked after every run. A broken rule is a finding, and the
exit code is then 10. No order is paid without a loan, and every loan has its
paid order. Nothing is fulfilled twice, or before its loan was verified. Amounts
are equal. A call whose outcome is unknown is not repeated. One purchase has one
loan. Genuine deliveries are accepted, and forged deliveries have no effect. No
key and no national id is in the output or in a log. The server of --restart
runs until it is killed, and starts again. The command ends. After a fault that
a shop can survive, the exit code of the command is 0.`
