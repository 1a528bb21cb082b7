import { shellQuoted } from '../../../text/shell-word.ts'

/** Where a value was masked, the reader puts in their own: the word then names a variable of the shell. */
export const isMasked = (value: string): boolean => /•{2,}/.test(value)

/** A word for a shell, quoted where it needs it; a masked value becomes `"$NAME"`. @param name of the field it is the value of */
export function shellWord(value: string, name: string): string {
  if (isMasked(value)) return `"$${variableOf(name)}"`
  return shellQuoted(value)
}

/** `name=value` as one word. */
export function shellPair(name: string, value: string): string {
  if (!isMasked(value)) return shellQuoted(`${name}=${value}`)
  return `${shellQuoted(`${name}=`)}"$${variableOf(name)}"`
}

/** `idNumber` → `ID_NUMBER`. */
function variableOf(name: string): string {
  const word = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_')
  return word.replace(/^[_\d]+|_+$/g, '').toUpperCase() || 'VALUE'
}
