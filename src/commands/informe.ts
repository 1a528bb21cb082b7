import type { Context } from '../context.ts'
import { INFORME_LINK_LIFE_MS } from '../contract/time-limits.ts'
import { formatDuration } from '../domain/clock.ts'
import { BnplError, config, DryRun, type ErrorKind, usage } from '../errors.ts'
import { formatBytes, formatPath } from '../terminal/numbers.ts'
import { showEach } from '../terminal/output.ts'
import { measureFor } from '../terminal/wrap.ts'
import { visible } from '../text/visible.ts'
import { addFrom, addRows, refuseMixed } from './bulk/options.ts'
import { type Command, type Define, examples, type OptionsOf } from './command.ts'
import { dryRunOfMany, isUnservedSandbox, nextCommand, noteOtherRequests } from './global-options.ts'
import { ask, readPreApproveId } from './option-values.ts'
import {
  freshLink,
  pipeReport,
  problemsOf,
  type ReportPlace,
  readReportLink,
  reportPath,
  type SavedReport,
  saveReport,
} from './report-download.ts'

export const define: Define = (command, act) => {
  defineGet(command.command('get').alias('show'), act)
  defineDownload(command.command('download'), act)
  defineOpen(command.command('open'), act)
  examples(command, [
    ['a report as a file, PreAprobacion_<id>.pdf', 'bnpl informe download PREAPPROVEID'],
    ['the reports of a file with a column preApproveId', 'bnpl informe download --from ids.csv --dir reports'],
    ['get a link that is valid for half an hour', 'bnpl informe get PREAPPROVEID'],
  ])
}

const defineGet: Define = (command, act) => {
  command
    .description('print a fresh link to a report, without storing the link')
    .argument('<preApproveId...>', 'ids of pre-approvals (idPreAprobacion), not preLoanRequestIds')
    .action(
      act(async (context, _, ids) => {
        const wanted = ids.map((each) => readPreApproveId(context, 'PREAPPROVEID', each))
        if (context.options.dryRun) return dryRunOfMany(wanted, (id) => freshLink(context, id))
        const links = async function* () {
          for (const id of wanted) yield await freshLink(context, id)
        }
        await showEach(links(), (done) =>
          context.output.result(wanted.length === 1 ? done[0] : done, () => done.map(({ url }) => url).join('\n')),
        )
        if (await isUnservedSandbox(context))
          context.output.note(
            'The sandbox is not running, so the link cannot be opened. Start the sandbox: bnpl sandbox start',
          )
        context.output.note(
          `Everybody who has the link can open the report for ${formatDuration(INFORME_LINK_LIFE_MS)}. Save the PDF with: ${nextCommand(context, 'bnpl informe download', [ids[0] ?? ''])}`,
        )
      }),
    )
  examples(command, [
    ['only the link, for a browser', 'bnpl informe get PREAPPROVEID -p sandbox:real-estate'],
    ['the link with its expiry, for a script', 'bnpl informe get PREAPPROVEID --json'],
  ])
}

const defineOpen: Define = (command, act) => {
  command
    .description('open a report in the browser, with a fresh link')
    .argument('<preApproveId>', 'id of a pre-approval (idPreAprobacion)')
    .action(
      act(async (context, _, id) => {
        const preApproveId = readPreApproveId(context, 'PREAPPROVEID', id)
        if (await isUnservedSandbox(context)) {
          throw config(
            'the sandbox is not running, so a browser cannot open the report',
            `Start the sandbox first: bnpl sandbox start — or save the PDF: ${nextCommand(context, 'bnpl informe download', [id])}`,
            'SANDBOX_NOT_SERVED',
          )
        }
        const { url, expiresAt } = await freshLink(context, preApproveId)
        if (!(await context.world.open(url)))
          throw config(
            'no browser could be opened',
            `Print the link: ${nextCommand(context, 'bnpl informe get', [id])} — or save the PDF: ${nextCommand(context, 'bnpl informe download', [id])}`,
            'NO_BROWSER',
          )
        await context.output.result({ preApproveId, opened: true, expiresAt }, () => '')
        context.output.note('The report was opened in your browser.')
      }),
    )
  examples(command, [['a report of the running sandbox', 'bnpl informe open PREAPPROVEID -p sandbox:real-estate']])
}

