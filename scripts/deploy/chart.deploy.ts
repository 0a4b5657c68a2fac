import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { settingNames } from '../../server/src/config.ts';
import { chart, helm, least, render, renderText, variants } from './chart.ts';
import type { Resource } from './chart.ts';
import { has, run } from './tools.ts';

const scratch = inject('scratch');
const canRender = has('the chart', 'helm');

/** The resources that run pods; others are compared by kind. */
const pods: Record<string, string[]> = { embedded: ['StatefulSet hr'] };
const usualPods = ['Deployment hr-api', 'Deployment hr-worker', 'Job hr-migrate'];

/** What is wrong with a resource that runs pods. */
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
    if (kind !== 'Job')
      check(Boolean(container.startupProbe && container.readinessProbe && container.livenessProbe), 'lacks a probe');
    for (const { name } of env) {
      check(settingNames.includes(name.replace(/_FILE$/, '')), `${name} is no setting`);
      check(!/(KEY|KEYS|PASSWORD|SMTP_URL|DATABASE_([A-Z]+_)?URL)$/.test(name), `${name} is a secret in a value`);
    }
  }
  return faults;
}

describe.runIf(canRender)('the chart', () => {
  test.each(Object.entries(variants))('is valid with %s, and every pod is fenced in', (variant, values) => {
    const { status, output } = helm(['lint', '--strict'], chart, [...least, ...values]);
    expect(status, output).toBe(0);
    const resources = render(chart, values);
    expect(resources.flatMap(faultsOf)).toEqual([]);
    expect(
      resources
        .filter(({ spec }) => spec.template)
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
        .sort(),
    ).toEqual(pods[variant] ?? usualPods);
  });

  test('gives the address of the owner only to the job that migrates, and time to stop', () => {
    for (const { kind, metadata, spec } of render(chart, [])) {
      const pod = spec.template?.spec;
      const keys = pod?.volumes.flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? []) ?? [];
      expect(keys.includes('database-migration-url'), metadata.name).toBe(kind === 'Job');
      if (pod && metadata.name === 'hr-api') expect(pod.terminationGracePeriodSeconds).toBe(45);
    }
  });
});

/** The built-in kinds of a cluster; schemas for kinds of the gateway and of Prometheus come from their own projects. */
const ofCluster = /^apiVersion: (v1|(apps|autoscaling|batch|networking\.k8s\.io|policy)\/v\d)$/m;

const checkOf = (name: string, manifests: string) => {
  const file = join(scratch, `${name}.yaml`);
  writeFileSync(file, manifests);
  return (kubernetes: string) => run('kubectl-validate', [file, '--version', kubernetes]);
};

describe.runIf(canRender && has('the manifests of the chart', 'kubectl-validate'))('the manifests', () => {
  test.each(Object.entries(variants))('with %s are what Kubernetes knows', (variant, values) => {
    const known = renderText(chart, values)
      .split(/^---$/m)
      .filter((one) => ofCluster.test(one));
    expect(known.length).toBeGreaterThan(3);
    const check = checkOf(`manifests-${variant}`, known.join('---'));
    for (const kubernetes of ['1.25', '1.30']) {
      const { status, output } = check(kubernetes);
      expect(status, output).toBe(0);
    }
  });

  test('with a field that there is not are refused', () => {
    const wrong = renderText(chart, []).replace('automountServiceAccountToken', 'automountServiceToken');
    const { status, output } = checkOf('manifests-wrong', wrong)('1.30');
    expect(status).not.toBe(0);
    expect(output).toContain('automountServiceToken');
  });
});

describe.runIf(canRender)('a wrong chart', () => {
  test.each([
    ['appUrl=http://hr.example.com', 'appUrl'],
    ['existingSecret=', 'existingSecret'],
    ['storageUrl=file:', 'storageUrl'],
    ['settings.APP_KEY=secret', "'APP_KEY'"],
    ['settings.DATABASE_URL=postgres://x', "'DATABASE_URL'"],
    ['secretSettings.APP_KEY=app-key', "'APP_KEY'"],
    ['secretSettings.BACKUP_PASSPHRASE_FILE=x', "'BACKUP_PASSPHRASE_FILE'"],
    ['storageUrl=', 'storageUrl'],
    ['gateway.enabled=true', 'gateway'],
    ['autoscaling.cpuPercent=none', 'autoscaling'],
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
