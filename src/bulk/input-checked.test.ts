import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { asChecked, type Input } from './input.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Returns a checked file in which each letter is one block. `change` replaces its text. */
function letters(text: string) {
  const state = { text, version: '1', passes: 0 }
  const input: Input = {
    name: 'rows.csv',
    path: '/rows.csv',
    async *bytes() {
      state.passes++
      for (let at = 0; at < state.text.length; at++) yield Buffer.from(state.text.charAt(at))
    },
    version: async () => state.version,
    close: async () => {},
  }
  const change = (now: string) => {
    state.text = now
    state.version += '1'
  }
  return { state, checked: asChecked(input, { digest: sha256(text), size: text.length, version: '1' }), change }
}

async function read(bytes: AsyncGenerator<Uint8Array>, onBlock: (text: string) => void = () => {}): Promise<string> {
  let text = ''
  for await (const block of bytes) {
    text += Buffer.from(block).toString()
    onBlock(text)
  }
  return text
}

const CHANGED = {
  kind: 'config',
  code: 'INPUT_CHANGED',
  message: 'rows.csv was changed during the run, so the run stopped before it sent a changed row',
  hint: 'Run the command again when no program writes to the file. If some of its rows were sent, restore the old content first and add --resume.',
}

test('an unchanged file is read to its end, in one pass', async () => {
  const { checked, state } = letters('abc')
  expect(await read(checked.bytes())).toBe('abc')
  expect([await checked.isUnchanged(), state.passes]).toEqual([true, 1])
  expect([checked.name, checked.path]).toEqual(['rows.csv', '/rows.csv'])
})

test('a file with only a new modification time is accepted, after one more reading', async () => {
  const { checked, state, change } = letters('abc')
  change('abc')
  expect(await read(checked.bytes())).toBe('abc')
  expect([await checked.isUnchanged(), state.passes]).toEqual([true, 2])
})

test.each([['abx'], ['xbc'], ['ab'], ['abcd'], ['']])(
  'a file that changed to %j before the reading returns no block [attack 11]',
  async (now) => {
    const { checked, change } = letters('abc')
    change(now)
    const seen: string[] = []
    await expect(read(checked.bytes(), (text) => seen.push(text))).rejects.toMatchObject(CHANGED)
    expect([seen, await checked.isUnchanged()]).toEqual([[], false])
  },
)

test('if a block that was already read changes, no further block is returned [attack 11]', async () => {
  const { checked, change } = letters('abcd')
  const seen: string[] = []
  const reading = read(checked.bytes(), (text) => {
    seen.push(text)
    if (text === 'ab') change('xbcd')
  })
  await expect(reading).rejects.toMatchObject(CHANGED)
  expect(seen).toEqual(['a', 'ab'])
})

test.each(['ab', ''])(
  'if the file shrinks to %j while a block is used, the end is not taken for the end of the rows [attack 11]',
  async (now) => {
    const { checked, change } = letters('abc')
    const seen: string[] = []
    const reading = read(checked.bytes(), (text) => {
      seen.push(text)
      if (text === 'ab') change(now)
    })
    await expect(reading).rejects.toMatchObject(CHANGED)
    expect(seen).toEqual(['a', 'ab'])
  },
)
