import { SERVICE, type Sentence, sentence } from './sentence.ts'

const FORMS = 'test/faults/inputs: any externalTrxId and entity id arrives unchanged in the form, or is refused'
const SHAPES = 'test/other-shapes: every command of the payment'
const SANDBOX_FORMS = 'src/sandbox/service/handlers/bodies: a form subscribes to both events'
const WIRE = 'test/specification/sandbox: '
const SENT = 'test/specification/client: each call is sent as the specification shows it'
const AS_SENT = 'test/specification/client: values that the specification does not list are shown as they were received'
const TYPED = 'test/specification/client: an answer is refused if a field of the specification is missing'
const ANSWERS = `${WIRE}a successful answer of every call has the single key data, and the fields in the order of the specification`
const EVALUATE = 'test/commands/evaluate: evaluate sends the specified form and shows the options'
const FIELDS_KEPT = 'test/faults/answers: unknown fields are shown as received, including long numbers and __proto__'
const NOT_AS_SPECIFIED = 'test/faults/answers: a read whose answer has another shape than specified exits with 8'
const PAYMENT = 'src/sandbox/sandbox: a payment goes from evaluation to a verified loan'
const VERIFIED = 'test/commands/payment-commands: verify exits with 10 when an expectation is not met'
const FIGURES =
  'test/commands/payment-commands: verify shows a loan and a warning if the figures of the loan do not agree'
const LIST =
  'src/commands/webhooks/destinations: webhooks list shows the destinations as received, and how many of the ten are used'
const LEADS =
  'test/reports/real-estate: from a new lead to its report, each hint names the next command, and the commands work'
const SANDBOX_LEADS = 'src/sandbox/service/handlers/evaluations: a lead exists at once, and its evaluation'
const REDRAWN = 'src/sandbox/service/reports: the bytes of a report change when its data changes, and only then'
const REPORT = 'src/sandbox/service/reports: the report is a PDF with the customer'

