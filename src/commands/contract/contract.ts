import type { Context } from '../../context.ts'
import {
  FIELD_NAMES,
  FIELDS,
  type FieldName,
  type ServiceDescription,
  sourceInWords,
} from '../../contract/description.ts'
import { GAPS, type GapNumber } from '../../contract/gaps.ts'
import { wrap } from '../../terminal/wrap.ts'
import { toJson } from '../../text/visible.ts'
import { type Define, examples } from '../command.ts'
import { addServiceOptions, readServiceOption } from '../service-option.ts'

const ABOUT = {
  summary: 'The interface of a deferred-payment service for merchants, as bnpl knows it',
  description:
    'Generated from the contract with which bnpl checks every answer. What the specification does not show is marked `x-not-shown`; `bnpl contract gaps` lists it.',
}

export const define: Define = (command, act) => {
  const gaps = command
    .command('gaps')
    .description('list every open question about a service, its answer here, and where the answer comes from')
  addServiceOptions(gaps, 'of this service').action(
    act(async (context, options) => {
      const description = (await readServiceOption(context, options)) ?? (await context.settings()).service
      const questions = openQuestions(description)
      await context.output.result(questions, () => renderGaps(context, handledGaps(), questions))
    }),
  )
  examples(gaps, [
    ['read the list', 'bnpl contract gaps | less'],
    ['what a recorded service answers', 'bnpl contract gaps --service service.json'],
    ['print the list as JSON', 'bnpl contract gaps --json'],
  ])
  const openapi = command.command('openapi').description('print the contract as an OpenAPI 3.1 document')
  addServiceOptions(openapi, 'of this service').action(
    act(async (context, options) => {
      const { toOpenApi } = await import('../../contract/openapi.ts')
      const description = (await readServiceOption(context, options)) ?? (await context.settings()).service
      const document = toOpenApi({ version: context.world.version, ...ABOUT }, description)
      await context.output.result(document, () => toJson(document, 2))
    }),
  )
  examples(openapi, [
    ['save the document for a client generator', 'bnpl contract openapi > openapi.json'],
    ['with the paths and fields of a service', 'bnpl contract openapi --service banca.me > openapi.json'],
  ])
  defineCheck(command.command('check'), act)
  defineLearn(command.command('learn'), act)
  defineExport(command.command('export'), act)
}

/** The commands about recordings are loaded when one of them runs. */
const recordings = () => import('./recordings.ts')

const defineCheck: Define = (command, act) => {
  command
    .description('compare recordings with the contract: what differs, how often, and where')
    .argument('<file...>', 'recordings that --record wrote')
    .option('--junit <file>', 'write a JUnit report')
    .action(
      act(async (context, options, files) => {
        const { checkRecordings } = await recordings()
        await checkRecordings(context, files, options)
      }),
    )
  examples(command, [
    ['what differs', 'bnpl contract check day.ndjson'],
    ['in CI', 'bnpl contract check day.ndjson --junit contract.xml --json'],
  ])
}

const defineLearn: Define = (command, act) => {
  command
    .description('learn from recordings how a service answers the open questions of the specification')
    .argument('<file...>', 'recordings that --record wrote')
    .option('--write <file>', 'write the answers to a file, as the description of a service')
    .option('--force', 'replace a file that exists')
    .action(
      act(async (context, options, files) => {
        const { learnFromRecordings } = await recordings()
        await learnFromRecordings(context, files, options)
      }),
    )
  examples(command, [
    ['what the recordings of a day show', 'bnpl contract learn day.ndjson'],
    ['store the description of the service, for --service', 'bnpl contract learn day.ndjson --write service.json'],
    ['start a sandbox that answers like the recorded service', 'bnpl sandbox start --service service.json'],
  ])
}

const defineExport: Define = (command, act) => {
  command
    .description('convert recordings to HAR, or to fixtures for tests (a JSON file for each call and status)')
    .argument('<file...>', 'recordings that --record wrote')
    .option('--har <file>', 'write one HAR 1.2 document')
    .option('--fixtures <dir>', 'write fixtures and their index.json into a directory')
    .option('--force', 'replace files that exist')
    .action(
      act(async (context, options, files) => {
        const { exportRecordings } = await recordings()
        await exportRecordings(context, files, options)
      }),
    )
  examples(command, [
    ['write a file for the network panel of a browser', 'bnpl contract export day.ndjson --har day.har'],
    ['write fixtures for your own tests', 'bnpl contract export day.ndjson --fixtures test/fixtures'],
  ])
}

