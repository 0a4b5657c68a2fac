import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { settingNames } from '../../server/src/config.ts';
import { has, run } from './tools.ts';

const scratch = inject('scratch');
const chart = join(import.meta.dirname, '../../deploy/helm/tenure');
const canRender = has('the chart', 'helm');

const least = [
  'appUrl=https://hr.example.com',
  'existingSecret=tenure',
  'storageUrl=s3://files?endpoint=https://s3.example',
];
const variants: Record<string, string[]> = {
  least: [],
  everything: [
    'ingress.enabled=true',
    'ingress.className=nginx',
    'ingress.tlsSecret=tls',
    'secretHas.smtpUrl=true',
    'secretHas.s3=true',
    'settings.MAIL_FROM=Tenure <no-reply@example.com>',
    'networkPolicy.ingressNamespace.name=ingress',
    'networkPolicy.metricsNamespace.name=monitoring',
    'worker.replicas=2',
    'nodeSelector.disk=fast',
    'podAnnotations.team=hr',
    'imagePullSecrets[0].name=registry',
    'image.repository=registry.example.com/tenure@sha256:0000000000000000000000000000000000000000000000000000000000000000',
  ],
  bare: ['networkPolicy.enabled=false', 'podDisruptionBudget.enabled=false', 'shutdownDelaySeconds=0'],
};

const set = (values: string[]) => values.flatMap((value) => ['--set', value.replaceAll(',', String.raw`\,`)]);
const helm = (command: string[], folder: string, values: string[]) =>
  run('helm', [...command, folder, ...set(values)], {
    env: { ...process.env, HELM_CACHE_HOME: join(scratch, 'helm') },
  });

type Container = {
  name: string;
  env: { name: string; value: string }[];
  securityContext: object;
  resources: { requests?: object; limits?: object };
  startupProbe?: object;
  readinessProbe?: object;
  livenessProbe?: object;
};
type Pod = {
  securityContext: object;
  containers: Container[];
  automountServiceAccountToken?: boolean;
  terminationGracePeriodSeconds?: number;
  volumes: { secret?: { items: { key: string }[] } }[];
};
type Resource = { kind: string; metadata: { name: string }; spec: { template?: { spec: Pod } } };

function render(folder: string, values: string[]): Resource[] {
  const { status, output } = helm(['template', 'hr'], folder, [...least, ...values]);
  if (status !== 0) throw new Error(output);
  return parseAllDocuments(output).flatMap((one) => (one.toJSON() as Resource | null) ?? []);
}

/** What is wrong with a resource that runs something. */
function faultsOf({ kind, metadata, spec }: Resource): string[] {
  const pod = spec.template?.spec;
  if (!pod) return [];
  const faults: string[] = [];
  const check = (isRight: boolean, what: string) => void (isRight || faults.push(`${kind} ${metadata.name}: ${what}`));
  const includes = (object: object | undefined, part: object) => {
    for (const [name, value] of Object.entries(part))
      if (JSON.stringify((object as Record<string, unknown> | undefined)?.[name]) !== JSON.stringify(value))
        return false;
    return true;
  };
  check(includes(pod.securityContext, { runAsNonRoot: true, runAsUser: 10_001 }), 'runs as root');
  check(includes(pod.securityContext, { seccompProfile: { type: 'RuntimeDefault' } }), 'any system call');
  check(pod.automountServiceAccountToken === false, 'has a token of the cluster');
  for (const { securityContext, resources, env, ...container } of pod.containers) {
    const fences = { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
    check(includes(securityContext, fences), 'is not fenced in');
    check(Boolean(resources.requests && resources.limits), 'has no requests or limits');
    if (kind === 'Deployment')
      check(Boolean(container.startupProbe && container.readinessProbe && container.livenessProbe), 'lacks a probe');
    for (const { name } of env) {
      check(settingNames.includes(name.replace(/_FILE$/, '')), `${name} is no setting`);
      check(!/(KEY|KEYS|PASSWORD|SMTP_URL|DATABASE_([A-Z]+_)?URL)$/.test(name), `${name} is a secret in a value`);
    }
  }
  return faults;
}

describe.runIf(canRender)('the chart', () => {
  test.each(Object.entries(variants))('is valid with %s, and every pod is fenced in', (_, values) => {
    const { status, output } = helm(['lint', '--strict'], chart, [...least, ...values]);
    expect(status, output).toBe(0);
    const resources = render(chart, values);
    expect(resources.flatMap(faultsOf)).toEqual([]);
    expect(
      resources
        .filter(({ spec }) => spec.template)
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
        .sort(),
    ).toEqual(['Deployment hr-api', 'Deployment hr-worker', 'Job hr-migrate']);
  });

  test('has what its values ask for', () => {
    const kinds = (values: string[]) => [...new Set(render(chart, values).map(({ kind }) => kind))].sort();
    const always = ['Deployment', 'Job', 'Service'];
    expect(kinds(variants['bare'] ?? [])).toEqual(always);
    expect(kinds([])).toEqual([...always, 'NetworkPolicy', 'PodDisruptionBudget'].sort());
    expect(kinds(variants['everything'] ?? [])).toEqual(
      [...always, 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget'].sort(),
    );
  });

  test('gives the address of the owner only to the job that migrates, and time to stop', () => {
    for (const { kind, metadata, spec } of render(chart, [])) {
      const pod = spec.template?.spec;
      const keys = pod?.volumes.flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? []) ?? [];
      expect(keys.includes('database-migration-url'), metadata.name).toBe(kind === 'Job');
      if (metadata.name === 'hr-api') expect(pod?.terminationGracePeriodSeconds).toBe(45);
    }
  });

  test.each([
    ['appUrl=http://hr.example.com', 'appUrl'],
    ['existingSecret=', 'existingSecret'],
    ['storageUrl=file:', 'storageUrl'],
    ['settings.APP_KEY=secret', 'settings'],
    ['settings.DATABASE_URL=postgres://x', 'settings'],
  ])('refuses %s', (value, named) => {
    const { status, output } = helm(['template', 'hr'], chart, [...least, value]);
    expect(status).not.toBe(0);
    expect(output).toContain(named);
  });

  test('one that runs as root, or with a wrong setting, is noticed', () => {
    const folder = join(scratch, 'chart');
    cpSync(chart, folder, { recursive: true });
    const parts = join(folder, 'templates/_helpers.tpl');
    writeFileSync(parts, readFileSync(parts, 'utf8').replace('runAsUser: 10001', 'runAsUser: 0'));
    expect(render(folder, ['settings.SMTP=x']).flatMap(faultsOf)).toEqual(
      expect.arrayContaining(['Deployment hr-api: runs as root', 'Deployment hr-api: SMTP is no setting']),
    );
  });
});
