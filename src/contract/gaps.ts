import type { Gap } from './gap.ts'
import { PICKED } from './gaps-picked.ts'

/**
 * What the specification does not show, and what is done about it. The one home of these facts: docs and `bnpl contract gaps` are read
 * from it.
 */
export const GAPS: readonly Gap[] = [
  {
    number: 1,
    notShown: 'field of the evaluation response that carries the pre-approval id',
    cli: 'look in `data` for `preApproveId`, then `idPreAprobacion`, then the profile setting `preApproveIdField`; else report it as unknown (`null`) with a warning that names the fields that were seen; `select` then asks for `--pre-approve-id`',
    sandbox: '`data.preApproveId`',
  },
  {
    number: 2,
    notShown: 'other loan-request steps than AUTHORIZATION',
    cli: 'any string is shown as sent',
    sandbox: '`AUTHORIZATION`',
  },
  {
    number: 3,
    notShown: 'other states of loans and installments than ACTIVE',
    cli: 'any string is shown as sent; `--expect-state` compares literally',
    sandbox: 'loan `ACTIVE`; installments `ACTIVE`; nothing else',
  },
  {
    number: 4,
    notShown: 'where the publicKey comes from',
    cli: 'the user stores it in the profile, or passes `--public-key`',
    sandbox: 'printed by the sandbox next to the API key',
  },
  {
    number: 5,
    notShown: 'installation, usage and other callbacks of the JavaScript widget',
    cli: 'nothing',
    sandbox: "a small `widget.js` with `onSuccess` only, documented as the sandbox's own",
  },
  {
    number: 6,
    notShown: 'destination fields beyond `id`, `url`, `verificationScheme`; body of the 201',
    cli: 'every field is kept in JSON output; the table shows the known ones',
    sandbox:
      '`id`, `url`, `verificationScheme`, `eventTypes`, `filters`, `projectId`, `createdAt`, and `secret` in the 201 only',
  },
  {
    number: 7,
    notShown: 'HMAC algorithm, encoding and secret',
    cli: '`--hmac-algorithm` (default `sha256`), `--hmac-encoding` (`hex`, default, or `base64`), secret from profile, env or stdin; a failed check says which settings were tried',
    sandbox: 'SHA-256, lower-case hex, over the raw body, per-destination secret',
  },
  {
    number: 8,
    notShown: 'how the token secret is issued',
    cli: 'from profile, env or stdin',
    sandbox: 'random, returned once in the 201',
  },
  {
    number: 9,
    notShown: 'shape of `filters`; name of the project field',
    cli: '`--filter key=value` (repeatable, sent as `filters[key]=value`), `--filters-json`, `--project ID` with the field name from the profile setting `projectField`',
    sandbox: '`filters[outcome]=approved` or `rejected` for pre_approve; field `projectId`',
  },
  {
    number: 10,
    notShown: 'body encoding of registration, and of the "empty object" of verification',
    cli: 'form-encoded like every body that is shown; an empty object is an empty form body',
    sandbox: 'accepts form and JSON',
  },
  {
    number: 11,
    notShown: 'payload fields of the three events',
    cli: "shown as sent; the kind is told from the destination's scheme and from the presence of `idPreAprobacion` / `urlInforme` in `data` (there is no event-type field)",
    sandbox: '11 fields for new_lead and 51 for pre_approve, of plausible names',
  },
  {
    number: 12,
    notShown: 'retry counts and time-outs for loan_approved and pre_approve',
    cli: 'the receiver treats every delivery as repeatable by `eventId`',
    sandbox: '5 s time-out, exponential retries with jitter, capped; settings say how many',
  },
  {
    number: 13,
    notShown: 'path of "open the report from its link"',
    cli: '`urlInforme` is used whole, as received',
    sandbox: '`/partner/informe/{signature}`',
  },
  {
    number: 14,
    notShown: 'paths of evaluation by lead id, lead list, lead details; paging and fields of the list',
    cli: 'path taken from the profile settings `paths.evaluationByLead`, `paths.leads`, `paths.lead`; without them the command stops with a clear error that names the setting and `bnpl api`',
    sandbox: '`/partner/pre-approve/lead/{leadId}`, `/partner/leads`, `/partner/leads/{leadId}`',
  },
  {
    number: 15,
    notShown: 'error body shape and the codes of other endpoints',
    cli: 'find a code (`ERR_…`) wherever the body has one (`code`, `error`, `error.code`, `message`, plain text), show the message as sent; never fail on an unknown shape',
    sandbox: '`{"error":{"code":"ERR_…","message":"…"}}`',
  },
  {
    number: 16,
    notShown: 'status for a missing or wrong key outside the informe endpoint',
    cli: '400, 401 and 403 are explained per endpoint, as the contract lists them',
    sandbox: '401 `ERR_UNAUTHORIZED`; on the informe endpoint 400 as specified',
  },
  {
    number: 17,
    notShown: 'rate limits, `Retry-After`',
    cli: 'honour `Retry-After` (seconds or date) when present, else back off with jitter',
    sandbox: 'a token bucket, `Retry-After` in seconds',
  },
  {
    number: 18,
    notShown: 'bounds of amount and of installments',
    cli: 'positive integers; nothing else is refused locally',
    sandbox: 'amounts 1,000 to 50,000,000; options 3, 6, 12, 24',
  },
  {
    number: 19,
    notShown: 'currency',
    cli: 'amounts are integers, grouped for reading, no currency sign unless the profile sets one',
    sandbox: 'none',
  },
  {
    number: 20,
    notShown: 'response shape of delete',
    cli: 'any 2xx is success; an empty body is fine',
    sandbox: '200 with `data: {}`',
  },
  {
    number: 21,
    notShown: 'status of verifying a transaction with no loan yet',
    cli: 'reported as "no loan for this transaction", exit code for not-found',
    sandbox: '404 `ERR_LOAN_NOT_FOUND`',
  },
  {
    number: 22,
    notShown: '`preApproveId` can be undefined on errorReturnUrl',
    cli: 'absent, empty and the literal word `undefined` all mean "none"',
    sandbox: 'the literal `undefined` when there is none',
  },
  {
    number: 23,
    notShown: 'versioning',
    cli: 'none sent',
    sandbox: 'none',
  },
  {
    number: 24,
    notShown: 'check character of idNumber',
    cli: 'shape `<digits>-<check character>`; dots are removed; the check character is verified as the RUT modulus-11 digit, and a wrong one is an error that `--skip-rut-check` turns off',
    sandbox: 'same check',
  },
  {
    number: 25,
    notShown: 'form of the widget token beyond "signed token"',
    cli: 'opaque string; expiry is counted from the response, 10 minutes',
    sandbox: 'JWT, HS256, `exp` 10 minutes',
  },
  {
    number: 26,
    notShown: 'how a customer who is not approved is answered',
    cli: 'an empty list of options is shown as it is, with a note; a refusal is exit 5 with the code as sent',
    sandbox: '422 `ERR_CUSTOMER_NOT_APPROVED`',
  },
  {
    number: 27,
    notShown: 'encoding of `eventTypes` in a form',
    cli: 'sent as `eventTypes[]=…`, once for each event',
    sandbox: 'accepts `eventTypes[]`, `eventTypes` and JSON',
  },
  {
    number: 28,
    notShown: 'whether 429 on the endpoints other than informe means that nothing was done',
    cli: 'treated as refused before processing (RFC 6585), so it is sent again after the wait, at most twice',
    sandbox: '429 is answered before anything is done',
  },
  ...PICKED,
]
