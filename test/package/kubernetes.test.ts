import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { complaints } from '../kit/command-lines.ts'
import { createDatabase } from '../kit/postgres.ts'
import { ROOT } from '../kit/source-graph.ts'
import { cleanUp, deliver, folder, SECRET, startListener, until } from '../receiver/listener.ts'

afterEach(cleanUp)

const objects: any[] = parseAllDocuments(readFileSync(join(ROOT, 'deploy/kubernetes.yaml'), 'utf8')).map((document) => {
  expect(document.errors).toEqual([])
  return document.toJS()
})
const deployment = objects.find(({ kind }) => kind === 'Deployment')
const cron = objects.find(({ kind }) => kind === 'CronJob')
const pod = deployment.spec.template.spec
const [receiver] = pod.containers
const args: string[] = receiver.args
const given = (option: string) => args.find((arg) => arg.startsWith(`--${option}=`))?.split('=')[1]

/** The file with the schemas of each API in the package with those of Kubernetes. */
const SCHEMAS: Record<string, string> = {
  'apps/v1': 'ApiAppsV1',
  'policy/v1': 'ApiPolicyV1',
  v1: 'ApiCoreV1',
  'networking.k8s.io/v1': 'ApiNetworkingV1',
  'batch/v1': 'ApiBatchV1',
}

/** Returns an object that notes which of its fields a schema reads. A schema reads the fields that it knows. */
function watched(value: any, path: string, unseen: Set<string>): any {
  if (value === null || typeof value !== 'object') return value
  const fields = new Map(
    Object.entries(value).map(([key, of]) => [key, watched(of, `${path}/${key}`, unseen)] as const),
  )
  for (const key of fields.keys()) unseen.add(`${path}/${key}`)
  return new Proxy(value, {
    get(target, key) {
      unseen.delete(`${path}/${String(key)}`)
      return fields.get(String(key)) ?? target[key]
    },
  })
}

async function judge(object: any): Promise<{ errors: string[]; unknown: string[] }> {
  const schema = `kubernetes-models/_schemas/IoK8s${SCHEMAS[object.apiVersion]}${object.kind}`
  const { validate } = await import(schema)
  const unseen = new Set<string>()
  validate(watched(object, '', unseen))
  return {
    errors: (validate.errors ?? []).map((each: any) => `${each.instancePath} ${each.message}`),
    unknown: [...unseen].sort(),
  }
}

