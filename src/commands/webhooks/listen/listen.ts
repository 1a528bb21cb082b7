import { realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Context } from '../../../context.ts'
import { SANDBOX } from '../../../domain/sandbox-accounts.ts'
import { usage } from '../../../errors.ts'
import { type Define, examples, flag, offer } from '../../command.ts'
import { logAsAsked } from '../../long-run.ts'
import { VERIFICATION_SCHEMES } from '../signature-options.ts'
import { addListenOptions, LISTEN_DEFAULTS, readListenPlan } from './plan.ts'

export const define: Define = (command, act) => {
  addListenOptions(command).action(
    act(async (context, options) => {
      if (options.printSecret) return printSecret(context)
      logAsAsked(context, options.log)
      const plan = await readListenPlan(context, options)
      if (options.printUnit) return printUnit(context, options)
      const { startListening } = await import('./start.ts')
      await startListening(context, plan)
    }),
  )
  offer(command, '--scheme', VERIFICATION_SCHEMES)
  examples(command, [
    [
      'forward events of the sandbox to a handler; the secret is shown at the start',
      'bnpl webhooks listen -p sandbox --forward-to http://127.0.0.1:3000/hook',
    ],
    [
      'verify and store events, then forward them to a handler on this machine',
      'bnpl webhooks listen --forward-to http://127.0.0.1:3000/hook',
    ],
    [
      'behind a tunnel: register its address, and remove it when the listener stops',
      'bnpl webhooks listen --public-url https://abc.tunnel.example/hook',
    ],
    ['in a test: one event, as a line of JSON', 'bnpl webhooks listen --until 1 --ready-file ready.json > event.json'],
  ])
}

/** Throws `usage` for a real account, because its secret must not appear on a terminal. */
async function printSecret(context: Context): Promise<void> {
  const { environment, apiKey } = await context.settings()
  if (environment.value !== SANDBOX || apiKey === undefined)
    throw usage('--print-secret works only with the sandbox', 'Add -p sandbox.', 'NO_SANDBOX')
  const { listenerSecretOf } = await import('../../../domain/sandbox-secret.ts')
  const secret = listenerSecretOf(apiKey.value)
  await context.output.result({ secret }, () => secret)
}

type Options = Readonly<Record<string, unknown>>

/** The options whose file is read by systemd, which passes the receiver a copy that no other process can read. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  secretFile: 'webhook-secret',
  databasePasswordFile: 'database-password',
}
/** The options that a service cannot have, or that have their default value in every service. */
const LEFT_OUT = ['printUnit', 'printSecret', 'print']
const DEFAULTS: Options = LISTEN_DEFAULTS
const HOMES = ['/home', '/root', '/run/user']

/** Prints a systemd unit that runs this program on this machine as a receiver with these options. */
async function printUnit(context: Context, options: Options): Promise<void> {
  const { world, output } = context
  const unfit = ['until', 'secretStdin', 'publicUrl'].find(
    (name) => options[name] !== undefined && options[name] !== false,
  )
  if (unfit !== undefined) throw usage(`a service cannot use ${flag(unfit)}`, `Remove ${flag(unfit)}.`, 'NOT_IN_A_UNIT')
  if (options.secretFile === undefined)
    throw usage(
      '--print-unit needs --secret-file, because a service has no access to the profiles of a user',
      'Write the secret to a file that only root can read, such as /etc/bnpl/webhook-secret, and name it with --secret-file.',
      'NO_SECRET_FILE',
    )
  await output.raw(unitText(world, options).trimEnd())
  output.note(
    `To use this unit, write it to /etc/systemd/system/bnpl-receiver.service, and run as root: systemctl enable --now bnpl-receiver`,
  )
}

/**
 * Returns the text of the unit.
 * @param runtime the paths of Node and of this program
 */
export function unitText(
  { runtime, cwd }: { runtime: { execPath: string; program: string; isExecutable: boolean }; cwd: string },
  options: Options,
): string {
  const words: string[] = []
  const credentials: string[] = []
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === DEFAULTS[name] || LEFT_OUT.includes(name)) continue
    const credential = CREDENTIALS[name]
    if (credential !== undefined) {
      // systemd reads no quotes here.
      credentials.push(`LoadCredential=${credential}:${resolve(cwd, String(value)).replaceAll('%', '%%')}`)
      words.push(flag(name), `%d/${credential}`)
    } else if (value === true) words.push(flag(name))
    else for (const each of [value].flat()) words.push(flag(name), unitWord(String(each)))
  }
  const program = (runtime.isExecutable ? [runtime.execPath] : [runtime.execPath, runtime.program]).map(unitWord)
  const line = [...program, 'webhooks', 'listen', ...words, '--no-print', '--no-input'].join(' ')
  return `${HEAD}ExecStart=${line}
Environment=BNPL_STATE_DIR=%S/bnpl-receiver
Environment=BNPL_CONFIG_DIR=%S/bnpl-receiver
${credentials.join('\n')}
${homesShown(TAIL, runtime)}`
}

/**
 * Shows the folders of Node and of this program to the service, if they are in a home folder, as with nvm. Everything else in the home
 * folders stays hidden, and their modes do not matter.
 */
function homesShown(
  text: string,
  { execPath, program, isExecutable }: { execPath: string; program: string; isExecutable: boolean },
): string {
  // Node is in bin/ of its folder, and the script of this program in bin/ of the package. A single executable needs no other file.
  const places = isExecutable ? [execPath] : [execPath, program, real(program)].map((file) => dirname(dirname(file)))
  const folders = places.filter((place) => HOMES.some((home) => place.startsWith(`${home}/`)))
  const outer = [...new Set(folders)].filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)))
  if (outer.length === 0) return text
  const shown = `ProtectHome=tmpfs\nBindReadOnlyPaths=${outer.map(unitWord).join(' ')}`
  return text.replace('ProtectHome=yes', shown)
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Quotes a text as one word of a unit. systemd replaces `%` and `$`. */
function unitWord(text: string): string {
  const escaped = text.replaceAll('%', '%%').replaceAll('$', '$$$$')
  return /^[\w./:@%$+,=-]+$/.test(escaped) ? escaped : `"${escaped.replace(/["\\]/g, '\\$&')}"`
}

const HEAD = `# The webhook receiver as a service of systemd. docs/production.md says how to set it up.
[Unit]
Description=Receiver of BNPL webhooks
After=network-online.target
Wants=network-online.target
# Never give up restarting, because events are lost while no receiver runs.
StartLimitIntervalSec=0

[Service]
Type=exec
`

const TAIL = `User=bnpl-receiver
DynamicUser=yes
StateDirectory=bnpl-receiver
StateDirectoryMode=0700
Restart=always
RestartSec=1
# After a SIGTERM the receiver writes everything to the disk and ends with 143, within 5 s.
TimeoutStopSec=10
SuccessExitStatus=143
LimitNOFILE=65536
UMask=0077

# The receiver may only use the network and write to its own folder. MemoryDenyWriteExecute is left out, because V8 compiles code.
CapabilityBoundingSet=
LockPersonality=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
PrivateUsers=yes
ProcSubset=pid
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources

[Install]
WantedBy=multi-user.target
`
