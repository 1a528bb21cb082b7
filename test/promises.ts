/** What the program promises under faults and attack, a row each. The tests that hold a row name it in their titles. */
export interface Promised {
  /** `row 16`, or `attack 7` and the like: a fault that was found by trying, by the number it was found under. */
  name: string
  promise: string
  /** The decision that says why the row has no test of its own. */
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

/** By the part of the program they are about, in order. */
export const PROMISES: Readonly<Record<string, readonly Promised[]>> = {
  'Keys and secrets': [
    row(1, 'No option takes a secret: one that is typed as an argument is refused (2) and not repeated.'),
    row(2, 'A key with a line break, a blank or a foreign letter inside is refused (3) and not printed.'),
    row(
      3,
      'A keyring that is absent, fails or hangs is left after 3 s with a word; the file is used only with a notice.',
    ),
    row(
      4,
      'Files of settings and state end 0600, their folders 0700, whatever the umask and whatever they were before.',
    ),
    row(5, 'A symbolic link in the place of a file of ours is refused (3) and what it points to is left alone.'),
    row(6, 'A redirect of the service is not followed (8): no other server is asked, and none sees the key.'),
    row(7, 'A stored key goes to the origin it was stored for; any other address is refused (3) before a connection.'),
    row(8, 'Nothing in the folder a command runs in changes where a key goes.'),
    row(9, 'A production profile announces itself, and what changes something there asks, or needs --yes (2).'),
    row(10, 'Programs that are started inherit no secret of ours.'),
    row(
      11,
      'NODE_DEBUG, which prints what is sent, is refused with a live key wherever something is sent or received; a diagnostic report of Node has no secret.',
    ),
    row(
      12,
      'An error that nobody foresaw shows its place, and neither its message nor its fields, wherever it is thrown.',
    ),
    row(13, 'doctor, profiles and --json show a fingerprint of a secret, never the secret.'),
    row(
      14,
      'A bad certificate is exit 9 without a second try; unchecked TLS is refused (3); a proxy sees CONNECT and no key.',
    ),
  ],
  'Calls to the service': [
    row(15, 'Nothing listens, or the name is unknown: nothing was sent, three tries, exit 9.'),
    row(16, 'A payment call that was sent and got no answer is sent once: exit 12, with the way to find out.'),
    row(17, 'A read that is cut is tried three times at most: exit 9.'),
    row(18, '--timeout covers the whole answer, also one that drips: exit 9, for a payment call 12.'),
    row(
      19,
      'Retry-After is honoured in seconds and as a date, ignored when it is nonsense, refused above a minute (7).',
    ),
    row(20, 'A 429 pauses every worker of a bulk run.'),
    row(21, 'Both 503 of a report that is being made pass by repeating, and are told by their code when they do not.'),
    row(22, 'A payment call that is answered 5xx is not repeated: exit 12.'),
    row(23, 'An answer that is not as specified is exit 8, for a payment call 12; fields nobody documented are kept.'),
    row(24, 'An answer is read up to 10 MiB and 64 levels; more is exit 8, in flat memory.'),
    row(25, '`__proto__` in an answer is a field like any other.'),
    row(26, 'Amounts are whole numbers up to 2^53 − 1, digit for digit, or refused.'),
    row(27, 'What is not HTTP as it should be is exit 8, never a stack trace.'),
    row(28, 'An id in a path arrives as it was meant, or is refused (2) with nothing sent.'),
    row(29, 'Fields of a form arrive as they were typed, whatever is in them.'),
    row(30, 'A payment call opens a connection of its own.'),
    row(
      31,
      'The odd 400 and 401 of the report endpoint mean what the specification says; a key is never deleted for it.',
    ),
    row(32, 'A widget token whose ten minutes are over is refused before use; waits go by the monotonic clock.'),
  ],
  Reports: [
    row(33, 'The request to the storage has no key, no cookie and no referrer, also where it shares our origin.'),
    row(34, 'A download that is cut is exit 9; the old file stays, and nothing else is left.'),
    row(35, 'A cut that the protocol does not show is found by the end mark of the PDF.'),
    row(36, 'No encoding is asked for and none is taken (8).'),
    row(37, 'What is not a PDF is not saved (8); a link that died is asked for once more.'),
    row(38, 'Parts are never joined: what is not the whole file is fetched from its start.'),
    row(39, 'A link is never kept, and shown only by the command that is asked for it.'),
    row(40, 'A full disk at any byte is exit 13: the old file whole, nothing half-written left.'),
    row(41, 'kill -9 leaves the old report or the new one, and the next run clears up.'),
    row(42, 'What stands in the place of a report is kept without --force (2); links, pipes and folders always are.'),
    row(43, 'A report has its specified name, whatever a header says.'),
    row(44, 'The link of an event is followed over exactly one redirect, to where it may lead, without a key.'),
    row(45, 'Downloads of one report at once all end whole; a PDF is not written to a terminal (2).'),
  ],
  'The webhook receiver': [
    row(46, 'A signature of any kind that does not fit is 401, never 500.'),
    row(47, 'A signature that is sent twice is 401.'),
    row(48, 'The signature is checked over the bytes as they came, and these are kept.'),
    row(
      49,
      'Another method, path or encoding is answered with its status, and leaves nothing; the type decides nothing.',
    ),
    row(50, 'Only the algorithm and encoding that were configured count, whatever a header announces.'),
    row(51, 'Without a secret it does not start (3).'),
    row(52, 'The time to refuse a secret does not tell how much of it is right.'),
    row(53, 'Two secrets are accepted during a rotation, which needs no restart.'),
    row(54, 'Of a thousand copies at once each is acknowledged and one is emitted.'),
    row(55, 'What was emitted is known for ever, also after a restart and after its body was pruned.'),
    row(56, 'Another body under a known eventId is kept, told, and not emitted.'),
    row(
      57,
      'An event under the static token is unconfirmed (whoever has the token could have made it) until the service says the same.',
    ),
    row(58, 'The scheme is fixed when it starts; a header of the other one is 401.'),
    row(59, 'The same eventId at two destinations is two events.'),
    row(60, 'What is verified and odd is acknowledged and kept raw; what is not verified leaves nothing.'),
    row(61, 'Slow clients are cut within 2.5 s, and deliveries go through meanwhile.'),
    row(62, 'A body over 1 MiB is 413, announced or not, in flat memory.'),
    row(63, 'Five hundred connections at once lose none; a low limit of open files is said at the start.'),
    row(64, 'A slow or dead handler delays no acknowledgement; what waits for it is on the disk.'),
    row(65, 'A handler gets the bytes on a connection, never through a shell; its redirects are not followed.'),
    row(66, 'On a full disk there is no 200 without a record.'),
    row(67, 'After kill -9 every acknowledged event is there.'),
    row(68, 'The disk is synced before the answer leaves.'),
    row(69, 'It listens on this machine alone and answers to its own names (421); a port that is taken is exit 3.'),
  ],
  'Deliveries of the sandbox': [
    row(70, 'new_lead has 3 s and is sent once, ever.'),
    row(71, 'The others are sent again on a schedule that is a setting, with the same bytes and eventId.'),
    row(72, 'A redirect of a receiver is a failure.'),
    row(73, 'A receiver has one deadline for everything, and 20 kB of its answer are read.'),
    row(74, 'Exactly ten destinations, however many are made at once; a deleted one gets nothing more.'),
    row(75, 'Private addresses are refused when the connection is made; loopback only where it was allowed.'),
    row(76, 'After kill -9 what may be sent again is, and a new_lead under way is shown as lost.'),
    row(77, 'A destination that hangs delays no other.'),
    row(78, 'Retry-After is kept between one and two steps; the wait varies by a fifth.'),
    row(79, 'The two registrations refuse, ignore and name what the specification says.'),
  ],
  'Output and the terminal': [
    row(80, 'A result that cannot be written is exit 13, for every command.'),
    row(81, 'A reader that leaves is exit 141 in silence; what was done is remembered.'),
    row(82, 'Text from outside cannot drive a terminal, wherever it stands.'),
    row(83, 'A cell that a spreadsheet would run is made harmless, but with --csv-raw.'),
    row(84, 'National ids and addresses are masked in all that is said, and kept nowhere.'),
    row(
      85,
      'Six known secrets: none in what is said at --verbose or in a crash, in a command line, in the history, in a ledger, in what kill -9 leaves.',
    ),
    row(86, 'Without a terminal nothing is asked: exit 2 at once.'),
    row(87, 'A browser is given https or loopback addresses only, and as an argument.'),
    row(116, 'A table is as wide as it says for any text: one measure of width for everything.'),
  ],
  'Settings and state': [
    row(88, 'Every change of many processes at once is kept.'),
    row(89, 'A lock dies with its holder, however that dies.'),
    row(90, 'A writer that is killed leaves a whole file.'),
    row(91, 'A file that cannot be used is named, refused (3) and left as it is; the environment still works.'),
    row(92, 'A second process on one inbox or one bulk run is refused (3) and told the pid of the first.'),
  ],
  'Bulk runs': [
    row(93, 'Killed at any moment and resumed, no row is sent twice, and only those in flight are unknown.'),
    row(94, 'A row of unknown outcome is sent again only with --retry-unknown.'),
    row(95, 'Whatever is wrong with a file is found before the first call, with its line (2).'),
    row(96, 'Five refusals of the key in a row end the run (4).'),
    row(97, 'What cannot be noted on the disk is not sent (13).'),
    row(98, 'Rows that failed are exit 11, and a file that can be run again.'),
  ],
  Signals: [
    row(99, 'Ctrl-C ends a wait, a connection or a hidden question at once: 130, the terminal as it was.'),
    row(100, 'Ctrl-C in a bulk run begins nothing new; a second one ends at once.'),
    row(101, 'SIGTERM and SIGHUP end a server within 5 s, its port free and everything written: 143, 129.'),
    row(102, 'sandbox run passes on the code of its command and leaves no process.'),
  ],
  'The page and the address of the sandbox': [
    row(103, 'Markup in any text is text; the page allows no script but its own.'),
    row(104, 'A return address is absolute https, or http on loopback; any other opens no payment.'),
    row(105, 'The result is set into the return address without doubling what is there; `undefined` is none.'),
    row(106, 'The page sends no referrer and asks no other server for anything.'),
    row(107, 'A token that is old, forged, unsigned or used is refused, and a double click pays once.'),
    row(108, 'A foreign Host is 421, a foreign page 403, and no other origin may read an answer.'),
    row(109, 'Driving it needs the token of this machine; the page is framed only by the origin it was opened for.'),
  ],
  'What is shipped': [
    row(
      110,
      'Every package is locked to the registry with its hash, one may run a script when it is installed (Node), the list of files is fixed.',
    ),
  ],
  'The end of a command': [
    row(
      111,
      'The exit code is 1 until the command decides otherwise; a command whose work never settles says so, and where.',
    ),
    row(
      112,
      'A callback that fails cannot be lost: a fault inside a server ends it with its place, whichever path it took.',
    ),
    row(113, 'Closing runs everything, keeps the command’s own error, and reports what else failed.'),
  ],
  'Files of ours, and what happens to them': [
    row(
      114,
      'Every file that the program makes or trusts has one stated outcome for every mishap, before the start and while it runs.',
    ),
    row(115, 'Two commands that meet in a file are both right, or the second is refused (3) and names the first.'),
    attack(
      1,
      'An inbox whose file is removed, replaced or emptied while the receiver runs is noticed: 503, not ready, and reported.',
    ),
    attack(5, 'No file of ours is opened through a symbolic link, neither the reserve nor the folder of snapshots.'),
    attack(6, 'A damaged inbox is refused (3) by every command that reads it, before anything is received.'),
    attack(9, 'A ready file replaces and removes only a ready file; any other file is refused and kept.'),
    attack(21, '/readyz is 503 until a delivery of the usual size fits on the disk.'),
    attack(22, 'A full disk at the start is exit 13 and says so.'),
    attack(26, 'A second receiver on one inbox is refused, also where the lock file was removed.'),
    attack(28, 'A file that is not ours is looked at before anything about it is changed.'),
    attack(17, 'A secret file that others can read, and a secret too short to be one, are reported at the start.'),
  ],
  'Runs over files, tried by attack': [
    database(1, 'A run that was interrupted is resumed to its end, wherever it was cut and however long its rows are.'),
    attack(2, 'Two runs that write to one file: the second is refused (3), and each result is its own.'),
    attack(7, 'Runs that have nothing in common do not disturb each other, however many start at once.'),
    attack(10, 'A file that appears in the place of the results during a run is kept without --force.'),
    attack(11, 'An input that changes while it is run stops the run: nothing is sent that was not checked.'),
    attack(12, 'A finished file with rows added sends the new rows alone.'),
    attack(20, 'A control character in a result file is made visible, but with --csv-raw.'),
    attack(32, 'The hint of a failure to open results fits its cause.'),
  ],
  'What runs in our process': [
    attack(
      3,
      'The compile cache is used only where nobody else can write: our own folder, 0700, not a link, and every folder above it.',
    ),
    attack(4, 'No signal opens a debugger.'),
    attack(14, 'A home or cache folder that cannot hold files costs nothing: the program starts without a cache.'),
    attack(
      27,
      'A closed stdout is the null device, which a parent that discards the output gives in the same way.',
      'docs/decisions/008-a-closed-stdout-is-the-null-device.md',
    ),
    attack(29, 'PGPASSWORD is not handed to programs we start where it opens a database of ours.'),
    attack(31, 'What is bundled is listed with its version and licence, and can be audited.'),
  ],
  'The receiver, tried by attack': [
    attack(
      13,
      'A handler behind a proxy that answers 502, 503, 504 or 429 is waited for, in order, for days; Retry-After is kept.',
    ),
    attack(16, 'A secret file that is gone or unreadable is reported; the last good secret stays in force.'),
    attack(18, 'A line break in an eventId makes no line of its own on stderr.'),
    attack(19, 'Text of an event drives no terminal, in a pipe either.'),
    attack(23, 'Two Host headers are 400 at every server of ours.'),
    attack(24, 'A foreign Host is 421 before it is asked to go on.'),
    attack(25, 'An event that cannot be sent at all is set aside after its attempts, and the queue goes on.'),
    database(2, 'A receiver that is stopped, frozen or cut off loses its destination to another within seconds.'),
    database(3, 'A pooler that does not keep sessions is noticed at the start and refused (3).'),
  ],
  'The sandbox, tried by attack': [
    attack(8, 'A sandbox proves that it knows its token before it is believed or sent anything.'),
    attack(15, 'A return address is http only where it leads to this machine.'),
    attack(30, 'An address of a destination with control characters is 400.'),
    database(
      6,
      'A database that is read-only, full or locked is 503 with Retry-After and one line, in the sandbox too.',
    ),
    database(7, 'The time that claims go by is the database’s, always.'),
    page(
      '1.1',
      'What opens the window stays with its origin and port: no cookie, nothing that a server on another port gets.',
    ),
    page('1.2', 'A cookie that another port sets cannot shut the window out, and the window never reloads by itself.'),
    page('1.3', 'What is copied from the window is safe to paste, and is what is shown.'),
  ],
  'Calls, tried by attack': [
    database(4, 'A proxy address that cannot be read is exit 3, whatever is wrong with it.'),
    database(5, 'An interim answer (1xx) that nobody asked for is read over.'),
    database(
      8,
      'An error of a proxy is reported as the proxy’s, and an error of a certificate names what would mend it.',
    ),
  ],
}
