/**
 * Plausible risk parameters of an evaluation: 31 fields whose names are the sandbox's own (gap 11). Amounts are integers, ratios
 * decimal fractions.
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
    motivoRechazo: approved ? null : pick(['Morosidad vigente', 'Carga financiera alta', 'Puntaje bajo la política']),
    montoPreAprobado: approved ? amount : 0,
    plazoMaximoMeses: approved ? between(20, 30) * 12 : 0,
    tasaReferencia: 0.0445,
  }
}

const ratio = (value: number) => Math.round(value * 10_000) / 10_000
