/** The promises of the program under faults and attacks, one row each. The titles of tests name the rows that they check. */
export interface Promised {
  /** `row 16`, or a name such as `attack 7` for a fault that was found by trying. */
  name: string
  promise: string
  /** The path of the decision that says why no test checks the row. */
  decision?: string
}

const named = (name: string, promise: string, decision?: string): Promised => ({
  name,
  promise,
  ...(decision === undefined ? {} : { decision }),
})

const row = (number: number, promise: string, decision?: string) => named(`row ${number}`, promise, decision)
const attack = (number: number, promise: string, decision?: string) => named(`attack ${number}`, promise, decision)
const database = (number: number, promise: string, decision?: string) => named(`database ${number}`, promise, decision)
const page = (number: string, promise: string, decision?: string) => named(`page ${number}`, promise, decision)

/** The rows by the part of the program that they are about, in order. */
export const PROMISES: Readonly<Record<string, readonly Promised[]>> = {
  'Keys and secrets': [
    row(
      1,
      'No option takes a secret. If a secret is typed as an argument, the command refuses it (exit 2) and does not print it.',
    ),
    row(2, 'A key that contains a line break, a space or a non-ASCII letter is refused (exit 3) and not printed.'),
    row(
      3,
      'If the keyring of the system is absent, fails or does not answer within 3 s, the command says so. If the command then stores a new key in the settings file, a notice says so.',
    ),
    row(
      4,
      'When a command uses a file of the settings or of the state, the file gets mode 0600 and its folder mode 0700. The umask and the earlier modes do not matter. A snapshot that is loaded keeps its mode.',
    ),
    row(
      5,
      'If a file of the settings or of the state is a symbolic link, no command follows the link. The command refuses the link (exit 3) or replaces it by a file. The target of the link stays unchanged.',
    ),
    row(
      6,
      'If the service answers with a redirect, the command ends (exit 8) and does not follow it. No other server is called or receives the key.',
    ),
    row(
      7,
      'A stored key is sent only to the origin for which it was stored. With any other address the command ends (exit 3) before it connects.',
    ),
    row(8, 'No file in the current folder changes where a key is sent.'),
    row(
      9,
      'A command that calls the service with a production profile prints a banner. If the call changes something at the service, the command asks first. Without a terminal and without --yes, the command refuses to make such a call (exit 2).',
    ),
    row(10, 'Another program that a command starts, such as a browser, inherits no secret of a real account.'),
    row(
      11,
      'If NODE_DEBUG makes Node print traffic, commands that send or receive data run only with the beta environment, the sandbox or a service on this machine. A diagnostic report of Node contains no secret.',
    ),
    row(
      12,
      'An unexpected error is reported with its place in the code. Its message and fields are not printed, because they could contain a secret.',
    ),
    row(13, 'In the output of doctor and profiles, also with --json, a secret is replaced by a fingerprint.'),
    row(
      14,
      'If the certificate of a server is not valid, the command ends (exit 9) and does not repeat the call. With NODE_TLS_REJECT_UNAUTHORIZED=0, commands that call the service refuse to run (exit 3), unless BNPL_BASE_URL is an address of this machine. A proxy receives the CONNECT request and no key.',
    ),
  ],
  'Calls to the service': [
    row(
      15,
      'If no server listens at the address, or the host name is unknown, a call is tried three times, and the command ends with exit 9.',
    ),
    row(
      16,
      'A payment call evaluates a customer, creates a widget token or reports the chosen option. It is sent only once, even if no answer arrives. The command then ends with exit 12, and its hint says how to find out whether the service carried out the call.',
    ),
    row(
      17,
      'If the connection of a call that only reads is lost, the call is tried three times at most. Then the command ends with exit 9.',
    ),
    row(
      18,
      '--timeout limits the time until the complete answer has arrived, even if it arrives byte by byte. When this time is over, the command ends with exit 9, or 12 for a payment call.',
    ),
    row(
      19,
      'The header Retry-After is obeyed, in seconds or as a date. An invalid value is ignored. If the header asks for a wait of more than a minute, the command ends (exit 7).',
    ),
    row(20, 'After an answer with status 429, every worker of a bulk run pauses.'),
    row(
      21,
      'If the service answers a call for a report with one of the two documented 503 codes, the call is repeated. If the 503 persists, the command reports its code.',
    ),
    row(22, 'A payment call that is answered with a 5xx status is not repeated. The command ends with exit 12.'),
    row(
      23,
      'If an answer is not as specified, the command ends with exit 8, or 12 for a payment call. Undocumented fields of an answer are kept.',
    ),
    row(
      24,
      'At most 10 MiB and 64 nested levels of an answer are read. A larger answer ends the command with exit 8, or 12 for a payment call. The command uses less than 200 MiB of memory, whatever the answer contains.',
    ),
    row(25, 'A field `__proto__` of an answer is treated like any other field.'),
    row(26, 'An amount is a whole number up to 2^53 − 1 and keeps every digit. Any other amount is refused.'),
    row(
      27,
      'An answer that is not valid HTTP ends the command with exit 8, or 12 for a payment call, without a stack trace.',
    ),
    row(28, 'An id in the path of a request arrives unchanged, or the command refuses it (exit 2) and sends nothing.'),
    row(29, 'The fields of a form that the program sends arrive unchanged, whatever they contain.'),
    row(30, 'Each payment call opens a new connection.'),
    row(
      31,
      'The unusual 400 and 401 answers of the report endpoint are explained as in the specification. The program deletes no key because of them.',
    ),
    row(
      32,
      'A widget token that is older than ten minutes is refused before it is used. A command measures its waits, and the age of a token that it requested itself, with the monotonic clock. A change of the system clock has no effect on these times.',
    ),
  ],
  Reports: [
    row(
      33,
      'The request that downloads a report from the storage has no key, no cookie and no referrer, even if the storage has the same origin as the service.',
    ),
    row(
      34,
      'If a download breaks off, the command ends with exit 9. The old file is unchanged, and no other file is left.',
    ),
    row(
      35,
      'A report that ends without the end mark of a PDF counts as incomplete, even if the protocol reports no error.',
    ),
    row(36, 'A report is requested without compression. A compressed report is refused (exit 8).'),
    row(
      37,
      'If the answer to a download is not a PDF, nothing is saved (exit 8). If the link has expired, a new link is requested once.',
    ),
    row(38, 'After a broken transfer, the whole report is downloaded again. Parts are never joined.'),
    row(39, 'The signed link from which a report is downloaded is never stored. Only `bnpl informe get` shows it.'),
    row(
      40,
      'If the disk becomes full at any byte of a download, the command ends with exit 13. The old file is complete, and no half-written file remains.',
    ),
    row(
      41,
      'If a download is killed with kill -9, the file is the complete old report or the complete new one. The next download removes the temporary file.',
    ),
    row(
      42,
      'If a file with the name of the report exists, it is replaced only with --force. Otherwise the download is refused (exit 2). A link, a pipe or a folder with this name is never replaced.',
    ),
    row(
      43,
      'Without --out, a report is saved under the file name of the specification, whatever a header of the answer says.',
    ),
    row(
      44,
      'When a report is downloaded by the link in an event, no key is sent. The link must answer with a redirect to an allowed address, and no second redirect is followed.',
    ),
    row(
      45,
      'If several commands download one report to the same file with --force at the same time, all succeed. Without --force one succeeds, and the others are refused (exit 2). A PDF is never written to a terminal (exit 2).',
    ),
  ],
  'The webhook receiver': [
    row(46, 'A delivery whose signature does not match is answered with 401, never with 500.'),
    row(47, 'A delivery with two signature headers is answered with 401.'),
    row(
      48,
      'The signature of a delivery is checked over the bytes that arrived, and these bytes are stored unchanged.',
    ),
    row(
      49,
      'A request with a wrong method, path or content encoding is answered with the status for this mistake, and not stored. Every content type is accepted.',
    ),
    row(
      50,
      'A signature is checked only with the configured algorithm and encoding, whatever a header of the delivery names.',
    ),
    row(51, 'Without a webhook secret the receiver does not start (exit 3).'),
    row(
      52,
      'The time that the receiver needs to refuse a wrong static token does not reveal how much of the token is right.',
    ),
    row(53, 'While a secret is replaced, the receiver accepts the old and the new secret, and needs no restart.'),
    row(
      54,
      'If a thousand copies of an event arrive at the same time, each copy is acknowledged, and the event is written to stdout once.',
    ),
    row(
      55,
      'An event that was written to stdout is recognized if it arrives again, even after a restart and after its body was pruned.',
    ),
    row(
      56,
      'If a delivery has a known eventId and another body, the receiver stores it and reports it, but does not write it to stdout.',
    ),
    row(
      57,
      'Anybody who knows the static token can send an event with it. Therefore such an event counts as unconfirmed until the service confirms it.',
    ),
    row(
      58,
      'The scheme (signature or static token) is fixed when the receiver starts. A delivery with the header of the other scheme is answered with 401.',
    ),
    row(59, 'Two deliveries with the same eventId at two destinations are two events.'),
    row(
      60,
      'A delivery with a valid signature whose body is not an event is acknowledged and stored unchanged. A delivery without a valid signature is not stored.',
    ),
    row(
      61,
      'A client that sends its request too slowly is disconnected within 2.5 s. The receiver accepts deliveries of other clients meanwhile.',
    ),
    row(
      62,
      'A request with a body over 1 MiB is answered with 413, whether or not it announces its length. The body is not kept in memory.',
    ),
    row(
      63,
      'With five hundred connections at the same time, no delivery is lost. If the limit of open files is too low for that, the receiver says so at its start.',
    ),
    row(
      64,
      'A handler that is slow or does not answer delays no acknowledgement. The events that wait for it are on the disk.',
    ),
    row(
      65,
      'A handler receives the bytes of an event over HTTP. No shell is started, and redirects of the handler are not followed.',
    ),
    row(66, 'While the disk is full, a delivery is answered with 200 only if it was stored.'),
    row(67, 'After kill -9 of the receiver, every acknowledged event is in the inbox.'),
    row(68, 'The receiver syncs an event to the disk before it sends the answer.'),
    row(
      69,
      'Without --host the receiver listens only on this machine. It answers a request for an unknown host name with 421. If its port is taken, it ends (exit 3).',
    ),
  ],
  'Deliveries of the sandbox': [
    row(70, 'The sandbox sends a new_lead event only once, and waits 3 s for the answer.'),
    row(
      71,
      'If a delivery of any other event than new_lead fails, the sandbox sends it again on a configurable schedule, with the same bytes and eventId.',
    ),
    row(72, 'If a receiver answers a delivery of the sandbox with a redirect, the delivery counts as failed.'),
    row(
      73,
      'For a delivery of the sandbox, one time limit applies to the connection, the request and the answer together. At most 20 kB of the answer are read.',
    ),
    row(
      74,
      'An account has at most ten destinations, even if registrations arrive at the same time. A deleted destination gets no more deliveries.',
    ),
    row(
      75,
      'The sandbox does not connect to a private address: it checks the address of a destination at each connection. It connects to a loopback address only with --allow-http, to reach `bnpl webhooks listen`, or when it belongs to a single command (-p sandbox), to `bnpl sandbox run` or to a test.',
    ),
    row(
      76,
      'After kill -9 of the sandbox, its next start sends again every unfinished event that may be repeated. A new_lead event whose delivery had begun is listed as lost.',
    ),
    row(77, 'A destination that does not answer does not delay deliveries to other destinations.'),
    row(
      78,
      'The wait before a retry of the sandbox varies at random by up to 20 %. If the receiver sent Retry-After, the sandbox waits that long, within limits: at least the configured wait, and at most twice the configured wait.',
    ),
    row(
      79,
      'Each of the two registration endpoints refuses or ignores exactly the fields that the specification says. A refusal names its reason.',
    ),
  ],
  'Output and the terminal': [
    row(
      80,
      'If the result of a command cannot be written, the command ends with exit 13. This holds for every command.',
    ),
    row(
      81,
      'If the reader of a pipe closes it, the command ends with exit 141 and without a message. Finished work is recorded.',
    ),
    row(
      82,
      'Control characters in text from outside the program, such as an answer of the service, never reach a terminal.',
    ),
    row(83, 'A cell that a spreadsheet would run as a formula is made harmless, unless --csv-raw is given.'),
    row(
      84,
      'National ids and e-mail addresses are masked in every message, and are not stored in the history or in the ledger of a run.',
    ),
    row(
      85,
      'None of the six secrets that the test uses appears in messages with --verbose, a crash report, the arguments of a process, the history, the ledger of a run, or files that remain after kill -9.',
    ),
    row(86, 'Without a terminal a command asks no question. If it needs an answer, it ends with exit 2 at once.'),
    row(87, 'The program opens only https and loopback addresses in a browser. It passes the address as one argument.'),
    row(116, 'A table keeps its width and its columns stay aligned, whatever characters its cells contain.'),
  ],
  'Settings and state': [
    row(88, 'If many processes change the settings at the same time, every change is stored.'),
    row(89, 'A lock is released when the process that holds it ends, even if it is killed.'),
    row(90, 'If a process is killed while it writes the settings, the file is complete: the old one or the new one.'),
    row(
      91,
      'If a file of the settings or of the state cannot be used, the command names it, ends (exit 3), and leaves it unchanged. Settings from environment variables still work.',
    ),
    row(
      92,
      'If a second process uses the same inbox, or starts the same run over a file, it is refused (exit 3). The error names the process id of the first process.',
    ),
  ],
  'Bulk runs': [
    row(
      93,
      'A bulk run that is killed at any moment can be resumed. No customer is evaluated twice, and only rows that were sent and not answered have an unknown outcome.',
    ),
    row(94, 'A row with an unknown outcome is sent again only with --retry-unknown.'),
    row(95, 'Before the first call, every problem of the input file is found and reported with its line (exit 2).'),
    row(96, 'If the service refuses the key for five rows one after the other, the run ends (exit 4).'),
    row(97, 'If the program cannot record on the disk that a row will be sent, it does not send the row (exit 13).'),
    row(
      98,
      'If rows fail, the run ends with exit 11, and writes these rows to a file that can be the input of a new run.',
    ),
  ],
  Signals: [
    row(
      99,
      'Ctrl-C ends a wait, an attempt to connect or a hidden prompt at once. The command ends with exit 130 and restores the terminal.',
    ),
    row(100, 'After Ctrl-C a bulk run starts no new row. A second Ctrl-C ends the run at once.'),
    row(
      101,
      'SIGTERM and SIGHUP end a server within 5 s. Its port is then free and all its data is written. The exit code is 143 after SIGTERM and 129 after SIGHUP.',
    ),
    row(
      102,
      '`bnpl sandbox run` ends with the exit code of the command that it runs, and leaves no process of `bnpl` running.',
    ),
  ],
  'The page and the address of the sandbox': [
    row(
      103,
      'If a name, an id or another text contains markup, the payment page shows the markup as text. Only the scripts of the page itself can run.',
    ),
    row(
      104,
      'A return address must be an absolute https address, or an http address of this machine. With any other return address the payment page opens no payment.',
    ),
    row(
      105,
      'The result of a payment is added to the return address as parameters, at the end of its query. If the return address already has a parameter with the same name, that parameter is left out. No other byte of the address changes. `preApproveId=undefined` means that there is no pre-approval.',
    ),
    row(106, 'The payment page sends no referrer, and loads nothing from other servers.'),
    row(
      107,
      'A widget token that is too old, forged, unsigned or used is refused. A double click on the button pays once.',
    ),
    row(
      108,
      'The sandbox answers a request with an unknown Host with 421, and a request from the page of another origin with 403. No page of another origin can read an answer.',
    ),
    row(
      109,
      'The sandbox can be controlled only with the token that is stored on this machine. Only the origin for which a payment page was opened can show that page in a frame.',
    ),
  ],
  'What is shipped': [
    row(
      110,
      'The lock file has the SHA-512 hash of every npm package, and every package comes from the registry. Only the package `node` may run a script when it is installed. The list of files that are shipped is fixed.',
    ),
  ],
  'The end of a command': [
    row(
      111,
      'The exit code is 1 unless the command sets another exit code. If a command ends without a result, the exit code is 1 and the error names its last step. This happens, for example, when the command waits for a call that never returns.',
    ),
    row(
      112,
      'An unexpected error in a callback of a server is never lost: it ends the server, and is reported with its place in the code.',
    ),
    row(
      113,
      'At the end of a command, everything that it opened is closed. A failure while closing is reported, and does not replace the error of the command.',
    ),
  ],
  'Files of bnpl, and what happens to them': [
    row(
      114,
      'The table “Every file of the program” says what a command does after each mishap with a file. The mishap happens before the command starts, or while it has the file open.',
    ),
    row(
      115,
      'If two commands use the same file at the same time, both succeed, or the second is refused (exit 3) and names the first.',
    ),
    attack(
      1,
      'If the file of the inbox is removed, replaced or emptied while the receiver runs, the receiver notices it: it answers deliveries and /readyz with 503, and reports it on stderr.',
    ),
    attack(
      5,
      'No file of the program is opened through a symbolic link. This includes the reserve of the inbox and the folder of snapshots.',
    ),
    attack(
      6,
      'A command that reads a damaged page of an inbox file ends (exit 3) and leaves the file unchanged. Before it listens, the receiver checks the file, except the bodies of events.',
    ),
    attack(
      9,
      'With --ready-file, a server replaces or removes only a file that is empty or was written by a server of bnpl. If any other file is at this path, the server does not start (exit 3) and leaves the file unchanged.',
    ),
    attack(21, '/readyz answers 503 until the disk has room for a delivery of the usual size.'),
    attack(22, 'If the disk is full when the receiver starts, it says so and ends with exit 13.'),
    attack(26, 'A second receiver on one inbox is refused (exit 3), even if the lock file of the first was removed.'),
    attack(
      28,
      'The program checks that a file is its own before it changes the file or its mode. Files of other programs stay unchanged.',
    ),
    attack(
      17,
      'If every user can read the file of a secret, or if a webhook secret is too short, the command says so at its start.',
    ),
  ],
  'Attacks on runs over files': [
    database(
      1,
      'An interrupted run can be resumed until every row is done, wherever it was interrupted and however long its rows are.',
    ),
    attack(
      2,
      'If two runs write to one file, the second run is refused (exit 3), so that their results are never mixed.',
    ),
    attack(7, 'Runs over different files do not affect each other, however many start at the same time.'),
    attack(
      10,
      'If another program creates the result file while a run without --force is working, the run keeps that file unchanged and ends with exit 13. To get the results, run the command again with --resume and another file name.',
    ),
    attack(
      11,
      'If the input file is changed during a run, only rows that were checked are sent. The run ends before it sends a changed row, or warns if every row was already read.',
    ),
    attack(
      12,
      'If rows are added to a file of evaluations after its run has ended, the next run sends only the new rows and the rows that had failed.',
    ),
    attack(20, 'A control character in a result file is made visible, unless --csv-raw is given.'),
    attack(
      32,
      'If the file of the results cannot be opened, the error says why, and its hint says what to do about this cause.',
    ),
  ],
  'Code that runs inside bnpl': [
    attack(
      3,
      'Compiled code is loaded only from a folder that belongs to the user, has mode 0700 and is not a symbolic link. It is not loaded if another user (except root) could replace this folder or a folder above it.',
    ),
    attack(4, 'No signal opens a debugger in a server.'),
    attack(14, 'If no folder can be created in the home or cache folder, the program starts without a cache.'),
    attack(
      27,
      'A closed stdout is treated like /dev/null, because Node shows no difference between the two.',
      'docs/decisions/070-what-it-withstands-otherwise.md',
    ),
    attack(
      29,
      'If PGPASSWORD is the password of the database of bnpl, it is not passed to other programs that a command starts. Otherwise it is passed on.',
    ),
    attack(
      31,
      'The packages that are bundled into the program are listed with version and licence. `npm run audit` asks the registry about exactly these packages.',
    ),
  ],
  'Attacks on the receiver': [
    attack(
      13,
      'If a proxy answers 502, 503, 504 or 429 in place of the handler, no event is set aside. Events wait in order, for days if necessary, and Retry-After is obeyed.',
    ),
    attack(
      16,
      'If the file of a secret is removed or cannot be read, the receiver says so and continues with the last good secret.',
    ),
    attack(18, 'A line break in an eventId does not begin a new line on stderr.'),
    attack(19, 'Text of an event cannot control a terminal, even if the output is read through a pipe.'),
    attack(23, 'Every server of the program answers a request with two Host headers with 400.'),
    attack(24, 'A request with an unknown Host is answered with 421 before its body is requested from the client.'),
    attack(
      25,
      'An event that cannot be sent as a request, for example because a header value is not valid, is set aside after the configured number of attempts. Then the next event is sent.',
    ),
    database(
      2,
      'If a receiver is stopped, frozen or cut off from the database, another receiver takes over its destinations within seconds.',
    ),
    database(
      3,
      'If a connection pooler does not keep sessions, the receiver notices it at its start and ends (exit 3).',
    ),
  ],
  'Attacks on the sandbox': [
    attack(
      8,
      'Before a command trusts a running sandbox or sends data to it, the sandbox must prove that it knows the control token.',
    ),
    attack(15, 'A return address may be http only if it leads to this machine.'),
    attack(30, 'If the address of a destination contains control characters, its registration is answered with 400.'),
    database(
      6,
      'While the database of the sandbox is read-only, full or locked, calls that write are answered with 503 and Retry-After. One line reports the trouble, and one line its end.',
    ),
    database(
      7,
      'A sandbox in a database of several machines does not depend on the clock of one machine.',
      'docs/decisions/006-sqlite-of-node.md',
    ),
    page(
      '1.1',
      'The key of the sandbox’s window is not a cookie: the browser stores it for the address and the port of the sandbox. A server on another port cannot get it.',
    ),
    page(
      '1.2',
      'A cookie that a server on another port has set cannot lock the user out of the window. The window never reloads by itself.',
    ),
    page(
      '1.3',
      'A copy button of the window copies exactly the text that the window shows. A copied command line is safe to paste into a shell.',
    ),
    page(
      '1.4',
      'If an address of the window names an item that does not exist, the window says so, and the rest of the page works.',
    ),
    page(
      '1.5',
      'No row of a list moves while the pointer or the focus is in the list. Therefore a click opens the row under the pointer.',
    ),
    page('1.6', 'Before it loads a snapshot, the window asks, and saves the present state as another snapshot.'),
    page(
      '1.7',
      'If the browser stops the request that confirms a payment, the customer can confirm again. The payment is made only once.',
    ),
    page('1.8', 'While the sandbox does not run, the window says what to do. If an action fails, the window says why.'),
    page(
      '1.9',
      'All tabs of a browser share one connection for live changes, so that the payment page can be loaded however many tabs are open.',
    ),
    page(
      '1.10',
      'A return address is an https address, or an http address of this machine. With any other return address no payment is opened.',
    ),
    page(
      '1.11',
      'A filter that finds nothing says so and can be cleared. A reload keeps the filter, the open item, the language and the chosen plan. A link to the window works one time. A program that only previews the link does not use it up. The widget reports each way in which a payment ends.',
    ),
    page(
      '2',
      'No text that comes from outside is run as code, in any view of the window or on any page of the sandbox.',
    ),
    page(
      '3',
      'If an item is opened, the focus moves to it, and moves back when the item is closed. Every button has its own name. An error is shown at its field. The customer can stop the redirect to the merchant.',
    ),
    page('4.1', 'In a list, figures and times are aligned.'),
    page(
      '4.2',
      'The names of the steps of a payment are shown only in the head of the list, above the symbols of the steps.',
    ),
    page('4.3', 'Every amount is shown with its currency, everywhere in the same form.'),
    page(
      '4.4',
      'The list of requests shows for each request its endpoint and the payment, lead or report that it is about.',
    ),
    page(
      '4.5',
      'In the view of webhooks, the list of destinations is folded to one line, so that the deliveries are visible near the top of the page.',
    ),
    page('4.6', 'If the browser forces its own colours, each state still has a different shape.'),
    page(
      '4.7',
      'The view of the controls shows the terminal command for each control only if the user asks for the commands. Controls that delete come last. On a phone the accounts are folded.',
    ),
    page('4.8', 'An open item shows its facts before its actions, and its commands are folded.'),
    page(
      '4.9',
      'A time is shown with its date and with how long ago it was. An id is shown by its first and last characters, with one button that copies the whole id.',
    ),
    page(
      '4.10',
      'The total and the cost of a plan are as easy to see as its installment. The page uses the full width of a wide screen.',
    ),
    page('5', 'New rows slide to their places, so that the layout shift of the page is less than 0.05.'),
  ],
  'Attacks on calls': [
    database(
      4,
      'If the address of a proxy is not valid, a command that calls the service ends with exit 3 and sends nothing.',
    ),
    database(5, 'An interim answer (1xx) that was not requested is skipped.'),
    database(
      8,
      'If a proxy answers with an error, the command reports it as an error of the proxy. An error about a certificate says how to solve it.',
    ),
  ],
}
