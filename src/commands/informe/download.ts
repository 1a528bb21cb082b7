import type { Context } from '../../context.ts'
import { BnplError, DryRun, type ErrorKind, usage } from '../../errors.ts'
import { ask } from '../asking.ts'
import { addFrom, addRows, refuseMixed } from '../bulk/options.ts'
import { type Command, type Define, examples, type OptionsOf } from '../command.ts'
import { dryRunOfMany, nextCommand } from '../global-options.ts'
import { readPreApproveId } from '../option-values.ts'
import { pipeReport } from './pipe-report.ts'
import { readReportLink } from './report-link.ts'
import { problemsOf, type ReportPlace, reportPath } from './report-target.ts'
import { saveReport } from './save-report.ts'
import { failed, type Row, showRows } from './saved-rows.ts'

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

export const defineDownload: Define = (command, act) => {
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
    const { downloadFile } = await import('../bulk/download-rows.ts')
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
    return pipeReport(context, ids[0], urlInforme)
  }
  const paths = wanted.map((id) => reportPath(context, id, place))
  const problems = await problemsOf(paths, place)
  if (problems.every((problem) => problem !== undefined)) throw problems[0]
  if (urlInforme !== undefined && context.options.dryRun) throw new DryRun(curlOf(urlInforme, String(paths[0])))

  if (context.options.dryRun) {
    return dryRunOfMany(wanted, (preApproveId) => saveReport(context, { preApproveId, urlInforme }, '', place))
  }

  const rows: Row[] = []
  let ended: unknown
  for (const [i, preApproveId] of wanted.entries()) {
    try {
      if (problems[i] !== undefined) throw problems[i]
      rows.push(await saveReport(context, { preApproveId, urlInforme }, String(paths[i]), place))
    } catch (error) {
      if (!(error instanceof BnplError) || ENDS_ALL.includes(error.kind) || wanted.length === 1) {
        ended = error
        break
      }
      context.output.say(`${preApproveId}: ${error.message}`)
      rows.push(failed(String(preApproveId), error))
    }
  }
  if (rows.some(({ status }) => status !== 'failed')) await showRows(context, rows)
  if (ended !== undefined) throw ended
  const lost = rows.filter(({ status }) => status === 'failed').length
  if (lost > 0)
    throw new BnplError('partial', `${lost} of ${rows.length} reports could not be saved`, {
      code: 'SOME_FAILED',
      hint: `${
        problems.some((problem) => problem?.code === 'TARGET_EXISTS')
          ? 'Add --force to replace existing files.'
          : 'Run the command again with the ids that failed.'
      }${savedInWords(rows.length - lost)}`,
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
  return { ...(dir === undefined ? {} : { dir }), ...(out === undefined ? {} : { out }), force: force === true }
}

/** Returns the curl command for a download. It has no key, because a link is opened without a key. */
const curlOf = (urlInforme: string, path: string) =>
  `curl -sS -L --max-redirs 1 -o '${path.replaceAll("'", `'\\''`)}' '${urlInforme.replaceAll("'", '%27')}'`
