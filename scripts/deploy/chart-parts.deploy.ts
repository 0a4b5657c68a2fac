import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { chart, render, variants } from './chart.ts';
import { has } from './tools.ts';

const canRender = has('the parts of the chart', 'helm');

const { everything = [], bare = [], gateway = [], watched = [], embedded = [] } = variants;

const named = (values: string[], kind: string, name = 'hr') => {
  const found = render(chart, values).find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`The chart renders no ${kind} ${name}`);
  return found;
};

describe.runIf(canRender)('the parts of the chart', () => {
  test('has what its values ask for', () => {
    const kinds = (values: string[]) => [...new Set(render(chart, values).map(({ kind }) => kind))].sort();
    const always = ['Deployment', 'Job', 'Service'];
    expect(kinds(bare)).toEqual(always);
    expect(kinds([])).toEqual([...always, 'NetworkPolicy', 'PodDisruptionBudget'].sort());
    expect(kinds(everything)).toEqual([...always, 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget'].sort());
    expect(kinds(gateway)).toEqual([...always, 'HTTPRoute', 'NetworkPolicy', 'PodDisruptionBudget'].sort());
    const more = ['HorizontalPodAutoscaler', 'PrometheusRule', 'ServiceMonitor'];
    expect(kinds(watched)).toEqual([...always, ...more, 'NetworkPolicy', 'PodDisruptionBudget'].sort());
    expect(kinds(embedded)).toEqual(['NetworkPolicy', 'Service', 'ServiceMonitor', 'StatefulSet']);
  });

  test('leaves the number of pods to what scales them', () => {
    expect(named([], 'Deployment', 'hr-api').spec).toHaveProperty('replicas', 2);
    expect(named(watched, 'Deployment', 'hr-api').spec).not.toHaveProperty('replicas');
    expect(named(watched, 'HorizontalPodAutoscaler', 'hr-api').spec).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: 'hr-api' },
      minReplicas: 2,
      maxReplicas: 9,
    });
  });

  test('a route of the Gateway API lets open pages wait', () => {
    const { spec } = named(gateway, 'HTTPRoute');
    expect(spec).toMatchObject({
      parentRefs: [{ name: 'public', namespace: 'gateways', sectionName: 'https' }],
      hostnames: ['hr.example.com'],
      rules: [
        { matches: [{ path: { value: '/api/notifications/stream' } }], timeouts: { request: '0s' } },
        { matches: [{ path: { value: '/' } }] },
      ],
    });
    for (const { backendRefs } of spec['rules'] as { backendRefs: unknown }[])
      expect(backendRefs).toEqual([{ name: 'hr', port: 80 }]);
    expect(named([], 'Service').spec['ports']).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
  });

  test('what watches it finds the figures of every pod, as the job that the rules expect', () => {
    const rules = readFileSync(join(chart, '../../prometheus/tenure.rules.yaml'), 'utf8');
    expect(named(watched, 'PrometheusRule').spec).toEqual(parse(rules));
    const monitor = named(watched, 'ServiceMonitor');
    const service = named(watched, 'Service', 'hr-metrics');
    const { matchLabels } = monitor.spec['selector'] as { matchLabels: object };
    expect(service.metadata.labels).toMatchObject(matchLabels);
    expect(service.metadata.labels[monitor.spec['jobLabel'] as string]).toBe('tenure');
    expect(monitor.metadata.labels).toHaveProperty('release', 'prometheus');
    // only the metrics port, and not the service for requests
    expect(named(watched, 'Service').metadata.labels).not.toMatchObject(matchLabels);
    for (const one of ['hr-api', 'hr-worker'].map((name) => named(watched, 'Deployment', name)))
      expect(one.spec.template).toMatchObject({
        metadata: { labels: service.spec['selector'] },
        spec: { containers: [{ ports: expect.arrayContaining([{ name: 'metrics', containerPort: 9100 }]) }] },
      });
  });
});

describe.runIf(canRender)('data and secrets of the chart', () => {
  test('with its own database one pod has a volume, and no address of a database', () => {
    const { spec } = named(embedded, 'StatefulSet');
    const pod = spec.template?.spec;
    expect(spec).toMatchObject({
      replicas: 1,
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { storageClassName: 'fast' } }],
    });
    expect(pod).toMatchObject({
      securityContext: { fsGroupChangePolicy: 'OnRootMismatch' },
      containers: [{ volumeMounts: expect.arrayContaining([{ name: 'data', mountPath: '/data' }]) }],
    });
    expect(pod?.volumes.flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? [])).toEqual(['app-key']);
    const names = pod?.containers[0]?.env.map(({ name }) => name);
    expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(DATABASE|STORAGE)_|^ROLE$|^MIGRATE$/)]));
  });

  test('other secrets are files too', () => {
    for (const kind of ['Deployment', 'Job']) {
      const pod = render(chart, watched).find((one) => one.kind === kind)?.spec.template?.spec;
      expect(pod?.containers[0]?.env).toContainEqual({
        name: 'BACKUP_PASSPHRASE_FILE',
        value: '/run/secrets/tenure/passphrase',
      });
      expect(pod?.volumes[0]?.secret?.items).toContainEqual({ key: 'passphrase', path: 'passphrase' });
    }
  });
});