type Options = OptionsOf<ReturnType<typeof addOptions>>

const ENDS_ALL: readonly ErrorKind[] = ['bug', 'config', 'auth', 'output']

const addOptions = (command: Command) => {
  const own = command
    .description('save reports as PreAprobacion_<id>.pdf')
    .argument('[preApproveId...]', 'ids of pre-approvals (idPreAprobacion), not preLoanRequestIds')
    .option('--dir <folder>', 'save the reports in this folder (created if it is missing)')
    .option(
      '--out <file>',
      'save one report in this file; `-` for stdout (with --from: write the results to this file)',
    )
    .option('--force', 'replace existing files')
    .option(
      '--from-link <urlInforme>',
      'download the report from this urlInforme, without a key; `-` reads the urlInforme from stdin',
    )
  return addRows(addFrom(own))
}

const defineDownload: Define = (command, act) => {
  addOptions(command).action(act(download))
  command.addHelpText(
    'after',
    `
In JSON, \`status\` says how the saved report compares with its last download
in the history of this machine:
  new        the history has no earlier download
  unchanged  saved with the same content as before
  rendered   saved with other content, because the service rendered it again
  failed     not saved; \`error\` says why
  exists     only with --from: the file was already there, so it was kept`,
  )
  examples(command, [
    ['a report of the sandbox', 'bnpl informe download PREAPPROVEID -p sandbox:real-estate'],
    [
      'save several reports in a folder, for a script',
      'bnpl informe download PREAPPROVEID1 PREAPPROVEID2 --dir reports --json',
    ],
    [
      'the reports whose ids are in the column preApproveId of a file',
      'bnpl informe download --from ids.csv --dir reports',
    ],
    ['print a report, through a pipe', 'bnpl informe download PREAPPROVEID --out - | lp'],
    [
      'download by the link in an evaluation or an event, without a key',
      'bnpl informe download PREAPPROVEID --from-link "$URL_INFORME"',
    ],
  ])
}

async function download(context: Context, options: Options, given: string[]): Promise<void> {
  refuseMixed(options, { PREAPPROVEID: given[0], fromLink: options.fromLink }, ['out'])
  if (options.from !== undefined) {
    const { downloadFile } = await import('./bulk/download-rows.ts')
    return downloadFile(context, options.from, options)
  }
  const ids = [...new Set(given.map((id) => readPreApproveId(context, 'PREAPPROVEID', id)))]
  if (ids.length === 0 && options.fromLink === undefined && context.options.input)
    ids.push(await ask(context, 'report', (text) => readPreApproveId(context, 'this', text)))
  const urlInforme = options.fromLink === undefined ? undefined : await readReportLink(context, options.fromLink)
  const place = checkOptions(context, options, ids)
  const wanted = urlInforme === undefined ? ids : [ids[0]]
  if (options.out === '-') {
    if (urlInforme !== undefined && context.options.dryRun) throw new DryRun(curlOf(urlInforme, '-'))
    noteOtherRequests(context)
    return pipeReport(context, ids[0], urlInforme)
  }
  const paths = wanted.map((id) => reportPath(context, id, place))
  const problems = await problemsOf(paths, place)
  if (problems.every((problem) => problem !== undefined)) throw problems[0]
  if (urlInforme !== undefined && context.options.dryRun) throw new DryRun(curlOf(urlInforme, String(paths[0])))

  if (context.options.dryRun) {
    noteOtherRequests(context)
    return dryRunOfMany(wanted, (preApproveId) => saveReport(context, { preApproveId, urlInforme }, '', place))
  }

  const saveEach = async function* (): AsyncGenerator<Row> {
    for (const [i, preApproveId] of wanted.entries()) {
      try {
        if (problems[i] !== undefined) throw problems[i]
        yield await saveReport(context, { preApproveId, urlInforme }, String(paths[i]), place)
      } catch (error) {
        if (!(error instanceof BnplError) || ENDS_ALL.includes(error.kind) || wanted.length === 1) throw error
        context.output.say(`${preApproveId}: ${context.output.inLanguage(error.message)}`)
        yield failed(String(preApproveId), error)
      }
    }
  }
  const rows = await showEach(saveEach(), (done) => showRows(context, done))
  const lost = rows.filter((row) => row.status === 'failed')
  if (lost.length > 0)
    throw new BnplError('partial', `${lost.length} of ${rows.length} reports could not be saved`, {
      code: 'SOME_FAILED',
      hint: `${
        problems.some((problem) => problem?.code === 'TARGET_EXISTS')
          ? 'Add --force to replace existing files.'
          : lost.every(({ error }) => error.kind === 'not-found' || error.kind === 'refused')
            ? 'Correct the ids that failed.'
            : 'Run the command again with the ids that failed.'
      }${savedInWords(rows.length - lost.length)}`,
    })
}

