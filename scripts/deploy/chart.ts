import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { run } from './tools.ts';

/** The chart as rendered by helm. */

export const chart = join(import.meta.dirname, '../../deploy/helm/tenure');

export const least = [
  'appUrl=https://hr.example.com',
  'existingSecret=tenure',
  'storageUrl=s3://files?endpoint=https://s3.example',
];
export const variants: Record<string, string[]> = {
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
  gateway: [
    'gateway.enabled=true',
    'gateway.parentRefs[0].name=public',
    'gateway.parentRefs[0].namespace=gateways',
    'gateway.parentRefs[0].sectionName=https',
  ],
  watched: [
    'autoscaling.enabled=true',
    'autoscaling.maxReplicas=9',
    'metrics.serviceMonitor.enabled=true',
    'metrics.prometheusRule.enabled=true',
    'metrics.labels.release=prometheus',
    'settings.DATABASE_POOLER=on',
    'secretSettings.DATABASE_DIRECT_URL=direct-url',
    'secretSettings.BACKUP_PASSPHRASE=passphrase',
  ],
  embedded: [
    'embedded.enabled=true',
    'storageUrl=',
    'embedded.storageClass=fast',
    'autoscaling.enabled=true',
    'metrics.serviceMonitor.enabled=true',
    'settings.WEB_CONCURRENCY=2',
  ],
};
const set = (values: string[]) => values.flatMap((value) => ['--set', value.replaceAll(',', String.raw`\,`)]);
export const helm = (command: string[], folder: string, values: string[]) =>
  // the oldest supported version, because helm's default differs between its builds
  run('helm', [...command, folder, '--kube-version', '1.25.0', ...set(values)], {
    // reads and writes no folder of the user
    env: {
      ...process.env,
      HELM_CACHE_HOME: '/nonexistent',
      HELM_CONFIG_HOME: '/nonexistent',
      HELM_DATA_HOME: '/nonexistent',
    },
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
export type Resource = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  spec: { template?: { spec: Pod } } & Record<string, unknown>;
};

/** The manifests as text. */
export function renderText(folder: string, values: string[]): string {
  const { status, output } = helm(['template', 'hr'], folder, [...least, ...values]);
  if (status !== 0) throw new Error(output);
  return output;
}

export function render(folder: string, values: string[]): Resource[] {
  return parseAllDocuments(renderText(folder, values)).flatMap((one) => (one.toJSON() as Resource | null) ?? []);
}
