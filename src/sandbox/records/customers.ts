import { type InstallmentOption, installmentPlan } from '../../domain/installments.ts'
import { MONTHLY_RATE } from '../conventions.ts'
import type { LeadContact } from '../store/tables.ts'

export type CustomerFate =
  | 'approved'
  | 'rejected'
  | 'few-options'
  | 'slow'
  | 'service-error'
  | 'rate-limited'
  | 'payment-rejected'
  | 'signature-fails'
  | 'factors-only'
  | 'active-loan'
  | 'leaves-at-options'
  | 'leaves-at-subscription'
  | 'leaves-at-authorization'

export interface TestCustomer {
  rut: string
  title: string
  does: string
  fate: CustomerFate
}

/**
 * The test customers. Their national ids decide what happens, like the numbers of test cards. Every other valid id is approved. The service
 * banca.me publishes the ids 11111111-1, 22222222-2, 33333333-3 and 44444444-4; the others are the sandbox's own.
 */
export const TEST_CUSTOMERS: readonly TestCustomer[] = [
  {
    rut: '11222333-9',
    title: 'Approved',
    does: 'is offered every option, and the payment is approved',
    fate: 'approved',
  },
  {
    rut: '11111111-1',
    title: 'Not approved',
    does: 'is refused at the evaluation with 422 ERR_CUSTOMER_NOT_APPROVED',
    fate: 'rejected',
  },
  {
    rut: '22222222-2',
    title: 'Signature fails',
    does: 'is approved, but the signature of the documents fails',
    fate: 'signature-fails',
  },
  {
    rut: '33333333-3',
    title: 'Authentication only',
    does: 'is asked for a code at once: 123456 fails, other six digits pass',
    fate: 'factors-only',
  },
  {
    rut: '44444444-4',
    title: 'Active loan',
    does: 'is approved, but has an active loan, so the payment is rejected',
    fate: 'active-loan',
  },
  {
    rut: '88888888-8',
    title: 'Few options',
    does: 'is offered only the option with 3 installments',
    fate: 'few-options',
  },
  { rut: '99999999-9', title: 'Slow', does: 'is approved, after 5 seconds', fate: 'slow' },
  {
    rut: '55555555-5',
    title: 'Service error',
    does: 'cannot be evaluated, because each attempt is answered with 503',
    fate: 'service-error',
  },
  {
    rut: '66666666-6',
    title: 'Rate limited',
    does: 'gets one 429 for each transaction (Retry-After: 2), then is approved',
    fate: 'rate-limited',
  },
  {
    rut: '77777777-7',
    title: 'Payment rejected',
    does: 'is approved, but the payment on the page is rejected',
    fate: 'payment-rejected',
  },
  {
    rut: '12121212-9',
    title: 'Leaves at the options',
    does: 'leaves the page at the options (READY_FOR_LOAN)',
    fate: 'leaves-at-options',
  },
  {
    rut: '13131313-6',
    title: 'Leaves at the subscription',
    does: 'leaves at the set-up of automatic payment (PAYMENT_SUBSCRIPTION)',
    fate: 'leaves-at-subscription',
  },
  {
    rut: '14141414-3',
    title: 'Leaves at the authorization',
    does: 'leaves at the signature or code (AUTHORIZATION)',
    fate: 'leaves-at-authorization',
  },
]

/** The national id that the customer of a test types when the payment page asks for it (`--customer`). */
export const USUAL_CUSTOMER = '11222333-9'

/** A step of a payment, as the service banca.me publishes it. Without a step, the page asks for the national id. */
export type PaymentStep = 'READY_FOR_LOAN' | 'PAYMENT_SUBSCRIPTION' | 'AUTHORIZATION' | 'ARCHIVED_FAIL'

/** The steps at which the page asks a test customer. Every other customer passes both steps without a question. */
export const ASKED_AT: Readonly<Partial<Record<CustomerFate, PaymentStep>>> = {
  'leaves-at-subscription': 'PAYMENT_SUBSCRIPTION',
  'leaves-at-authorization': 'AUTHORIZATION',
  'signature-fails': 'AUTHORIZATION',
  'factors-only': 'AUTHORIZATION',
}

/** The steps at which a test customer leaves the page, if nobody answers for this customer in a browser. */
export const LEAVES_AT: Readonly<Partial<Record<CustomerFate, PaymentStep>>> = {
  'leaves-at-options': 'READY_FOR_LOAN',
  'leaves-at-subscription': 'PAYMENT_SUBSCRIPTION',
  'leaves-at-authorization': 'AUTHORIZATION',
}

/** The code with which every authentication factor fails, as the service banca.me publishes it. */
export const FAILING_CODE = '123456'

/** After this number of wrong codes, the payment is rejected. A convention of the sandbox. */
export const CODE_ATTEMPTS = 3

export const SLOW_MS = 5_000

export const RETRY_AFTER_SECONDS = 2

/** Returns how the sandbox treats the customer with this national id. */
export function customerFate(rut: string): CustomerFate {
  return TEST_CUSTOMERS.find((customer) => customer.rut === rut)?.fate ?? 'approved'
}

