import type { LeadContact } from './records.ts'

const unaccented = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')

/** A person who does not exist. */
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
