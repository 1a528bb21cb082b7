import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { LAUNCHER } from '../kit/built-program.ts'
import { countingService } from '../kit/counting-service.ts'
import { customers } from '../kit/customer-rows.ts'
import { needsProgram } from '../kit/needs.ts'
import { type Program, program, until } from '../kit/program.ts'
import { PUBLISHED, publishedService, servePublished } from '../kit/published-service.ts'
import { random } from '../kit/seed.ts'

/**
 * What is promised about killed processes, full disks and signals, with real processes, sockets and files. The tests mostly wait, so they
 * run at the same time.
 */

const WORKERS = 8

const envFor = (baseUrl: string) => ({ BNPL_BASE_URL: baseUrl, BNPL_API_KEY: 'test-key-123456', BNPL_ENTITY_ID: 'E1' })
/** Runs the program with a limit on the size of files, which has the effect of a full disk. @param stdin the input; empty if left out */
async function onSmallDisk(
  { dir }: Program,
  kilobytes: number,
  line: string,
  env: Record<string, string>,
  stdin = '',
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const script = `ulimit -f ${kilobytes}; exec "$0" "$@"`
  needsProgram('bash')
  const child = spawn('bash', ['-c', script, process.execPath, LAUNCHER, ...line.split(' ')], {
    cwd: dir,
    env: { HOME: dir, PATH: process.env.PATH, ...env },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  // The program may end before it has read everything.
  child.stdin.on('error', () => {}).end(stdin)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}

const outcomes = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => ({ trx: line.split(',')[1] ?? '', outcome: line.split(',')[2] ?? '' }))

test.concurrent('a run that is killed at random and resumed until its end sends no row twice, and only rows in flight are unknown [row 93]', async () => {
  await using p = program()
  const rows = 400
  writeFileSync(join(p.dir, 'in.csv'), customers(rows))
  let killAt = Number.POSITIVE_INFINITY
  let kill = () => {}
  const service = await countingService(3, (total) => {
    if (total >= killAt) kill()
  })
  const env = envFor(service.baseUrl)
  const command = `evaluate --from in.csv --out out.csv --resume --concurrency ${WORKERS} -q`
  let kills = 0
  for (;;) {
    const started = p.start(command, env)
    killAt = kills < 3 ? service.total() + 20 + Math.floor(random() * 60) : Number.POSITIVE_INFINITY
    kill = () => started.child.kill('SIGKILL')
    const { code, signal, stderr } = await started.ended
    if (signal === 'SIGKILL') {
      kills++
      continue
    }
    expect(stderr).toContain('their outcome is unknown')
    expect(code).toBe(12)
    break
  }
  expect(kills).toBe(3)
  expect([...service.asked.values()].filter((count) => count > 1)).toEqual([])
  const known = outcomes(join(p.dir, 'out.csv'))
  expect(known).toHaveLength(rows)
  const unknown = known.filter(({ outcome }) => outcome === 'unknown')
  expect(unknown.length).toBeGreaterThan(0)
  expect(unknown.length).toBeLessThanOrEqual(WORKERS * kills)
  expect(known.filter(({ outcome }) => outcome === 'ok')).toHaveLength(rows - unknown.length)

  const before = service.total()
  const retried = await p.run(`${command} --retry-unknown`, env)
  expect(retried).toMatchObject({ code: 0, stderr: '' })
  expect(service.total() - before).toBe(unknown.length)
  expect(outcomes(join(p.dir, 'out.csv')).every(({ outcome }) => outcome === 'ok')).toBe(true)
  await service.close()
})

test.concurrent('a run of cancellations that is killed and resumed cancels each loan once, and only rows that were not carried out stay unknown', async () => {
  await using p = program()
  const rows = 120
  const ids = Array.from({ length: rows }, (_, i) => `t-${i}`)
  const published = publishedService({ perMinute: Number.POSITIVE_INFINITY })
  for (const externalTrxId of ids)
    published.payments.set(externalTrxId, {
      externalTrxId,
      amount: 1000,
      preApproveId: undefined,
      idNumber: '12345678-5',
      transferredAt: Date.now(),
      paid: 0,
      cancelled: false,
    })
  let killAt = 0
  let calls = 0
  let kill = () => {}
  await using served = await servePublished(published, () => {
    if (++calls === killAt) kill()
  })
  writeFileSync(join(p.dir, 'in.csv'), `trx\n${ids.join('\n')}\n`)
  const env = { ...envFor(served.baseUrl), BNPL_API_KEY: PUBLISHED.key, BNPL_SERVICE: 'banca.me' }
  const command = 'cancel --from in.csv --out out.csv --yes -q --rate 10000/s --resume'
  for (let kills = 0; kills < 3; kills++) {
    const started = p.start(command, env)
    killAt = calls + 20 + Math.floor(random() * 40)
    kill = () => started.child.kill('SIGKILL')
    const { signal, stderr } = await started.ended
    expect([signal, stderr]).toEqual(['SIGKILL', ''])
  }
  killAt = 0
  const resumed = await p.run(command, env)
  const unknown = outcomes(join(p.dir, 'out.csv')).filter(({ outcome }) => outcome === 'unknown')
  expect(resumed.code).toBe(unknown.length > 0 ? 12 : 0)
  expect(unknown.length).toBeLessThanOrEqual(3 * WORKERS)
  for (const { trx } of unknown) expect(published.payments.get(trx)?.cancelled).toBe(false)
  expect(await p.run(`${command} --retry-unknown`, env)).toMatchObject({ code: 0, stderr: '' })
  expect(outcomes(join(p.dir, 'out.csv')).map(({ outcome }) => outcome)).toEqual(ids.map(() => 'ok'))
  const cancels = published.sent.map(({ url }) => new URL(url).pathname).filter((path) => path.endsWith('/cancel'))
  expect(cancels.sort()).toEqual(ids.map((id) => `/partner/pre-approve/${id}/loan/cancel`).sort())
})

test.concurrent('a second process on the same run is refused with the pid of the first, and a second Ctrl-C ends at once [row 92, row 100]', async () => {
  await using p = program()
  writeFileSync(join(p.dir, 'in.csv'), customers(50))
  const service = await countingService(undefined)
  const env = envFor(service.baseUrl)
  const first = p.start('evaluate --from in.csv', env)
  await until(() => service.total() === WORKERS, first)
  const second = await p.run('evaluate --from in.csv --resume', env)
  expect(second.stderr).toContain(`another process (pid ${first.child.pid}) is already sending the rows of this file`)
  expect(second.code).toBe(3)
  expect(service.total()).toBe(WORKERS)

  first.child.kill('SIGINT')
  await until(() => first.stderr().includes('Stopping'), first)
  first.child.kill('SIGINT')
  // The service never answers, so the run did not wait for the calls that were under way.
  expect(await first.ended).toMatchObject({ signal: 'SIGINT' })

  const resumed = p.start('evaluate --from in.csv --resume', env)
  await until(() => service.total() === 2 * WORKERS, resumed)
  resumed.child.kill('SIGKILL')
  await resumed.ended
  expect([...service.asked.values()].every((count) => count === 1)).toBe(true)
  await service.close()
})

test.concurrent('on a full disk a row that the ledger cannot record is not sent, the run exits with 13, and --resume knows every row that was sent [row 97]', async () => {
  await using p = program()
  const rows = 900
  writeFileSync(join(p.dir, 'in.csv'), customers(rows))
  const service = await countingService(0)
  const env = { ...envFor(service.baseUrl), BNPL_STATE_DIR: p.stateDir }
  const { code, stderr } = await onSmallDisk(p, 120, 'evaluate --from in.csv', env)
  expect(stderr).toContain('the ledger of this run could not be written')
  expect(stderr).toContain('Raise the limit for the size of a file (ulimit -f), then continue with --resume.')
  expect(code).toBe(13)
  const sent = service.total()
  expect(sent).toBeGreaterThan(0)
  expect(sent).toBeLessThan(rows)
  expect(stderr).toContain(`${sent} of ${rows} rows are done, ${rows - sent} were not sent`)
  const resumed = await p.run('evaluate --from in.csv --resume --out out.csv -q', env)
  expect(resumed.code).toBe(0)
  expect([...service.asked.values()].filter((count) => count > 1)).toEqual([])
  expect(outcomes(join(p.dir, 'out.csv'))).toHaveLength(rows)
  await service.close()
})

test.concurrent('if the ledger can no longer be written at all, the hint says to keep the file that alone has the last results', async () => {
  await using p = program()
  const rows = 60
  writeFileSync(join(p.dir, 'in.csv'), customers(rows))
  const folder = join(p.stateDir, 'bulk')
  const change = (sql: string) => {
    const name = readdirSync(folder).find((each) => each.endsWith('.db')) ?? ''
    using db = new DatabaseSync(join(folder, name), { timeout: 10_000 })
    db.exec(sql)
  }
  const service = await countingService(0, (total) => {
    if (total === 30) change("create trigger no before insert on row begin select raise(abort, 'no'); end")
  })
  const env = envFor(service.baseUrl)
  const { code, stderr } = await p.run('evaluate --from in.csv --out out.csv', env)
  expect(code).toBe(3)
  const [, done, unstored] =
    /: (\d+) of 60 rows are done, (\d+) answered but not noted in the ledger, /.exec(stderr) ?? []
  expect(Number(unstored)).toBeLessThanOrEqual(WORKERS)
  expect(stderr).toContain(`Only ${join(p.dir, 'out.csv')} has them. Copy that file before you continue`)
  // The file has these results, as the hint says, and the next run does not know them.
  expect(outcomes(join(p.dir, 'out.csv')).filter(({ outcome }) => outcome === 'ok')).toHaveLength(
    Number(done) + Number(unstored),
  )
  change('drop trigger no')
  expect((await p.run('evaluate --from in.csv --out out.csv --resume -q', env)).code).toBe(12)
  const unknown = outcomes(join(p.dir, 'out.csv')).filter(({ outcome }) => outcome === 'unknown')
  expect(unknown).toHaveLength(Number(unstored))
  await service.close()
})

test.concurrent('if the disk has no room for the results, the earlier file is unchanged, and --resume writes all results [row 97]', async () => {
  await using p = program()
  const rows = 18
  const [head, ...others] = customers(rows).trimEnd().split('\n')
  writeFileSync(
    join(p.dir, 'in.csv'),
    [`${head},note`, ...others.map((row) => `${row},${'x'.repeat(100_000)}`)].join('\n'),
  )
  const service = await countingService(0)
  const env = { ...envFor(service.baseUrl), BNPL_STATE_DIR: p.stateDir }
  for (const form of ['csv', 'json']) {
    const out = join(p.dir, `out.${form}`)
    writeFileSync(out, 'precious')
    const line = `evaluate --from in.csv --out out.${form} ${form === 'json' ? '-o json ' : ''}--force --restart`
    const { code, stderr } = await onSmallDisk(p, 1500, line, env)
    expect([code, stderr]).toEqual([13, expect.stringContaining('the results could not be written to')])
    expect(readFileSync(out, 'utf8')).toBe('precious')
    expect(readdirSync(p.dir).filter((name) => name.endsWith('.part'))).toEqual([])
    const resumed = await p.run(`${line.replace('--restart', '--resume')} -q`, env)
    expect([0, 12]).toContain(resumed.code)
    expect(readFileSync(out, 'utf8')).toContain(`t-${rows}`)
  }
  await service.close()
})

test.concurrent('if the disk has no room for the rows from stdin, one error line says so, nothing is sent, and no file is left [row 97]', async () => {
  await using p = program()
  const service = await countingService(0)
  const env = { ...envFor(service.baseUrl), BNPL_STATE_DIR: p.stateDir }
  const { code, stderr, stdout } = await onSmallDisk(p, 100, 'verify --from - --quiet', env, customers(10_000))
  expect(stderr.split('\n')[0]).toMatch(
    /^error: the rows of stdin could not be copied to .*: a file of this size is not allowed here$/,
  )
  expect([code, stdout, service.total(), readdirSync(join(p.stateDir, 'bulk'))]).toEqual([13, '', 0, []])
  await service.close()
})

test.concurrent('a killed verify is resumed, and the rows that the ledger recorded are not sent again', async () => {
  await using p = program()
  const rows = 900
  writeFileSync(join(p.dir, 'in.csv'), `trx\n${Array.from({ length: rows }, (_, i) => `t-${i}`).join('\n')}\n`)
  let kill = () => {}
  const service = await countingService(0, (total) => {
    if (total === 600) kill()
  })
  const env = envFor(service.baseUrl)
  const first = p.start('verify --from in.csv --out out.csv', env)
  kill = () => first.child.kill('SIGKILL')
  await first.ended
  const refused = await p.run('verify --from in.csv --out out.csv', env)
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('did not finish')
  const resumed = await p.run('verify --from in.csv --out out.csv --resume --json', env)
  expect(resumed.code).toBe(0)
  const { sent, earlier } = JSON.parse(resumed.stdout)
  expect(sent + earlier).toBe(rows)
  expect(earlier).toBeGreaterThan(300)
  expect(outcomes(join(p.dir, 'out.csv'))).toHaveLength(rows)
  await service.close()
})