/**
 * Returns the installment options of a customer for an amount in currency units.
 * @param offered the numbers of installments that the service offers
 */
export function offersFor(rut: string | undefined, amount: number, offered: readonly number[]): InstallmentOption[] {
  const periods = rut !== undefined && customerFate(rut) === 'few-options' ? offered.slice(0, 1) : offered
  return periods.map((installments) => {
    const plan = installmentPlan(amount, installments, MONTHLY_RATE)
    return { installments, amount: plan.installmentAmount, total: plan.total }
  })
}

const unaccented = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')

/** Invents the contact data of a person. */
export function newContact(rut: string, random: () => number): LeadContact {
  const pick = (values: readonly string[]) => values[Math.floor(random() * values.length)] ?? ''
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('')
  const nombres = pick(['Ana', 'Begoña', 'Diego', 'Elena', 'Íñigo', 'Lucía', 'Rosa', 'Tomás'])
  const apellidoPaterno = pick(['Araya', 'Contreras', 'Fuentes', 'Muñoz', 'Núñez', 'Soto'])
  return {
    rut,
    nombres,
    apellidoPaterno,
    apellidoMaterno: pick(['Díaz', 'Lagos', 'Pérez', 'Ñancupil', 'Torres', 'Vera']),
    email: `${unaccented(nombres)}.${unaccented(apellidoPaterno)}${digits(3)}@example.com`.toLowerCase(),
    telefono: `+569${digits(8)}`,
    fechaNacimiento: `19${70 + Math.floor(random() * 30)}-0${1 + Math.floor(random() * 9)}-1${digits(1)}`,
    direccion: `Calle Ejemplo ${1 + Math.floor(random() * 999)}`,
    comuna: pick(['Providencia', 'Ñuñoa', 'Maipú', 'La Florida', 'Concepción', 'Temuco']),
    region: pick(['Metropolitana', 'Biobío', 'La Araucanía', 'Valparaíso']),
  }
}

/**
 * Invents 31 risk parameters for an evaluation. The specification does not name them, so the sandbox uses its own names (gap 11). Amounts
 * are integers, and ratios are decimal fractions.
 */
export function newRiskDetails(
  outcome: 'approved' | 'rejected',
  amount: number,
  random: () => number,
): Record<string, unknown> {
  const between = (low: number, high: number) => Math.floor(low + random() * (high - low + 1))
  const pick = (values: readonly string[]) => values[between(0, values.length - 1)] ?? ''
  const approved = outcome === 'approved'
  const salary = between(700, 3_500) * 1_000
  const otherIncome = between(0, 4) * 50_000
  const consumerDebt = between(0, 20) * 100_000
  const cardDebt = between(0, 15) * 50_000
  const mortgage = between(0, 3) * 10_000_000
  const debt = consumerDebt + cardDebt + mortgage
  const monthlyDebt = Math.round(debt * 0.012)
  const income = salary + otherIncome
  return {
    nacionalidad: 'Chilena',
    estadoCivil: pick(['Soltero', 'Casado', 'Divorciado', 'Conviviente civil']),
    nivelEducacional: pick(['Media', 'Técnica', 'Universitaria', 'Postgrado']),
    profesion: pick(['Contador', 'Enfermera', 'Ingeniero', 'Profesora', 'Técnico']),
    situacionLaboral: pick(['Dependiente', 'Independiente']),
    tipoContrato: pick(['Indefinido', 'Plazo fijo', 'Honorarios']),
    empleador: pick(['Comercial Andes', 'Servicios del Sur', 'Transportes Norte']),
    antiguedadLaboralMeses: between(6, 180),
    cargasFamiliares: between(0, 4),
    rentaLiquida: salary,
    rentaBruta: Math.round(salary * 1.22),
    otrosIngresos: otherIncome,
    ingresoTotal: income,
    arriendoActual: between(0, 6) * 100_000,
    deudaConsumo: consumerDebt,
    deudaTarjetas: cardDebt,
    deudaHipotecaria: mortgage,
    deudaTotal: debt,
    cuotaMensualDeudas: monthlyDebt,
    cargaFinanciera: ratio(monthlyDebt / income),
    leverage: ratio(debt / (income * 12)),
    morosidades: approved ? 0 : between(1, 5),
    montoMorosidades: approved ? 0 : between(1, 40) * 25_000,
    protestos: approved ? 0 : between(0, 2),
    puntajeRiesgo: approved ? between(620, 950) : between(150, 480),
    probabilidadDefault: ratio(approved ? random() * 0.08 : 0.3 + random() * 0.5),
    segmentoRiesgo: approved ? pick(['A', 'B', 'C']) : pick(['D', 'E']),
    motivoRechazo: approved ? null : pick(['Morosidad vigente', 'Carga financiera alta', 'Puntaje inferior al mínimo']),
    montoPreAprobado: approved ? amount : 0,
    plazoMaximoMeses: approved ? between(20, 30) * 12 : 0,
    tasaReferencia: 0.0445,
  }
}

const ratio = (value: number) => Math.round(value * 10_000) / 10_000
