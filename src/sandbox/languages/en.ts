import { WIDGET_TOKEN_LIFE_MS } from '../../contract/time-limits.ts'
import { enWindow } from './en-window.ts'

const MINUTES = WIDGET_TOKEN_LIFE_MS / 60_000

/** Returns a text such as `3 installments`. The space does not break, so that the number stays beside its noun. */
const installments = (count: number): string => `${count}\u00a0installment${count === 1 ? '' : 's'}`

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** The English texts of the payment page and the window. The other languages have the same type, so a missing text does not compile. */
export const en = {
  name: 'English',
  locale: 'en-US',
  readHere: 'View this page in English',
  /** The page of an invented shop. The customer of a walkthrough returns to this page after the payment. */
  shop: {
    name: 'Your shop',
    walkthrough: 'Walkthrough',
    title: 'Back at the shop',
    paid: 'The payment page reports that the payment was approved. The walkthrough now verifies that.',
    rejected: 'The payment page reports that nothing was paid: the payment was declined or cancelled.',
    next: 'The walkthrough continues in the terminal. You can close this tab.',
  },
  page: {
    thousands: ',',
    decimal: '.',
    percent: '%',
    date: (day: number, month: number, year: number) => `${MONTHS[month - 1]} ${day}, ${year}`,
    sandbox: 'Sandbox',
    sandboxDetail: 'This is a sandbox: no real money moves here.',
    /** The title of the frame in which the widget shows the page. */
    frameTitle: 'Payment in installments',
    /** The buttons that open and close the widget over the page of a shop. */
    openWidget: 'Pay in installments',
    closeWidget: 'Close',
    payAt: (merchant: string) => `Payment at ${merchant}`,
    amount: 'Purchase amount',
    order: 'Order',
    choose: 'Choose your monthly installments',
    chosen: 'Your monthly plan',
    chosenDetail: 'You chose it at the store.',
    plan: (count: number, each: string) => `${count}\u00a0monthly installment${count === 1 ? '' : 's'} of ${each}`,
    count: installments,
    aMonth: 'a\u00a0month',
    total: 'Total',
    cost: 'Cost',
    noCost: 'No cost',
    timeLeft: 'Time left to pay',
    announcements: {
      300: 'You have 5 minutes left to confirm the payment.',
      120: 'You have 2 minutes left to confirm the payment.',
      60: 'You have 1 minute left to confirm the payment.',
      30: 'You have 30 seconds left to confirm the payment.',
    },
    confirm: 'Confirm payment',
    confirmPlan: (count: number, each: string) => `Confirm ${installments(count)} of\u00a0${each}`,
    working: 'Processing your payment…',
    cancel: 'Cancel and go back',
    cancelling: 'Cancelling the payment…',
    terms: 'By confirming you accept the plan you chose.',
    returnsTo: (origin: string) => `Afterwards you return to ${origin}`,
    noOptions: 'There are no plans for this purchase',
    noOptionsDetail: 'You can cancel and choose another way to pay at the store.',
    offline: 'There is no connection, so nothing was sent. Check your connection and try again.',
    idNumber: 'RUT (national id)',
    code: 'Code',
    /** What the page asks the customer besides the plan. */
    asked: {
      'id-number': {
        title: 'Tell us who you are',
        detail: 'Your RUT tells us which plans we can offer you.',
        go: 'Continue',
        working: 'Checking your data…',
      },
      subscription: {
        title: 'Set up automatic payment',
        detail: 'Your installments will be paid automatically every month.',
        go: 'Set up automatic payment',
        working: 'Setting up automatic payment…',
      },
      signature: {
        title: 'Sign your documents',
        detail: 'Sign the contract to complete your first purchase.',
        go: 'Sign and pay',
        working: 'Signing your documents…',
      },
      code: {
        title: 'Confirm that it is you',
        detail: 'Enter the six-digit code. In this sandbox, every code except 123456 is right.',
        go: 'Confirm code',
        working: 'Checking the code…',
      },
    },
    /** Why the page asks again. */
    notices: {
      'bad-option': 'That plan is not available for this purchase. Choose one from the list.',
      'bad-id': 'That RUT is not valid. Check its numbers and its check digit.',
      unavailable: 'We could not check your data now. Try again in a moment.',
      'wrong-code': 'That code is not right. Check it and try again.',
    },
    timeIsUp: 'Time is up',
    timeIsUpDetail: 'This payment expired and nothing was charged. Go back to the store to start again.',
    outcomes: {
      paid: { title: 'Payment approved', detail: (merchant: string) => `Your purchase at ${merchant} is confirmed.` },
      rejected: {
        title: 'Payment declined',
        detail: (merchant: string) =>
          `We could not approve this payment. Nothing was charged; you can choose another way to pay at ${merchant}.`,
      },
      cancelled: {
        title: 'Payment cancelled',
        detail: (merchant: string) => `Nothing was charged. You can go back to ${merchant} whenever you like.`,
      },
    },
    planLabel: 'Plan',
    firstDueLabel: 'First installment due',
    preApproval: 'Reference',
    returning: (origin: string) => `Taking you to ${origin} in`,
    seconds: 's',
    returnNow: 'Return now',
    stay: 'Stay on this page',
    returnTo: (origin: string) => `Return to ${origin}`,
    embeddedEnd: 'You can carry on at the store.',
    problems: {
      missing: {
        title: 'There is no payment here',
        meaning: 'The address does not contain the payment token (widgetToken).',
        advice: 'Go back to the store and start the payment again.',
      },
      forged: {
        title: 'This payment link is not valid',
        meaning: 'The token in the address was not issued by this service, or it was altered.',
        advice: 'Do not enter any data. Go back to the store yourself and start the payment again.',
      },
      expired: {
        title: 'This payment expired',
        meaning: `Payments have to be confirmed within ${MINUTES} minutes. Nothing was charged.`,
        advice: 'Go back to the store and start the payment again.',
      },
      used: {
        title: 'This payment has already ended',
        meaning: 'A token is valid for only one payment, and this token was already used.',
        advice: 'Check your purchase at the store before you pay again.',
      },
      'wrong-key': {
        title: 'The store does not match',
        meaning: 'The public key (publicKey) in the address does not belong to the store that created this payment.',
        advice: 'Go back to the store and start the payment again. If it happens again, tell the store.',
      },
    },
    whatToDo: 'What you can do',
    badRequest: 'We cannot open this payment',
    badRequestMeaning: 'The store sent us an incomplete or unsafe address:',
    badRequestAdvice: 'Go back to the store and report this problem there. Nothing was charged.',
    missingParameter: 'is missing.',
    unsafeAddress:
      'must be an absolute web address: https:// (http:// on this machine only), without user name, password or control characters. Received:',
    unsafeOrigin:
      'must be the https:// origin of the page that shows the widget (http:// on this machine only). Received:',
    badForm: 'The form was incomplete',
    badFormMeaning: 'The form did not say whether you wanted to confirm or cancel the payment. Nothing was charged.',
    badFormAdvice: 'Open the payment link again and retry.',
    notFound: 'This page does not exist',
    notFoundMeaning: 'The address does not belong to any payment.',
  },
  /** The page that the window shows to a browser without a key. */
  door: {
    noScript:
      'This page needs JavaScript. Commands can do the same without JavaScript. To list them, run bnpl sandbox --help.',
    closedTitle: 'The sandbox’s window',
    closed: 'The window shows the keys and the traffic of this sandbox, so only the user of this machine can open it.',
    how: 'Run this in a terminal on the machine where the sandbox runs:',
    once: 'The command opens the window or prints a one-time link. Access ends when the sandbox stops or after 12 hours without use.',
    used: 'This link was already used, or it is from an earlier run of the sandbox.',
  },
  window: {
    ...enWindow,
    /** The window’s part “Changes”. The other texts of the window are in `en-window.ts`. */
    changes: {
      title: 'Changes',
      mark: 'Mark this moment',
      marked: 'Marked {time}. Requests and changes from now on are listed here.',
      sinceTime: 'Since {time}',
      sum: '{requests}, {changes}',
      requestCount: { one: '1 request', other: '{count} requests' },
      changeCount: { one: '1 change', other: '{count} changes' },
      since: 'Since',
      theMark: 'the marked moment',
      onlyChanges: 'Only with changes',
      goBack: 'Return to {time}',
      goBackSure:
        'Return to {time}? The state of that time replaces the present state, which is saved as the snapshot “{kept}”.',
      noMark: 'No moment is marked yet.',
      noMarkHow: 'Mark this moment, then let your program run. Here you will see what each of its requests changed.',
      nothing: 'Nothing has happened since then.',
      problems: {
        foreign: 'This snapshot belongs to another sandbox. Mark this moment, or choose another snapshot.',
        unreadable: 'This snapshot cannot be read. Mark this moment, or choose another snapshot.',
      },
      causes: {
        request: 'Request',
        customer: 'Customer',
        time: 'Time',
        control: 'Control',
        delivery: 'Delivery',
        state: 'State',
      },
      causesHow: {
        request: 'A request from your program.',
        customer:
          'The customer decided on the payment page, or you decided for the customer, in this window or with a command.',
        time: 'The evaluation of a lead became due.',
        control: 'A button of this window, or a command.',
        delivery: 'Another attempt to deliver an older event.',
        state: 'The sandbox was reset, or a snapshot was loaded.',
      },
      cause: 'Cause',
      about: 'About',
      hows: { came: 'new', changed: 'changed', went: 'gone' },
      kinds: {
        evaluation: 'Evaluation',
        selection: 'Selection',
        token: 'Widget token',
        loan: 'Loan',
        destination: 'Destination',
        lead: 'Lead',
        event: 'Event',
        delivery: 'Delivery',
        fault: 'Fault',
        account: 'Account',
        clock: 'Clock',
        retries: 'Retries',
      },
      fields: {
        amount: 'Amount',
        outcome: 'Outcome',
        customer: 'Customer',
        installments: 'Installments',
        expiresAt: 'Valid until',
        verifiedAt: 'Verified',
        cancelledAt: 'Cancelled',
        paidInstallments: 'Paid installments',
        step: 'Step',
        reason: 'Reason',
        events: 'Events',
        filters: 'Filter',
        projectId: 'Project',
        type: 'Event',
        state: 'State',
        answers: 'Answered',
        fault: 'What',
        times: 'Times',
        skip: 'Calls that pass before the fault',
        name: 'Name',
        aheadMs: 'Ahead by',
        waits: 'Retries after',
      },
      more: 'and {count} more',
      changedNothing: 'This changed nothing.',
    },
  },
}

export type Texts = typeof en
export type PageTexts = Texts['page']