function savedInWords(saved: number): string {
  if (saved === 0) return ' No report was saved.'
  return saved === 1 ? ' One report is saved.' : ` ${saved} reports are saved.`
}

function checkOptions(context: Context, { dir, out, force, fromLink }: Options, ids: string[]): ReportPlace {
  if (fromLink === undefined && ids.length === 0)
    throw usage(
      'the id of a report is missing',
      `Add the id of a pre-approval: ${nextCommand(context, 'bnpl evaluations get --rut …')} shows it as idPreAprobacion.`,
    )
  if (fromLink !== undefined && ids.length > 1)
    throw usage(
      '--from-link is for one report, but several ids were given',
      'Give one id, or give none and name the file with --out FILE.',
    )
  if (out !== undefined && dir !== undefined)
    throw usage(
      '--out and --dir cannot be used together',
      'Remove --dir. The path in --out already includes the folder.',
    )
  if (out !== undefined && ids.length > 1)
    throw usage(
      '--out names the file of one report, but several ids were given',
      'Use --dir instead to save several reports.',
    )
  if (out === '-' && context.io.stdoutIsTty)
    throw usage(
      'a PDF cannot be read on a terminal',
      'Pipe the PDF to a program (… --out - | lp), or name a file: --out FILE',
      'TTY',
    )
  if (out === '-' && context.options.output !== 'table')
    throw usage('--out - prints the PDF itself, so no other output format can be used', 'Remove --json and --output.')
  return { dir, out, force: force === true }
}

/** Returns the curl command for a download. It has no key, because a link is opened without a key. */
const curlOf = (urlInforme: string, path: string) =>
  `curl -sS -L --max-redirs 1 -o '${path.replaceAll("'", `'\\''`)}' '${urlInforme.replaceAll("'", '%27')}'`

interface FailedReport {
  preApproveId: string
  path: null
  bytes: null
  sha256: null
  status: 'failed'
  error: { kind: ErrorKind; code: string | null; message: string }
}

type Row = SavedReport | FailedReport

/** Returns the result row of a report that was not saved. */
function failed(preApproveId: string, { kind, code, message }: BnplError): FailedReport {
  return {
    preApproveId,
    path: null,
    bytes: null,
    sha256: null,
    status: 'failed',
    error: { kind, code: code ?? null, message },
  }
}

/** Every report that is not `failed` is saved, also one that was saved before with the same content. */
const SAID: Record<Row['status'], string> = {
  new: 'saved',
  unchanged: 'saved, same content as before',
  rendered: 'saved, rendered again since the last download',
  failed: 'failed',
}

/** Prints the results of the downloads. Paths are never cut. */
async function showRows(context: Context, rows: readonly Row[]): Promise<void> {
  const { style, inLanguage, width } = context.output
  const { cwd } = context.world
  const lines = rows.map(({ path, bytes, preApproveId, status }) => ({
    name: visible(path === null ? String(preApproveId) : formatPath(cwd, path)),
    size: bytes === null ? '' : formatBytes(bytes),
    status,
  }))
  const table = async () => {
    const measure = await measureFor(lines.map(({ name }) => name))
    const nameWidth = Math.max(...lines.map(({ name }) => measure(name)))
    const sizeWidth = Math.max(...lines.map(({ size }) => size.length))
    return lines
      .map(({ name, size, status }) => {
        const before = `${name}${' '.repeat(nameWidth - measure(name))}  ${size.padStart(sizeWidth)}`
        const said = inLanguage(SAID[status])
        const isWide = nameWidth + sizeWidth + said.length + 4 > width
        return `${before}${isWide ? '\n  ' : '  '}${status === 'failed' ? style.red(said) : said}`
      })
      .join('\n')
  }
  await context.output.result(rows, table, ['preApproveId', 'path', 'bytes', 'sha256', 'status', 'error'])
}