function renderGaps({ io, output }: Context, gaps: readonly HandledGap[], questions: readonly OpenQuestion[]): string {
  const { inLanguage } = output
  const { bold, dim, green } = output.style
  const line = (label: string, text: string) => `    ${label}${wrap(inLanguage(text), io.columns - 13, ' '.repeat(13))}`
  const answersOf = (gap: number | null) =>
    questions
      .filter((each) => each.gap === gap)
      .map(({ field, question, answer, source }) => {
        const isGiven = source !== 'convention' && source !== 'specification'
        const label = (isGiven ? green : dim)(inLanguage(isGiven ? 'service' : 'sandbox').padEnd(9))
        if (field === null) return line(label, answer)
        // A list of the description has no blanks, so a narrow terminal could not wrap it.
        const shown = answer.replaceAll(/,(?=\S)/g, ', ')
        return line(label, `${inLanguage(question)} ${shown} (${field}${isGiven ? `; ${inLanguage(source)}` : ''})`)
      })
  return [
    ...gaps.map(({ number, notShown, cli }) =>
      [
        `${dim(String(number).padStart(2))}  ${bold(wrap(inLanguage(notShown), io.columns - 4, '    '))}`,
        line(dim('bnpl'.padEnd(9)), cli),
        ...answersOf(number),
      ].join('\n'),
    ),
    [
      `    ${bold(wrap(inLanguage('What the specification shows, and a service may do differently'), io.columns - 4, '    '))}`,
      ...answersOf(null),
    ].join('\n'),
  ].join('\n\n')
}

interface HandledGap {
  number: number
  notShown: string
  cli: string
  sandbox: string
}

