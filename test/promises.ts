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
    row(1, 'No option takes a secret: one that is typed as an argument is refused (2) and not repeated.'),
    row(2, 'A key that contains a line break, a space or a non-ASCII letter is refused (3) and not printed.'),
    row(
      3,
      'If the keyring is absent, fails or hangs, the program stops waiting after 3 s and reports it; it uses the file instead only with a notice.',
    ),
    row(
      4,
      'Files of settings and state have mode 0600 and their folders 0700 after use, whatever the umask and their earlier modes.',
    ),
    row(5, 'A symbolic link in the place of one of our files is refused (3), and its target is unchanged.'),
    row(6, 'A redirect of the service is not followed (8): no other server is called or receives the key.'),
    row(7, 'A stored key is sent only to its origin; any other address is refused (3) before a connection.'),
    row(8, 'No file in the current folder changes where a key is sent.'),
    row(9, 'A production profile shows a banner, and a command that changes something there asks or needs --yes (2).'),
    row(10, 'Child programs inherit no secret of the program.'),
    row(
      11,
      'NODE_DEBUG, which prints traffic, is refused with a live key by every command that sends or receives; a diagnostic report of Node contains no secret.',
    ),
    row(12, 'An unexpected error is reported with its place in the code, and without its message and fields.'),
    row(13, 'doctor, profiles and --json show a fingerprint of a secret, never the secret.'),
    row(
      14,
      'After a bad certificate the call is not repeated (9); unchecked TLS is refused (3); a proxy receives CONNECT and no key.',
    ),
  ],
  'Calls to the service': [
    row(
      15,
      'If nobody listens at the address, or the host name is unknown, a call is tried three times and ends with exit 9.',
    ),
    row(
      16,
      'A payment call without an answer is sent only once: exit 12, and the hint says how to find out what happened.',
    ),
    row(17, 'A read that is cut is tried three times at most: exit 9.'),
    row(18, '--timeout limits the whole answer, even one that arrives byte by byte: exit 9, for a payment call 12.'),
    row(
      19,
      'Retry-After is obeyed in seconds and as a date, and ignored if it is not valid; if it asks for more than a minute, the command ends (7).',
    ),
    row(20, 'A 429 pauses every worker of a bulk run.'),
    row(
      21,
      'A call that is answered with one of the two 503 codes of a report is repeated; if the 503 persists, its code is reported.',
    ),
    row(22, 'A payment call that is answered 5xx is not repeated: exit 12.'),
    row(23, 'An answer that is not as specified is exit 8, for a payment call 12; undocumented fields are kept.'),
    row(
      24,
      'An answer of more than 10 MiB or more than 64 levels is refused (8); of a longer answer, at most 10 MiB are held in memory.',
    ),
    row(25, '`__proto__` in an answer is a field like any other.'),
    row(26, 'Amounts are whole numbers up to 2^53 − 1, and keep every digit; any other amount is refused.'),
    row(27, 'An answer that is not valid HTTP is exit 8, never a stack trace.'),
    row(28, 'An id in a path arrives unchanged, or is refused (2) with nothing sent.'),
    row(29, 'Fields of a form arrive unchanged, whatever they contain.'),
    row(30, 'A payment call opens a new connection.'),
    row(
      31,
      'The unusual 400 and 401 of the report endpoint are explained as the specification explains them; no key is deleted because of them.',
    ),
    row(32, 'A widget token whose ten minutes are over is refused before use; waits use the monotonic clock.'),
  ],
  Reports: [
    row(33, 'The request to the storage has no key, no cookie and no referrer, even on the origin of the service.'),
    row(34, 'A download that is cut ends with exit 9; the old file is unchanged, and no other file is left.'),
    row(35, 'If a transfer breaks without an error of the protocol, the missing end mark of the PDF shows it.'),
    row(36, 'A report is requested without compression, and a compressed report is refused (8).'),
    row(37, 'An answer that is not a PDF is not saved (8); for an expired link a new one is requested once.'),
    row(38, 'After a broken transfer the whole file is downloaded again; parts are never joined.'),
    row(39, 'A link is never stored, and only the command for links shows it.'),
    row(40, 'A full disk at any byte is exit 13: the old file stays whole, and no half-written file remains.'),
    row(
      41,
      'After kill -9 the file is the complete old report or the complete new one, and the next run removes temporary files.',
    ),
    row(
      42,
      'An existing file with the name of a report is not replaced without --force (2); links, pipes and folders are never replaced.',
    ),
    row(43, 'A report gets the file name that the specification says, whatever a header says.'),
    row(44, 'The link of an event is followed over exactly one redirect to an allowed address, without a key.'),
    row(45, 'Simultaneous downloads of one report all succeed; a PDF is not written to a terminal (2).'),
  ],
  'The webhook receiver': [
    row(46, 'A delivery whose signature does not match is answered with 401, never with 500.'),
    row(47, 'A delivery with two signature headers is answered with 401.'),
    row(48, 'The signature is checked over the received bytes, which are stored unchanged.'),
    row(
      49,
      'A request with another method, path or encoding is refused with the status for it, and not stored; no content type is refused.',
    ),
    row(50, 'Signatures are checked only with the configured algorithm and encoding, whatever a header names.'),
    row(51, 'Without a secret the receiver does not start (3).'),
    row(52, 'The time to refuse a secret does not reveal how much of it is right.'),
    row(53, 'Two secrets are accepted during a rotation, which needs no restart.'),
    row(54, 'Of a thousand simultaneous copies of an event each is acknowledged, and one is written to stdout.'),
    row(
      55,
      'An event that was written to stdout is recognized as a duplicate even after a restart and after its body was pruned.',
    ),
    row(56, 'Another body with a known eventId is stored and reported, and not written to stdout.'),
    row(
      57,
      'An event with the static token is unconfirmed (anybody who knows the token could have sent it) until the service confirms it.',
    ),
    row(58, 'The scheme is fixed at the start; a delivery with the header of the other scheme is answered with 401.'),
    row(59, 'Two deliveries with the same eventId at two destinations are two events.'),
    row(
      60,
      'A verified body that is not an event is acknowledged and stored unchanged; an unverified one is not stored.',
    ),
    row(61, 'Slow clients are disconnected within 2.5 s, and deliveries are accepted meanwhile.'),
    row(
      62,
      'A body over 1 MiB is answered with 413, whether or not its length is announced, and is not kept in memory.',
    ),
    row(
      63,
      'No delivery is lost with five hundred connections at the same time; a low limit of open files is reported at the start.',
    ),
    row(64, 'A slow or dead handler delays no acknowledgement; events that wait for it are on the disk.'),
    row(65, 'A handler receives the bytes over HTTP, never through a shell; its redirects are not followed.'),
    row(66, 'On a full disk a delivery is answered with 200 only if it was stored.'),
    row(67, 'After kill -9 every acknowledged event is in the inbox.'),
    row(68, 'The disk is synced before the answer is sent.'),
    row(
      69,
      'The receiver listens only on this machine, and refuses requests for other host names (421); if its port is taken, it ends (3).',
    ),
  ],
  'Deliveries of the sandbox': [
    row(70, 'The receiver of a new_lead must answer within 3 s; the event is sent only once.'),
    row(71, 'Other events are sent again on a configurable schedule, with the same bytes and eventId.'),
    row(72, 'A delivery that a receiver answers with a redirect counts as failed.'),
    row(
      73,
      'One time limit applies to the connection, the delivery and the answer together, and at most 20 kB of an answer are read.',
    ),
    row(
      74,
      'A partner has at most ten destinations, even with simultaneous registrations; a deleted one gets no more deliveries.',
    ),
    row(75, 'Private addresses are refused when the connection is made; loopback is accepted only if allowed.'),
    row(76, 'After kill -9 repeatable events are sent again, and a new_lead in progress is shown as lost.'),
    row(77, 'A destination that does not answer does not delay deliveries to other destinations.'),
    row(
      78,
      'With Retry-After a retry is sent after one to two times the configured wait; waits vary at random by a fifth.',
    ),
    row(
      79,
      'The two registrations refuse or ignore exactly the fields that the specification says, and a refusal names its reason.',
    ),
  ],
  'Output and the terminal': [
    row(80, 'A result that cannot be written is exit 13, for every command.'),
    row(81, 'A closed pipe is exit 141 without a message; finished work is recorded.'),
    row(82, 'Text from outside cannot control a terminal, wherever it appears.'),
    row(83, 'A cell that a spreadsheet would run is made harmless, unless --csv-raw is given.'),
    row(84, 'National ids and addresses are masked in all messages, and never stored.'),
    row(
      85,
      'Six known secrets do not appear with --verbose, in a crash, a command line, the history, a ledger, or the files that kill -9 leaves.',
    ),
    row(86, 'Without a terminal nothing is asked: exit 2 at once.'),
    row(87, 'Only https or loopback addresses are opened in a browser, each passed as one argument.'),
    row(116, 'A table keeps its width for any text, because all widths are measured in one way.'),
  ],
  'Settings and state': [
    row(88, 'When many processes change the settings at the same time, every change is stored.'),
    row(89, 'A lock is released when its holder ends, however it ends.'),
    row(90, 'If a process is killed while it writes a file, the file is complete: the old one or the new one.'),
    row(
      91,
      'A file of settings that cannot be used is named, refused (3) and left as it is; settings from environment variables still work.',
    ),
    row(
      92,
      'A second process that uses the same inbox or the same run over a file is refused (3), and told the process id of the first.',
    ),
  ],
  'Bulk runs': [
    row(
      93,
      'When a run is killed at any moment and resumed, no row is sent twice, and only rows that were sent without an answer are unknown.',
    ),
    row(94, 'A row whose outcome is unknown is sent again only with --retry-unknown.'),
    row(95, 'Every problem of a file is found before the first call, with its line (2).'),
    row(96, 'Five consecutive refusals of the key end the run (4).'),
    row(97, 'A row that cannot be noted on the disk is not sent (13).'),
    row(98, 'If rows fail, the exit code is 11, and they are written to a file that can be run again.'),
  ],
  Signals: [
    row(99, 'Ctrl-C ends a wait, a connection or a hidden question at once: exit 130, with the terminal restored.'),
    row(100, 'After Ctrl-C a bulk run starts no new row; a second Ctrl-C ends it at once.'),
    row(101, 'SIGTERM and SIGHUP end a server within 5 s, with its port free and all data written: 143, 129.'),
    row(102, 'sandbox run ends with the exit code of its command, and leaves no process running.'),
  ],
  'The page and the address of the sandbox': [
    row(103, 'Markup in any text is shown as text; the page allows only its own scripts.'),
    row(
      104,
      'A return address must be absolute https, or http on loopback; with any other address the page opens no payment.',
    ),
    row(
      105,
      'The result is added to the return address without duplicate parameters; `undefined` means no pre-approval.',
    ),
    row(106, 'The page sends no referrer, and loads nothing from other servers.'),
    row(107, 'A token that is old, forged, unsigned or used is refused, and a double click pays once.'),
    row(
      108,
      'A request with a foreign Host is answered with 421, one from a foreign origin with 403, and no other origin may read an answer.',
    ),
    row(
      109,
      'The sandbox can be controlled only with the token stored on this machine; the payment page can be framed only by the origin that it was opened for.',
    ),
  ],
  'What is shipped': [
    row(
      110,
      'Every package is locked to the registry with its hash, only one (Node) may run a script at installation, and the list of shipped files is fixed.',
    ),
  ],
  'The end of a command': [
    row(
      111,
      'The exit code is 1 until the command sets it; if the work of a command never settles, the command reports this and its last step.',
    ),
    row(112, 'A failing callback is never lost: a fault inside a server ends it and is reported with its place.'),
    row(
      113,
      'At the end of a command everything is closed, the error of the command is kept, and failures while closing are reported.',
    ),
  ],
  'Files of bnpl, and what happens to them': [
    row(
      114,
      'For every file that the program makes or trusts, this page says what happens after every mishap, before the start and while the program runs.',
    ),
    row(115, 'When two commands use the same file, both succeed, or the second is refused (3) and names the first.'),
    attack(
      1,
      'An inbox whose file is removed, replaced or emptied while the receiver runs is noticed: 503, not ready, and reported.',
    ),
    attack(
      5,
      'None of our files is opened through a symbolic link; this includes the reserved space of the inbox and the folder of snapshots.',
    ),
    attack(6, 'A damaged inbox is refused (3) by every command that reads it, before anything is received.'),
    attack(
      9,
      'The receiver replaces and removes only ready files that it wrote itself; any other file with that name is refused and unchanged.',
    ),
    attack(21, '/readyz answers 503 until a delivery of the usual size fits on the disk.'),
    attack(22, 'If the disk is full at the start, the program says so and ends with exit 13.'),
    attack(26, 'A second receiver on one inbox is refused, even if the lock file was removed.'),
    attack(28, 'A file is checked before it is changed, so that files of other programs stay unchanged.'),
    attack(17, 'A secret file that others can read, and a secret that is too short, are reported at the start.'),
  ],
  'Runs over files, tried by attack': [
    database(
      1,
      'An interrupted run can be resumed to its end, wherever it was interrupted and however long its rows are.',
    ),
    attack(2, 'If two runs write to one file, the second is refused (3), so that results are never mixed.'),
    attack(7, 'Runs over different files do not affect each other, however many start at the same time.'),
    attack(10, 'If a file with the name of the results appears during a run, it is not replaced without --force.'),
    attack(11, 'If the input changes during a run, the run ends: only checked rows are sent.'),
    attack(12, 'If rows are added to a file after its run has ended, the next run sends only the new rows.'),
    attack(20, 'A control character in a result file is made visible, unless --csv-raw is given.'),
    attack(32, 'If the results cannot be opened, the hint says what to do about the actual cause.'),
  ],
  'What runs in our process': [
    attack(
      3,
      'The compile cache is used only if its folder belongs to this user, has mode 0700 and is not a link, and nobody else can write in the folders above it.',
    ),
    attack(4, 'No signal opens a debugger.'),
    attack(14, 'If the home or cache folder cannot contain files, the program starts without a cache.'),
    attack(
      27,
      'A closed stdout is treated like the null device, because Node shows no difference between them.',
      'docs/decisions/008-a-closed-stdout-is-the-null-device.md',
    ),
    attack(29, 'PGPASSWORD is not passed to child programs if it opens the database of bnpl itself.'),
    attack(31, 'Bundled packages are listed with version and licence, and can be audited.'),
  ],
  'The receiver, tried by attack': [
    attack(
      13,
      'If a proxy answers 502, 503, 504 or 429 for the handler, no event is set aside: events wait in order, for days if necessary; Retry-After is obeyed.',
    ),
    attack(16, 'A secret file that is gone or unreadable is reported; the last good secret stays valid.'),
    attack(18, 'A line break in an eventId does not start a new line on stderr.'),
    attack(19, 'Text of an event cannot control a terminal, even through a pipe.'),
    attack(23, 'A request with two Host headers is answered with 400 by every server of bnpl.'),
    attack(24, 'A request with a foreign Host is answered with 421 before the client is asked for its body.'),
    attack(25, 'An event that can never be sent is set aside after its attempts, and the next event is sent.'),
    database(
      2,
      'When a receiver is stopped, frozen or cut off, another receiver forwards for its destination within seconds.',
    ),
    database(3, 'A pooler that does not keep sessions is noticed at the start and refused (3).'),
  ],
  'The sandbox, tried by attack': [
    attack(8, 'A sandbox must prove that it knows its token before a command trusts it or sends data.'),
    attack(15, 'A return address may be http only if it leads to this machine.'),
    attack(30, 'A destination whose address contains control characters is refused with 400.'),
    database(
      6,
      'While the database of a receiver or of a sandbox is read-only, full or locked, calls are answered with 503 and Retry-After, and one line is reported.',
    ),
    database(7, 'Sandboxes that share a database use the clock of the database when they claim deliveries.'),
    page(
      '1.1',
      'The key of the window stays with its origin and port: it is not a cookie, and a server on another port cannot get it.',
    ),
    page(
      '1.2',
      'A cookie of another port cannot lock the user out of the window, and the window never reloads by itself.',
    ),
    page('1.3', 'Text copied from the window is the displayed text, and is safe to paste.'),
    page(
      '1.4',
      'If an address of the window names an item that does not exist, the window says so, and the rest of the page works.',
    ),
    page(
      '1.5',
      'No row of a list moves while the pointer or the focus is in the list, so that a click opens the row under the pointer.',
    ),
    page('1.6', 'Loading a snapshot asks first, and keeps the state that it replaces.'),
    page('1.7', 'A confirmation that the browser stopped can be sent again, and is never paid twice.'),
    page('1.8', 'While the sandbox is away the window says what to do, and an action says why it failed.'),
    page('1.9', 'All tabs of a browser share one stream: however many are open, the payment page opens.'),
    page(
      '1.10',
      'A return address is https, or http to this machine; with any other address the page opens no payment.',
    ),
    page(
      '1.11',
      'If no row matches a filter, the page says so and offers to clear it; filters, the open item, the language and the chosen plan are kept after a reload; a preview of a report does not use up a link; the widget reports each way in which a payment can end.',
    ),
    page('2', 'Text from outside never runs as code, in any view of the window and on any page.'),
    page(
      '3',
      'The focus moves to an item that is opened, and back when it is closed; every button has a different name; an error is shown at its field; the redirect to the merchant can be stopped.',
    ),
    page('4.1', 'Figures and times in a list are aligned.'),
    page('4.2', 'The names of the steps of a payment are only in the head of the list, above their symbols.'),
    page('4.3', 'Every sum is shown with its currency, everywhere in the same form.'),
    page('4.4', 'A request is listed with its endpoint and what it was about.'),
    page('4.5', 'The view of webhooks shows the deliveries first; the destinations above them are folded.'),
    page('4.6', 'In forced colours each state has a shape of its own.'),
    page(
      '4.7',
      'The controls show their commands on request; controls that delete come last; accounts are folded on a phone.',
    ),
    page('4.8', 'An open item shows its facts before its actions, and its commands are folded.'),
    page(
      '4.9',
      'A time is shown with its date and how long ago it was; an id is shown by its two ends, with one button to copy it.',
    ),
    page(
      '4.10',
      'The total and the cost of a plan are shown as clearly as its installment; the page uses the whole of a wide screen.',
    ),
    page('5', 'When new rows appear, the layout shift is less than 0.05, because the rows slide to their places.'),
  ],
  'Calls, tried by attack': [
    database(4, 'A proxy address that cannot be read is exit 3, whatever is wrong with it.'),
    database(5, 'An unrequested interim answer (1xx) is skipped.'),
    database(8, 'An error of a proxy is reported as the proxy’s, and an error about a certificate names the remedy.'),
  ],
}
