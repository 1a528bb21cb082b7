import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { METRICS } from '../../src/receiver/health/metrics.ts'
import { commandLines, complaints } from '../kit/command-lines.ts'
import { ROOT } from '../kit/source-graph.ts'
import { cleanUp, deliver, folder, SECRET, startListener, until } from '../receiver/listener.ts'

afterEach(cleanUp)

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** Returns the settings of a systemd unit. A name may occur several times. */
function unit(name: string): Map<string, string[]> {
  const settings = new Map<string, string[]>()
  for (const line of read(`deploy/${name}`).split('\n')) {
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (key !== undefined) settings.set(key, [...(settings.get(key) ?? []), String(value)])
  }
  return settings
}
const execOf = (name: string): string[] => String(unit(name).get('ExecStart')).split(' ').slice(1)

describe('the command lines', () => {
  test.each(globSync(['*.md', 'docs/*.md'], { cwd: ROOT }))(
    'of %s contain only existing commands and options',
    async (path) => {
      for (const words of commandLines(read(path))) expect([words, await complaints(words)]).toEqual([words, []])
    },
  )

  test('with an unknown command or an unknown option are found', async () => {
    const lines = commandLines("```sh\nA=1 bnpl verify T1 --wat && bnpl \\\n  webhooks lisen 'a b'\n```\n")
    expect(lines).toEqual([
      ['verify', 'T1', '--wat'],
      ['webhooks', 'lisen', 'a b'],
    ])
    expect(await Promise.all(lines.map(complaints))).toEqual([['no such option: --wat'], ['no such command: lisen']])
  })
})

describe('the units of systemd', () => {
  test('call bnpl with commands and options that exist', async () => {
    for (const name of ['bnpl-receiver.service', 'bnpl-prune.service']) {
      expect(String(unit(name).get('ExecStart'))).toMatch(/^\/usr\/local\/bin\/bnpl /)
      expect(await complaints(execOf(name))).toEqual([])
    }
  })

  test('give the receiver and the prune job the same user, folder and restrictions [database 8]', () => {
    const [receiver, prune] = ['bnpl-receiver.service', 'bnpl-prune.service'].map(unit)
    const restrictions = [...(receiver?.keys() ?? [])].filter((key) =>
      /^(Capability|Lock|NoNew|Private|Proc|Protect|Remove|Restrict|SystemCall)/.test(key),
    )
    expect(restrictions.length).toBeGreaterThan(20)
    for (const key of [
      'User',
      'StateDirectory',
      'StateDirectoryMode',
      'Environment',
      'DynamicUser',
      'UMask',
      ...restrictions,
    ])
      expect([key, prune?.get(key)]).toEqual([key, receiver?.get(key)])
    expect(prune?.get('PrivateNetwork')).toEqual(['yes'])
  })

  test('start a receiver that verifies with the credential, and ends with the status that the unit expects', async () => {
    const dir = folder()
    writeFileSync(join(dir, 'webhook-secret'), `${SECRET}\n`)
    const args = execOf('bnpl-receiver.service').slice(2)
    const listener = await startListener({
      dir,
      args: [...args.map((word) => word.replace('%d', dir)), '--port', '0', '--metrics-port', '0'],
      env: { BNPL_WEBHOOK_SECRET: '' },
    })
    expect(listener.url).toMatch(/\/bnpl$/)
    expect((await deliver(listener, { headers: { host: 'hooks.shop.example' } })).status).toBe(200)
    expect((await deliver(listener, { secret: 'another' })).status).toBe(401)
    expect(await listener.end('SIGTERM')).toBe(Number(unit('bnpl-receiver.service').get('SuccessExitStatus')))
    expect(listener.stdout()).toBe('')
  })
})

test('the alerts use existing metrics', () => {
  const { groups } = parse(read('deploy/alerts.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] }
  const rules = groups.flatMap((group) => group.rules)
  expect(rules.length).toBeGreaterThan(4)
  for (const { alert, expr } of rules) {
    const named = expr.match(/bnpl_\w+/g) ?? []
    expect([alert, named.length > 0]).toEqual([alert, true])
    for (const name of named) expect(Object.keys(METRICS)).toContain(name.replace(/_bucket$/, ''))
  }
})

test('after a restore from a backup of a running receiver, the events in the backup are still known', async () => {
  const first = await startListener()
  await deliver(first, { eventId: 'before' })
  const [, statement = ''] = /^sqlite3 \S+ "(VACUUM INTO [^"]*)"$/m.exec(read('docs/production.md')) ?? []
  const second = folder()
  using db = new DatabaseSync(join(first.dir, 'state/inbox.db'))
  const copy = join(second, 'copy.db')
  db.exec(statement.replace(/'[^']*'/, `'${copy}'`))
  await deliver(first, { eventId: 'after' })
  const state = join(second, 'state')
  // The first start makes the folder with the right modes. Then the copy replaces its file.
  const restored = await startListener({ dir: second })
  expect(await restored.end('SIGTERM')).toBe(143)
  for (const ending of ['-wal', '-shm']) expect(globSync(join(state, `inbox.db${ending}`))).toEqual([])
  writeFileSync(join(state, 'inbox.db'), readFileSync(copy))
  const again = await startListener({ dir: second })
  for (const eventId of ['before', 'after']) expect((await deliver(again, { eventId })).status).toBe(200)
  await until(() => again.events().some(({ eventId }) => eventId === 'after'))
  expect(again.events().filter(({ eventId }) => eventId === 'before').length).toBeLessThanOrEqual(1)
  using reopened = new DatabaseSync(join(state, 'inbox.db'), { readOnly: true })
  expect(reopened.prepare('SELECT event_id AS id FROM events ORDER BY seq').all()).toEqual([
    { id: 'before' },
    { id: 'after' },
  ])
})
