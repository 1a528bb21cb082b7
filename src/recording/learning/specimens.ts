import type { EndpointName } from '../../contract/endpoints.ts'
import type { EventType } from '../../contract/integrations.ts'

const id = (kind: number) => `01a20295-9788-7000-b3ca-c4f42eb6e47${kind}`
const ID = id(0)
const LEAD = id(1)
const MOMENT = '2026-03-01T12:00:00.000Z'
const DATE = '2026-03-01'

/** A text of which a recording contains only the approximate size. */
const TEXT = '(text-16)'

const LOAN = {
  loanAmount: 250_000,
  interestRate: 0.0189,
  periods: 6,
  installmentAmount: 44_465,
  lastInstallmentAmount: 44_470,
  state: 'ACTIVE',
  transferDate: DATE,
  externalTrxId: 'T1',
  installments: [{ state: 'ACTIVE', period: 1, expirationDate: DATE }],
}

const CONTACT = {
  rut: '42500048-9',
  nombres: 'Zali',
  apellidoPaterno: 'Meba',
  apellidoMaterno: 'Bonabu',
  email: 'persona-00vb3sm6uu@example.com',
  telefono: '+56946468844',
  fechaNacimiento: '1955-05-08',
  direccion: 'Vekore Zebumo 929',
  comuna: 'Ripo Nesabe',
  region: 'Lidafa',
}

const EVALUATION = {
  idPreAprobacion: ID,
  urlInforme: 'https://api.example/partner/informe/(secret)',
  preLoanRequestId: id(3),
  leadId: LEAD,
  ...CONTACT,
  idProyecto: null,
  partner: TEXT,
  resultado: 'approved',
  fechaEvaluacion: MOMENT,
  vigenciaHasta: DATE,
  montoSolicitado: 115_000_000,
  nacionalidad: TEXT,
  estadoCivil: TEXT,
  nivelEducacional: TEXT,
  profesion: TEXT,
  situacionLaboral: TEXT,
  tipoContrato: TEXT,
  empleador: 'Fega fama Biluga',
  antiguedadLaboralMeses: 157,
  cargasFamiliares: 0,
  rentaLiquida: 1_294_000,
  rentaBruta: 1_578_680,
  otrosIngresos: 100_000,
  ingresoTotal: 1_394_000,
  arriendoActual: 600_000,
  deudaConsumo: 1_500_000,
  deudaTarjetas: 808_143,
  deudaHipotecaria: 0,
  deudaTotal: 1_800_000,
  cuotaMensualDeudas: 21_600,
  cargaFinanciera: 0.0155,
  leverage: 0.1076,
  morosidades: 0,
  montoMorosidades: 0,
  protestos: 0,
  puntajeRiesgo: 928,
  probabilidadDefault: 0.0173,
  segmentoRiesgo: '(text-1)',
  motivoRechazo: null,
  montoPreAprobado: 115_000_000,
  plazoMaximoMeses: 324,
  tasaReferencia: 0.0445,
}

const destination = (scheme: string) => ({
  id: id(4),
  url: 'https://host-hqdvdj.example/hook',
  verificationScheme: scheme,
  eventTypes: ['loan_approved'],
  filters: null,
  projectId: null,
  createdAt: MOMENT,
})

/**
 * The content of `data` in the sandbox's answers, for the calls whose recorded answers are compared with it field by field. Of the answers
 * to other calls, only status and content type are learnt.
 */
export const SPECIMENS: Readonly<Partial<Record<EndpointName, unknown>>> = {
  evaluate: { preApproveId: ID, installmentOptions: [{ installments: 3, amount: 86_503, total: 259_509 }] },
  select: { loanRequestId: id(2), step: 'AUTHORIZATION', preApproveId: ID },
  startWidget: { accepted: true, widgetToken: '(secret)' },
  verifyLoan: LOAN,
  registerWebhook: { ...destination('HMAC'), secret: '(secret)' },
  subscribeWebhook: { ...destination('token'), secret: '(secret)' },
  listWebhooks: [destination('HMAC')],
  deleteWebhook: {},
  getInforme: { url: 'https://storage.example/(text-8)/x.pdf?X-Amz-Signature=(secret)' },
  evaluationByRut: EVALUATION,
  evaluationByLead: EVALUATION,
  listLeads: [
    {
      leadId: LEAD,
      rut: CONTACT.rut,
      nombres: CONTACT.nombres,
      apellidoPaterno: CONTACT.apellidoPaterno,
      idProyecto: null,
      estado: 'EVALUADO',
      createdAt: MOMENT,
      idPreAprobacion: ID,
    },
  ],
  getLead: { leadId: LEAD, ...CONTACT, idProyecto: null, estado: 'EVALUADO', createdAt: MOMENT, evaluatedAt: MOMENT },
}

export const DELIVERED: Readonly<Record<EventType, { eventId: string; data: object }>> = {
  loan_approved: { eventId: id(5), data: { preApproveId: ID, ...LOAN } },
  new_lead: { eventId: id(5), data: { leadId: LEAD, ...CONTACT } },
  pre_approve: { eventId: id(5), data: EVALUATION },
}

export const SANDBOX_TYPE = { answer: 'application/json; charset=utf-8', delivery: 'application/json' } as const

/** The fields that the sandbox always fills with the same word, and this word. */
export const FIXED_WORDS: Readonly<Record<string, string>> = {
  step: 'AUTHORIZATION',
  state: 'ACTIVE',
}
