export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
}

const asItIs = (text: string): string => text

const PLAIN: Style = { bold: asItIs, dim: asItIs, red: asItIs, green: asItIs, yellow: asItIs, cyan: asItIs }

/** Whether an option or the environment switches colours on or off; undefined if neither does. Words after `--` are ignored. */
export function colorChoice(
  env: Readonly<Record<string, string | undefined>>,
  words: readonly string[],
): boolean | undefined {
  const end = words.indexOf('--')
  if (env.NO_COLOR || (end === -1 ? words : words.slice(0, end)).includes('--no-color')) return false
  if (env.FORCE_COLOR) return !/^(0|false)$/.test(env.FORCE_COLOR)
  return env.TERM === 'dumb' ? false : undefined
}

/** Returns a style for a stream. Without colours, each of its functions returns the text unchanged. */
export async function createStyle(color: boolean): Promise<Style> {
  if (!color) return PLAIN
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level: 1 })
  // Pass on only the text, because chalk joins all its arguments, and a table calls the style of a column with the text and the row.
  return {
    bold: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    red: (text) => chalk.red(text),
    green: (text) => chalk.green(text),
    yellow: (text) => chalk.yellow(text),
    cyan: (text) => chalk.cyan(text),
  }
}