describe('the manifest', () => {
  test.each(objects)(
    '$kind $metadata.name matches the schema of Kubernetes, and has no unknown field',
    async (object) => {
      expect(await judge(object)).toEqual({ errors: [], unknown: [] })
    },
  )

  test('has an Ingress in the docs that leads to its Service, and the topology keeps its receivers on two nodes', async () => {
    const docs = readFileSync(join(ROOT, 'docs/production.md'), 'utf8')
    const [ingress] = [...docs.matchAll(/^```yaml\n(apiVersion: networking[\s\S]*?)^```$/gm)].map(([, text = '']) =>
      parseAllDocuments(text)[0]?.toJS(),
    )
    expect(await judge(ingress)).toEqual({ errors: [], unknown: [] })
    const { path, backend } = ingress.spec.rules[0].http.paths[0]
    const service = objects.find(({ kind }) => kind === 'Service')
    expect(path).toBe(given('path'))
    expect(backend.service.name).toBe(service.metadata.name)
    expect(service.spec.ports.map(({ name }: { name: string }) => name)).toContain(backend.service.port.name)
    expect(pod.topologySpreadConstraints).toMatchObject([{ maxSkew: 1, topologyKey: 'kubernetes.io/hostname' }])
    // A sleep that is an action of its own needs Kubernetes 1.30.
    expect(Object.keys(receiver.lifecycle.preStop)).toEqual(['exec'])
  })

  test('fails the check if a value is wrong or a field is unknown', async () => {
    const wrong = structuredClone(deployment)
    wrong.spec.replicas = 'two'
    wrong.spec.template.spec.containers[0].readinesProbe = {}
    const { errors, unknown } = await judge(wrong)
    expect(errors.join()).toContain('/spec/replicas')
    expect(unknown).toEqual(['/spec/template/spec/containers/0/readinesProbe'])
  })

  test('uses matching labels, ports and secrets, and gives a receiver enough time to end', () => {
    const labels = deployment.spec.template.metadata.labels
    for (const { kind, spec } of objects) {
      if (kind === 'Service') expect(spec.selector).toEqual(labels)
      if (kind === 'PodDisruptionBudget') expect(spec).toEqual({ minAvailable: 1, selector: deployment.spec.selector })
      if (kind === 'NetworkPolicy') expect(spec.podSelector.matchLabels).toEqual(labels)
    }
    expect(deployment.spec.replicas).toBe(2)
    expect(deployment.spec.selector.matchLabels).toEqual(labels)
    const port = (name: string) => String(receiver.ports.find((each: any) => each.name === name).containerPort)
    expect([given('port'), given('metrics-port')]).toEqual([port('deliveries'), port('metrics')])
    expect(deployment.spec.template.metadata.annotations['prometheus.io/port']).toBe(port('metrics'))
    const docs = readFileSync(join(ROOT, 'docs/production.md'), 'utf8')
    for (const option of ['secret-file', 'database-password-file']) {
      const [, mount, name] = /^(.*)\/([^/]+)$/.exec(String(given(option))) ?? []
      expect(receiver.volumeMounts.map((each: any) => each.mountPath)).toContain(mount)
      expect(docs).toContain(`--from-file=${name}`)
    }
    // Deliveries under way have 5 s after the signal, which comes when preStop has ended.
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(receiver.lifecycle.preStop.exec.command[1]) + 5)
    // The check that the inbox can be written may take 2 s.
    for (const probe of [receiver.readinessProbe, receiver.startupProbe])
      expect(probe.timeoutSeconds).toBeGreaterThan(2)
  })

  test('contains only command lines that bnpl accepts', async () => {
    expect(await complaints(args)).toEqual([])
    const [prune] = cron.spec.jobTemplate.spec.template.spec.containers
    expect(await complaints(prune.args)).toEqual([])
    expect(prune.args).toContain(`--database=${given('database')}`)
    expect(prune.args).toContain(`--database-password-file=${given('database-password-file')}`)
  })
})

test('two receivers with the options of the manifest share one database, and answer the probes of the manifest', async () => {
  await using database = await createDatabase()
  const secrets = folder()
  writeFileSync(join(secrets, 'webhook-secret'), `${SECRET}\n`)
  writeFileSync(join(secrets, 'database-password'), 'nobody asks here\n', { mode: 0o600 })
  const here = args
    .slice(2)
    .map((arg) => arg.replace('/run/secrets/bnpl', secrets).replace(String(given('database')), database.url))
    .filter((arg) => !arg.startsWith('--forward-to'))
  const start = () =>
    startListener({ args: [...here, '--port=0', '--metrics-port=0'], env: { BNPL_WEBHOOK_SECRET: '' } })
  const both = await Promise.all([start(), start()])
  for (const { dir } of both) {
    const { metricsUrl } = JSON.parse(readFileSync(join(dir, 'ready.json'), 'utf8'))
    for (const { path } of [receiver.readinessProbe.httpGet, receiver.livenessProbe.httpGet, { path: '/metrics' }]) {
      const { status } = await fetch(new URL(path, metricsUrl))
      expect([path, status]).toEqual([path, 200])
    }
  }
  const headers = { host: String(given('public-host')) }
  for (const listener of both) expect((await deliver(listener, { eventId: 'once', headers })).status).toBe(200)
  const recorded = await Promise.all(
    both.map(async ({ dir }) => {
      const { metricsUrl } = JSON.parse(readFileSync(join(dir, 'ready.json'), 'utf8'))
      return (await (await fetch(metricsUrl)).text()).match(/recorded_total\{fate="(new|duplicate)",.*\} 1$/gm)?.join()
    }),
  )
  expect(recorded.map((each) => /fate="(\w+)"/.exec(String(each))?.[1]).sort()).toEqual(['duplicate', 'new'])
  for (const listener of both) expect(await listener.end('SIGTERM')).toBe(143)
  await until(() => both.every(({ stdout }) => stdout() === ''))
})