export const RESOURCES: Readonly<Record<string, readonly Sentence[]>> = {
  'What the service does': [
    sentence(
      'The merchant backend evaluates a customer for an amount and receives installment options.',
      [EVALUATE],
      [PAYMENT],
    ),
    sentence(
      'Optionally, the merchant shows the options itself and tells the service which option the customer chose. Otherwise the service shows the options in its own widget.',
      ['test/commands/payment-commands: select and widget-token take omitted values from the history of evaluate'],
      [
        'src/sandbox/page/pages: the page shows the purchase and every plan',
        'src/sandbox/page/pages: if the merchant reported an option, the page offers only that option',
      ],
    ),
    sentence(
      'The merchant backend creates a short-lived widget token.',
      ['test/commands/payment-commands: select and widget-token take omitted values from the history of evaluate'],
      [
        'src/sandbox/service/handlers/payment: a widget token is a JWT that is valid for ten minutes and has no customer data',
      ],
    ),
    sentence(
      'The customer completes payment either in an embedded JavaScript widget loaded with the token, or on a hosted payment page reached by redirect.',
      ['test/commands/payment-commands: pay-url prints only the address'],
      [
        'test/browser/widget: a payment in the widget calls onSuccess once',
        'test/browser/payment-page: by keyboard alone',
      ],
    ),
    sentence(
      "The merchant learns of success through a widget callback (onSuccess) and verifies the transaction from its backend, by webhook (recommended) or by a REST call keyed by the merchant's own transaction id (externalTrxId).",
      ['test/receiver/chain: a payment is delivered, verified, stored', VERIFIED],
      ['test/browser/whole-chain: the whole chain'],
    ),
    sentence(
      'Real-estate partners also consume risk evaluations (leads and pre-approvals) through a separate webhook integration and can download a PDF evaluation report.',
      ['test/receiver/chain: a lead is delivered at once', 'test/reports/informe: download saves the PDF'],
      [
        'src/sandbox/service/deliveries/deliveries: new_lead has 11 fields and a static token, pre_approve has 51 fields; a filter and a project limit the deliveries',
      ],
    ),
    sentence(
      'every account has a test (beta) key pair and a production key pair.',
      [
        'test/commands/account-guards: a change in production without a terminal needs --yes; without --yes nothing is sent',
        'test/commands/account-guards: a change with a beta profile',
      ],
      [
        'src/sandbox/service/environments: an API key is accepted at the address of its environment, and refused at the address of the other environment',
      ],
    ),
  ],
  'Resources and their fields': [
    sentence(
      'All request bodies shown are application/x-www-form-urlencoded.',
      [SENT, FORMS],
      [SANDBOX_FORMS, 'src/sandbox/service/handlers/payment: a body may be a form or JSON'],
      10,
    ),
    sentence(
      'All responses wrap their content in an object with a single key `data`.',
      [NOT_AS_SPECIFIED, SHAPES],
      [ANSWERS],
      48,
    ),
  ],
  'Installment option': [
    sentence('installments, integer, number of installments', [EVALUATE, TYPED], [ANSWERS]),
    sentence('amount, integer, amount of one installment', [EVALUATE, TYPED], [ANSWERS]),
    sentence(
      'total, integer, total amount',
      [EVALUATE, TYPED],
      [ANSWERS, 'src/domain/installments: the installments are integers that sum to the total'],
    ),
  ],
  'Pre-approval': [
    sentence(
      'Identified by preApproveId (called idPreAprobacion in lead and evaluation records). It is a string id, permanent.',
      [
        'src/contract/problem: the pre-approval id is found under each of its names; if it is missing, the names of the fields are returned (gap 1)',
      ],
      [`${WIRE}a preApproveId is still valid after another evaluation, and hours later`],
    ),
    sentence(
      'It is the id of the pre-approval, not of the lead. A preLoanRequestId is a different id and is not accepted where a preApproveId is required.',
      ['test/reports/real-estate: each account of the sandbox has a profile'],
      [`${WIRE}a preLoanRequestId and a lead id are not accepted as a preApproveId`],
    ),
    sentence(
      'The merchant must store preApproveId from the evaluation step for later requests. The field of the evaluation response carrying preApproveId: not shown.',
      [
        'test/commands/payment-commands: select and widget-token take omitted values from the history of evaluate',
        SHAPES,
      ],
      [PAYMENT],
      1,
    ),
  ],
  'Loan request': [
    sentence('loanRequestId, string, id of the loan request', [TYPED], [ANSWERS]),
    sentence(
      'step, string, the step at which the widget is loaded; the value AUTHORIZATION occurs; other allowed values: not shown',
      [TYPED, AS_SENT],
      [ANSWERS],
      2,
    ),
    sentence(
      'preApproveId, string (UUID form), pre-approval id',
      [TYPED, SHAPES],
      ['src/sandbox/store/stamps: ids are UUIDs of version 7'],
    ),
  ],
  'Widget token': [
    sentence(
      'accepted, boolean, whether the session was accepted',
      [TYPED, 'test/commands/payment-commands: a widget session that is not accepted exits with 5'],
      [PAYMENT],
      31,
    ),
    sentence(
      'widgetToken, string (signed token), valid for 10 minutes after creation, then invalid',
      [
        'test/faults/interrupt: a widget token whose ten minutes are over is refused',
        'test/undocumented-answers: a session that is accepted without a token',
      ],
      [
        'src/sandbox/service/handlers/payment: a widget token is a JWT that is valid for ten minutes and has no customer data',
        'src/sandbox/service/payments: a token is valid for exactly ten minutes of the sandbox clock',
      ],
      25,
    ),
  ],
  Loan: [
    sentence(
      'loanAmount, integer, loan amount',
      [TYPED, 'src/domain/installments: case %#: figures of a loan that do not agree are reported'],
      [ANSWERS],
    ),
    sentence('interestRate, number, rate as a decimal fraction', [TYPED], [ANSWERS], 33),
    sentence('periods, integer, number of installments', [TYPED, FIGURES], [ANSWERS]),
    sentence('installmentAmount, integer, amount of an installment', [TYPED, FIGURES], [ANSWERS]),
    sentence(
      'lastInstallmentAmount, integer, amount of the last installment',
      [TYPED, 'src/domain/installments: case %#: figures of a loan that do not agree are reported'],
      [PAYMENT],
    ),
    sentence('state, string, loan state (see States and transitions)', [TYPED, AS_SENT, VERIFIED], [ANSWERS]),
    sentence('transferDate, string, date YYYY-MM-DD, transfer date', [TYPED], [ANSWERS], 33),
    sentence(
      "externalTrxId, string, the merchant's own transaction id",
      [TYPED, 'test/commands/payment-commands: verify reports an answer about another transaction'],
      [ANSWERS],
    ),
    sentence(
      'installments, array, one element per period: state (string), period (integer, starts at 1), expirationDate (date YYYY-MM-DD)',
      [TYPED, FIGURES],
      [ANSWERS, 'src/domain/installments: %s plus %i months'],
    ),
  ],
  'Webhook destination': [
    sentence(
      'Fields shown: id (used in the delete path), url (HTTPS address), verificationScheme (tells which verifier the destination needs: HMAC for the BNPL integration, token for the real-estate integration). Other fields of a destination: not shown.',
      [LIST, SHAPES],
      [
        'src/sandbox/service/handlers/webhooks: the verificationScheme of a destination is HMAC or token, as in the specification [specification F14]',
        'src/sandbox/service/handlers/webhooks: an address must be https; http is accepted only on loopback, and only if it was allowed',
      ],
      6,
      44,
    ),
    sentence(
      'The scheme and the subscribed events are fixed at creation and immutable.',
      'no test: no command changes a destination',
      [`${WIRE}no request changes a destination`],
    ),
  ],
  'Lead, evaluation and evaluation report': [
    sentence(
      "A lead is created when a real-estate partner's lead enters the funnel; its evaluation (pre-approval) finishes later.",
      SERVICE,
      ['src/sandbox/service/handlers/evaluations: a lead exists at once'],
    ),
    sentence(
      'Evaluation and event records carry idPreAprobacion and urlInforme. Rows of the lead list carry idPreAprobacion only. Lead details carry neither. All other fields of lead and evaluation records: not shown beyond idPreAprobacion, urlInforme and preLoanRequestId.',
      [LEADS, FIELDS_KEPT],
      [SANDBOX_LEADS],
      11,
      14,
    ),
    sentence(
      'urlInforme is a link containing a signature that opens the report without an API token.',
      ['test/reports/from-link: a urlInforme is downloaded without a profile, and no key is sent'],
      ['src/sandbox/service/reports: urlInforme redirects to a fresh link'],
    ),
    sentence(
      'The report is a PDF. The download link forces the file name PreAprobacion_<preApproveId>.pdf.',
      [
        'test/reports/transfer: the file has its specified name',
        'test/reports/transfer: an answer that is not the report is not saved',
      ],
      [REPORT],
    ),
    sentence(
      'The service stores a fingerprint of the data each report was built from and compares it on every call. A change in any input (risk parameters, partner name) produces a newly rendered PDF.',
      ['test/reports/informe: a later download says whether the report was rendered again'],
      [REDRAWN],
    ),
    sentence(
      'Saving again without a data change serves the existing copy.',
      ['test/reports/real-estate: a report is rendered again only when a parameter is revised'],
      [REDRAWN],
    ),
  ],
  'Merchant identifiers used in requests': [
    sentence(
      'idNumber, string, customer national id, form <digits>-<check character>',
      ['test/faults/inputs: any RUT with its check character arrives'],
      [
        'src/sandbox/service/handlers/payment: idNumber %s is refused',
        'src/sandbox/service/handlers/bodies: a national id with dots is refused by the evaluation and by the read of an evaluation [specification F25]',
      ],
      24,
    ),
    sentence(
      'amount, integer, amount to finance',
      ['test/faults/inputs: any amount up to 2^53'],
      [
        'src/sandbox/service/handlers/payment: the smallest and the largest amount are accepted, amounts beyond them are refused',
        'src/sandbox/service/handlers/bodies: an amount with separators is refused',
      ],
      18,
      19,
    ),
    sentence(
      'entityId, string, merchant entity id',
      [FORMS],
      [`${WIRE}an entity and an e-mail address that are wrong are refused`],
    ),
    sentence(
      "externalTrxId, string, merchant's own transaction id",
      [
        FORMS,
        'test/faults/inputs: any externalTrxId arrives unchanged in the path, or is refused before anything is sent',
      ],
      [`${WIRE}a transaction id of any characters is evaluated, paid and verified`],
    ),
    sentence(
      'email, string (e-mail), customer e-mail',
      [FORMS, 'src/commands/option-values: an error about an e-mail does not repeat it'],
      [`${WIRE}an entity and an e-mail address that are wrong are refused`],
    ),
    sentence(
      'publicKey, string, public key of the merchant used on the hosted payment page',
      [
        'test/commands/payment-commands: pay-url prints only the address',
        'src/commands/profiles/profiles: a secret key is refused as the public key',
      ],
      [`${WIRE}the page needs each of its four parameters, and the public key of the token’s partner`],
      4,
    ),
  ],
  'States and transitions': [
    sentence('Loan, ACTIVE', [AS_SENT, SHAPES], [PAYMENT], 3),
    sentence('Installment, ACTIVE', [AS_SENT, TYPED], [ANSWERS], 3),
    sentence(
      'Widget token, valid for 10 minutes, then invalid',
      ['test/faults/interrupt: a widget token whose ten minutes are over is refused'],
      ['src/sandbox/service/payments: a token is valid for exactly ten minutes of the sandbox clock'],
    ),
    sentence('Widget step, AUTHORIZATION', [AS_SENT], [PAYMENT], 2),
    sentence(
      'Transitions: not shown. Other values of loan state and installment state: not shown.',
      [AS_SENT, VERIFIED],
      [PAYMENT],
      3,
      32,
    ),
    sentence(
      'A widget token older than 10 minutes is invalid.',
      ['test/faults/interrupt: a widget token whose ten minutes are over is refused'],
      ['src/sandbox/page/pages: a token is valid to its last millisecond'],
    ),
    sentence(
      'The download link of the evaluation report is good for 1800 seconds and a new one is issued on every call.',
      [
        'test/reports/informe: only informe get shows the link, with its expiry',
        'test/reports/transfer: after a %i for an expired link, a new link is requested once',
      ],
      [
        'src/sandbox/service/reports: the storage refuses a request with an Authorization header, and every link that was changed',
        `${WIRE}every call for a report gets a link of its own`,
      ],
    ),
  ],
}
