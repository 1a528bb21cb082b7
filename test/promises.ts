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
      'A keyring that is absent, fails or hangs is given up after 3 s with a message; the file is used instead only with a notice.',
    ),
    row(
      4,
      'Files of settings and state have mode 0600 and their folders 0700 after use, whatever the umask and their earlier modes.',
    ),
    row(5, 'A symbolic link in the place of one of our files is refused (3), and its target is unchanged.'),
    row(6, 'A redirect of the service is not followed (8): no other server is asked, and none sees the key.'),
    row(7, 'A stored key is sent only to its origin; any other address is refused (3) before a connection.'),
    row(8, 'No file in the current folder changes where a key is sent.'),
    row(9, 'A production profile shows a banner, and a command that changes something there asks or needs --yes (2).'),
    row(10, 'Child programs inherit none of its secrets.'),
    row(
      11,
      'NODE_DEBUG, which prints traffic, is refused with a live key by every command that sends or receives; a diagnostic report of Node contains no secret.',
    ),
    row(12, 'An unforeseen error is reported with its place, and never with its message or fields.'),
    row(13, 'doctor, profiles and --json show a fingerprint of a secret, never the secret.'),
    row(
      14,
      'A bad certificate is exit 9 without a second try; unchecked TLS is refused (3); a proxy sees CONNECT and no key.',
    ),
  ],
  'Calls to the service': [
    row(15, 'Without a listener, or with an unknown host name, nothing is sent: three attempts, exit 9.'),
    row(
      16,
      'A payment call without an answer is sent only once: exit 12, and the hint says how to find out what happened.',
    ),
    row(17, 'A read that is cut is tried three times at most: exit 9.'),
    row(18, '--timeout covers the whole answer, even one that drips: exit 9, for a payment call 12.'),
    row(
      19,
      'Retry-After is honoured in seconds and as a date, ignored when it is nonsense, refused above a minute (7).',
    ),
    row(20, 'A 429 pauses every worker of a bulk run.'),
    row(21, 'Both 503 of a report are repeated, and reported by their code if they persist.'),
    row(22, 'A payment call that is answered 5xx is not repeated: exit 12.'),
    row(23, 'An answer that is not as specified is exit 8, for a payment call 12; undocumented fields are kept.'),
    row(24, 'An answer is read up to 10 MiB and 64 levels; more is exit 8, in flat memory.'),
    row(25, '`__proto__` in an answer is a field like any other.'),
    row(26, 'Amounts are whole numbers up to 2^53 − 1, digit for digit, or refused.'),
    row(27, 'An answer that is not valid HTTP is exit 8, never a stack trace.'),
    row(28, 'An id in a path arrives unchanged, or is refused (2) with nothing sent.'),
    row(29, 'Fields of a form arrive unchanged, whatever they contain.'),
    row(30, 'A payment call opens a new connection.'),
    row(
      31,
      'The odd 400 and 401 of the report endpoint mean what the specification says; a key is never deleted for it.',
    ),
    row(32, 'A widget token whose ten minutes are over is refused before use; waits use the monotonic clock.'),
  ],
  Reports: [
    row(33, 'The request to the storage has no key, no cookie and no referrer, even on the origin of the service.'),
    row(34, 'A download that is cut is exit 9; the old file stays, and nothing else is left.'),
    row(35, 'A broken transfer that the protocol does not show is detected by the end mark of the PDF.'),
    row(36, 'No encoding is requested, and none is accepted (8).'),
    row(37, 'An answer that is not a PDF is not saved (8); for an expired link a new one is requested once.'),
    row(38, 'Parts are never joined: after a broken transfer the file is fetched from its start.'),
    row(39, 'A link is never stored, and only the command for links shows it.'),
    row(40, 'A full disk at any byte is exit 13: the old file stays whole, and no half-written file remains.'),
    row(41, 'kill -9 leaves the old report or the new one, and the next run removes leftovers.'),
    row(
      42,
      'An existing file in the place of a report is kept without --force (2); links, pipes and folders are always kept.',
    ),
    row(43, 'A report has its specified name, whatever a header says.'),
    row(44, 'The link of an event is followed over exactly one redirect to an allowed address, without a key.'),
    row(45, 'Simultaneous downloads of one report all succeed; a PDF is not written to a terminal (2).'),
  ],
  'The webhook receiver': [
    row(46, 'Any signature that does not match is 401, never 500.'),
    row(47, 'A signature that is sent twice is 401.'),
    row(48, 'The signature is checked over the received bytes, which are stored unchanged.'),
    row(
      49,
      'Another method, path or encoding is answered with its status, and nothing is stored; the type decides nothing.',
    ),
    row(50, 'Only the configured algorithm and encoding count, whatever a header announces.'),
    row(51, 'Without a secret it does not start (3).'),
    row(52, 'The time to refuse a secret does not reveal how much of it is right.'),
    row(53, 'Two secrets are accepted during a rotation, which needs no restart.'),
    row(54, 'Of a thousand simultaneous copies each is acknowledged and one is emitted.'),
    row(55, 'An emitted event stays known, even after a restart and after its body was pruned.'),
    row(56, 'Another body with a known eventId is stored and reported, and not emitted.'),
    row(
      57,
      'An event with the static token is unconfirmed (anybody who knows the token could have sent it) until the service confirms it.',
    ),
    row(58, 'The scheme is fixed at the start; a header of the other scheme is 401.'),
    row(59, 'The same eventId at two destinations is two events.'),
    row(
      60,
      'A verified body that is not an event is acknowledged and stored unchanged; an unverified one is not stored.',
    ),
    row(61, 'Slow clients are cut within 2.5 s, and deliveries go through meanwhile.'),
    row(62, 'A body over 1 MiB is 413, announced or not, in flat memory.'),
    row(63, 'Five hundred connections at once lose none; a low limit of open files is reported at the start.'),
    row(64, 'A slow or dead handler delays no acknowledgement; events that wait for it are on the disk.'),
    row(65, 'A handler gets the bytes on a connection, never through a shell; its redirects are not followed.'),
    row(66, 'On a full disk there is no 200 without a record.'),
    row(67, 'After kill -9 every acknowledged event is there.'),
    row(68, 'The disk is synced before the answer is sent.'),
    row(
      69,
      'It listens only on this machine and answers only to its own names (otherwise 421); a taken port is exit 3.',
    ),
  ],
  'Deliveries of the sandbox': [
    row(70, 'A new_lead has 3 s and is sent only once.'),
    row(71, 'Other events are sent again on a configurable schedule, with the same bytes and eventId.'),
    row(72, 'A redirect of a receiver is a failure.'),
    row(73, 'A receiver has one deadline for the whole exchange, and at most 20 kB of its answer are read.'),
    row(
      74,
      'A partner has at most ten destinations, even with simultaneous registrations; a deleted one gets no more deliveries.',
    ),
    row(75, 'Private addresses are refused when the connection is made; loopback is accepted only if allowed.'),
    row(76, 'After kill -9 repeatable events are sent again, and a new_lead in progress is shown as lost.'),
    row(77, 'A destination that hangs delays no other.'),
    row(78, 'Retry-After sets a wait between one and two steps; waits vary by a fifth.'),
    row(79, 'The two registrations refuse and ignore what the specification says, and name the reason.'),
  ],
  'Output and the terminal': [
    row(80, 'A result that cannot be written is exit 13, for every command.'),
    row(81, 'A closed pipe is exit 141 without a message; finished work is recorded.'),
    row(82, 'Text from outside cannot control a terminal, wherever it appears.'),
    row(83, 'A cell that a spreadsheet would run is made harmless, unless --csv-raw is given.'),
    row(84, 'National ids and addresses are masked in all messages, and never stored.'),
    row(
      85,
      'None of six known secrets appears with --verbose, in a crash, a command line, the history, a ledger, or the files that kill -9 leaves.',
    ),
    row(86, 'Without a terminal nothing is asked: exit 2 at once.'),
    row(87, 'A browser gets only https or loopback addresses, as one argument.'),
    row(116, 'A table keeps its width for any text, because all widths are measured in one way.'),
  ],
  'Settings and state': [
    row(88, 'Every change of many processes at once is kept.'),
    row(89, 'A lock is released when its holder ends, however it ends.'),
    row(90, 'A writer that is killed leaves a whole file.'),
    row(91, 'A file that cannot be used is named, refused (3) and left as it is; the environment still works.'),
    row(92, 'A second process on one inbox or one bulk run is refused (3) with the pid of the first.'),
  ],
  'Bulk runs': [
    row(
      93,
      'When a run is killed at any moment and resumed, no row is sent twice, and only rows in flight are unknown.',
    ),
    row(94, 'A row of unknown outcome is sent again only with --retry-unknown.'),
    row(95, 'Every problem of a file is found before the first call, with its line (2).'),
    row(96, 'Five consecutive refusals of the key end the run (4).'),
    row(97, 'A row that cannot be noted on the disk is not sent (13).'),
    row(98, 'Failed rows are exit 11, and are written to a file that can be run again.'),
  ],
  Signals: [
    row(99, 'Ctrl-C ends a wait, a connection or a hidden question at once: exit 130, with the terminal restored.'),
    row(100, 'After Ctrl-C a bulk run starts no new row; a second Ctrl-C ends it at once.'),
    row(101, 'SIGTERM and SIGHUP end a server within 5 s, with its port free and all data written: 143, 129.'),
    row(102, 'sandbox run passes on the code of its command and leaves no process.'),
  ],
  'The page and the address of the sandbox': [
    row(103, 'Markup in any text is text; the page allows no script but its own.'),
    row(104, 'A return address is absolute https, or http on loopback; any other opens no payment.'),
    row(
      105,
      'The result is added to the return address without duplicate parameters; `undefined` means no pre-approval.',
    ),
    row(106, 'The page sends no referrer and asks no other server for anything.'),
    row(107, 'A token that is old, forged, unsigned or used is refused, and a double click pays once.'),
    row(108, 'A foreign Host is 421, a foreign origin 403, and no other origin may read an answer.'),
    row(
      109,
      'Controlling it needs the token of this machine; the page is framed only by the origin it was opened for.',
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
      'The exit code is 1 until the command sets it; a command whose work never settles reports that and its last step.',
    ),
    row(112, 'A failing callback is never lost: a fault inside a server ends it and is reported with its place.'),
    row(113, 'Closing runs every closer, keeps the command’s own error, and reports the other failures.'),
  ],
  'Files of bnpl, and what happens to them': [
    row(
      114,
      'Every file that the program makes or trusts has one stated outcome for every mishap, before the start and while it runs.',
    ),
    row(115, 'Two commands that use one file both succeed, or the second is refused (3) and names the first.'),
    attack(
      1,
      'An inbox whose file is removed, replaced or emptied while the receiver runs is noticed: 503, not ready, and reported.',
    ),
    attack(5, 'None of our files is opened through a symbolic link, neither the reserve nor the folder of snapshots.'),
    attack(6, 'A damaged inbox is refused (3) by every command that reads it, before anything is received.'),
    attack(9, 'A ready file replaces and removes only a ready file; any other file is refused and kept.'),
    attack(21, '/readyz is 503 until a delivery of the usual size fits on the disk.'),
    attack(22, 'A full disk at the start is exit 13 and says so.'),
    attack(26, 'A second receiver on one inbox is refused, even if the lock file was removed.'),
    attack(28, 'A file is checked before it is changed, so that files of other programs stay unchanged.'),
    attack(17, 'A secret file that others can read, and a secret that is too short, are reported at the start.'),
  ],
  'Runs over files, tried by attack': [
    database(
      1,
      'An interrupted run can be resumed to its end, wherever it was interrupted and however long its rows are.',
    ),
    attack(2, 'Of two runs that write to one file the second is refused (3), so that results never mix.'),
    attack(7, 'Runs that have nothing in common do not disturb each other, however many start at once.'),
    attack(10, 'A file that appears in the place of the results during a run is kept without --force.'),
    attack(11, 'An input that changes during a run stops it: only checked rows are sent.'),
    attack(12, 'A finished file with rows added sends the new rows alone.'),
    attack(20, 'A control character in a result file is made visible, unless --csv-raw is given.'),
    attack(32, 'The hint of a failure to open results fits its cause.'),
  ],
  'What runs in our process': [
    attack(
      3,
      'The compile cache is used only where nobody else can write: our own folder, 0700, not a link, and every folder above it.',
    ),
    attack(4, 'No signal opens a debugger.'),
    attack(14, 'If the home or cache folder cannot contain files, the program starts without a cache.'),
    attack(
      27,
      'A closed stdout is the null device, which a parent that discards the output gives in the same way.',
      'docs/decisions/008-a-closed-stdout-is-the-null-device.md',
    ),
    attack(29, 'PGPASSWORD is not passed to child programs if it opens the database of bnpl itself.'),
    attack(31, 'Bundled packages are listed with version and licence, and can be audited.'),
  ],
  'The receiver, tried by attack': [
    attack(
      13,
      'A handler behind a proxy that answers 502, 503, 504 or 429 stops no event: they wait in order, for days; Retry-After is respected.',
    ),
    attack(16, 'A secret file that is gone or unreadable is reported; the last good secret stays valid.'),
    attack(18, 'A line break in an eventId does not start a new line on stderr.'),
    attack(19, 'Text of an event cannot control a terminal, even through a pipe.'),
    attack(23, 'Two Host headers are 400 at every server of bnpl.'),
    attack(24, 'A foreign Host is 421 before the client is asked for its body.'),
    attack(25, 'An event that cannot be sent at all is set aside after its attempts, and the queue goes on.'),
    database(2, 'A receiver that is stopped, frozen or cut off loses its destination to another within seconds.'),
    database(3, 'A pooler that does not keep sessions is noticed at the start and refused (3).'),
  ],
  'The sandbox, tried by attack': [
    attack(8, 'A sandbox must prove that it knows its token before a command trusts it or sends data.'),
    attack(15, 'A return address may be http only if it leads to this machine.'),
    attack(30, 'An address of a destination with control characters is 400.'),
    database(
      6,
      'A database that is read-only, full or locked is 503 with Retry-After and one line, in the sandbox too.',
    ),
    database(7, 'Claims always use the time of the database.'),
    page(
      '1.1',
      'The key of the window stays with its origin and port: it is not a cookie, and a server on another port cannot get it.',
    ),
    page(
      '1.2',
      'A cookie of another port cannot lock the user out of the window, and the window never reloads by itself.',
    ),
    page('1.3', 'Text copied from the window is the displayed text, and is safe to paste.'),
    page('1.4', 'An address of the window that names nothing says so; the rest of the page works.'),
    page(
      '1.5',
      'No row of a list moves while the pointer or the focus is in it: a click opens the row that was aimed at.',
    ),
    page('1.6', 'Loading a snapshot asks first, and keeps the state that it replaces.'),
    page('1.7', 'A confirmation that the browser stopped can be sent again, and is never paid twice.'),
    page('1.8', 'While the sandbox is away the window says what to do, and an action says why it failed.'),
    page('1.9', 'All tabs of a browser share one stream: however many are open, the payment page opens.'),
    page('1.10', 'A return address is https, or http to this machine; any other opens no payment.'),
    page(
      '1.11',
      'A filter without a hit says so and can be cleared; filters, item, language and the chosen plan outlive a reload; a preview uses no link up; the widget reports each end.',
    ),
    page('2', 'No text of somebody else runs anything, in no view of the window and on no page.'),
    page(
      '3',
      'The focus follows what is opened and closed; every button has its own name; an error is beside its field; the way back can be stopped.',
    ),
    page('4.1', 'Figures and times of a list have one edge.'),
    page('4.2', 'The steps of payments are named once, above their shapes.'),
    page('4.3', 'A sum has its currency, in one form everywhere.'),
    page('4.4', 'A request is listed with its endpoint and what it was about.'),
    page('4.5', 'The deliveries begin at the top; the destinations are folded above them.'),
    page('4.6', 'In forced colours each state has a shape of its own.'),
    page('4.7', 'The controls show their commands when asked; what deletes is last; accounts are folded on a phone.'),
    page('4.8', 'An item shows its facts before its actions, and folds the commands.'),
    page('4.9', 'A time has its date and how long ago it was; an id is its ends and one button.'),
    page('4.10', 'The total and the cost of a plan are as strong as its installment; a wide screen is filled.'),
    page('5', 'What comes into a view moves less than 0.05 of it: the rows slide.'),
  ],
  'Calls, tried by attack': [
    database(4, 'A proxy address that cannot be read is exit 3, whatever is wrong with it.'),
    database(5, 'An unrequested interim answer (1xx) is skipped.'),
    database(8, 'An error of a proxy is reported as the proxy’s, and an error about a certificate names the remedy.'),
  ],
}