const HANDLED: Readonly<Record<GapNumber, string>> = {
  1: 'the program looks in `data` for `preApproveId`, then for `idPreAprobacion`, then for the field that the profile setting `preApproveIdField` names. If none of these exists, the id is reported as `null`, and a warning lists the fields of the answer. `select` then asks for `--pre-approve-id`',
  2: 'the step is shown as it was received, whatever its value is',
  3: 'any state of a loan or an installment is shown as it was received. `--expect-state` compares states literally',
  4: 'the user stores the public key in the profile, or passes it with `--public-key`',
  5: 'the program does not use the widget',
  6: 'JSON output contains every field that was received. The table shows only the known fields',
  7: '`--hmac-algorithm` sets the algorithm (default: `sha256`). `--hmac-encoding` sets the encoding: `hex` (the default) or `base64`. The secret comes from the profile, the environment, a file or stdin. If a check fails, the error names the settings that were tried',
  8: 'the user provides the secret in the profile, the environment, a file or stdin',
  9: '`--filter key=value` (repeatable) is sent as `filters[key]=value`. `--filters-json` takes all filters as one JSON object instead. `--project ID` is sent in a field. The profile setting `projectField` is the name of this field',
  10: 'bodies are form-encoded, like every body that the specification shows, and an empty object is sent as an empty form body. If the profile setting `bodies.verification`, `bodies.registration` or `bodies.subscription` is `json`, that body is JSON',
  11: 'fields are shown as they were received. No field says which type an event has, so the program recognizes the type by the verification scheme of the destination (`hmac` or `token`) and by `idPreAprobacion` and `urlInforme` in `data`',
  12: 'the receiver expects that every delivery may be repeated, and recognizes a repetition by its `eventId`',
  13: 'the program requests `urlInforme` unchanged, as it was received',
  14: 'the paths come from the profile settings `paths.evaluationByLead`, `paths.leads` and `paths.lead`. If the setting for a path is missing, the command stops with an error that names the setting and suggests `bnpl api`',
  15: 'the program finds a code (`ERR_…`) in `code`, `error`, `error.code`, `message` or plain text, and shows the message as it was received. If the body has an unknown shape, the program reports the status',
  16: 'the statuses 400, 401 and 403 are explained as the contract lists them for each endpoint. If an endpoint answers 400 without a code or with a code about a key, and the contract does not list 400 for this endpoint, the explanation says that the key may be the reason',
  17: 'the program waits as long as `Retry-After` (seconds or date) says. If that is more than a minute, the call is not repeated. Without `Retry-After`, the program waits for a random time. The longest possible wait doubles after each attempt, from 0.5 s up to 8 s',
  18: '`bnpl evaluate` accepts every whole amount from 1 to 2^53 − 1, and `bnpl select` accepts 1 to 600 installments',
  19: 'amounts are integers. Their digits are grouped for reading, without a currency sign unless the profile sets one',
  20: 'any 2xx is a success, even with an empty body',
  21: '404, or a success with nothing in `data`, is reported as "no loan for this transaction" (exit 6). The profile setting `notYet` can name more answers that mean “no loan yet”. Without this setting, 409 and 422 are reported as errors, but `verify --wait` continues to wait after them, because they may mean “no loan yet”. 401, 403 and 429 never mean “no loan yet”',
  22: 'a missing value, an empty value and the literal word `undefined` all mean that there is no pre-approval',
  23: 'the program sends no API version',
  24: 'a national id is `<digits>-<check character>`, and dots are removed. The check character is verified as the RUT modulus-11 digit. A wrong check character is an error, but `--skip-rut-check` turns this check off',
  25: 'the token is an opaque string that expires 10 minutes after the answer',
  26: 'if the service answers with an empty list of options, the list is shown unchanged, with a note. If it answers with a refusal, the exit code is 5, and the code of the refusal is shown as it was received',
  27: '`eventTypes[]=…` is sent once for each event. The profile setting `bodies.eventTypes` chooses another form (`brackets`, `repeated`, `indexed`, `comma`). If `bodies.subscription` is `json`, the events are a JSON list',
  28: 'after a 429 the program assumes that the service did nothing (RFC 6585). It waits and sends the request again, at most two times. In a run over a file, it sends the request again at most 19 times',
  29: 'after a 4xx that the endpoint does not document, the exit code is 5 (except after 401, 403, 404 and 429), and the code and the message are shown as they were received',
  30: '`widget-token` and `pay-url` do not require an evaluation',
  31: 'after `accepted: false` the exit code is 5, with or without a token in the answer',
  32: 'the program sends every evaluation and every reported option, even if the transaction already has one',
  33: 'the rate, the installments and the date are shown as they were received. The total may differ from `installmentAmount` × `periods`',
  34: 'each code in an answer is shown as it was received',
  35: 'after a 403 the exit code is 4, unless the endpoint documents another meaning',
  36: 'the answer is shown as it was received. With `--if-missing`, the program first checks whether the address is already registered',
  37: 'each code in an answer is shown as it was received',
  38: 'each status is explained as the specification lists it',
  39: 'the program requests evaluations and reports in the same way, whether they belong to a payment or to a lead',
  40: '`bnpl explain` says what each status means',
  41: 'the program never sends a key to a report link',
  42: 'the link may lead to any https address. It may lead to an http address only if the service and the address are on this machine. After 400 or 403, a new link is requested one time. A report is never requested in parts',
  43: 'an id that the history contains as a `preApproveId` is verified by its `externalTrxId`. Any other id is sent as it was given. The answer is accepted if its `externalTrxId` is the id that was sent. It is also accepted, with a note, if its `preApproveId` is the given id. In any other case the exit code is 10',
  44: '`data` should be a list. If it is an object that contains a list, this list is read. If it is a single destination, event or lead, it is read as a list of one. A warning says so in both cases. Ids are read as text or as numbers. `webhooks list`, `leads list` and `leads get` show `data` of any other shape as it was received',
  45: 'the receiver checks the signature or the token, for every content type. A delivery whose content type is not JSON is forwarded as JSON',
  46: 'any 2xx is a success. After a 404 the exit code is 6 at every endpoint',
  47: 'the receiver answers 200 after it has stored the event',
  48: 'answers are read as JSON, whatever their content type is',
  49: 'an id is text of up to 512 characters, or a number, which is read as its digits',
  51: '`bnpl entities` sends its calls only to a service that is known to have them, as with gap 50. The paths that list and change entities are settings. A 428 means that the entity exists already',
  50: '`bnpl cancel` sends the call only to a service that is known to have it: the sandbox, banca.me, or one whose profile has the setting `cancel`. Any 2xx is a success, and the answer is shown as it was received. After an unclear answer, the loan is verified',
}

/** Returns every gap in the specification, ordered by number. */
export function handledGaps(): HandledGap[] {
  return GAPS.map(({ number, notShown, sandbox }) => ({ number, notShown, cli: HANDLED[number], sandbox }))
}

/** One open question about a service, as `contract gaps` prints it. */
interface OpenQuestion {
  gap: number | null
  /** The field of a description; null for a question that only people ask. */
  field: FieldName | null
  question: string
  answer: string
  source: string
}

/** Returns every open question with its answer in a description, ordered by gap. The questions without a gap are last. */
export function openQuestions({ answers }: ServiceDescription): OpenQuestion[] {
  const ofGap = (gap: number | null): OpenQuestion[] =>
    FIELD_NAMES.filter((field) => FIELDS[field].gap === gap).map((field) => ({
      gap,
      field,
      question: FIELDS[field].question,
      answer: answers[field].text,
      source: sourceInWords(answers[field].source),
    }))
  return [
    ...GAPS.flatMap(({ number: gap, notShown: question, sandbox: answer, inFields }) => [
      ...(inFields ? [] : [{ gap, field: null, question, answer, source: 'convention' }]),
      ...ofGap(gap),
    ]),
    ...ofGap(null),
  ]
}
