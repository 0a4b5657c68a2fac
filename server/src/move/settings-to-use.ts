import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { sentence } from '../backup/refusal.ts';
import { placesOf } from '../files/places.ts';
import type { Source } from './source.ts';
import type { Destination } from './target.ts';

const ofExternal = [
  'DATABASE_URL',
  'DATABASE_MIGRATION_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_BACKUP_URL',
  'DATABASE_POOLER',
] as const;

/** What to change in the service's settings after a move, without passwords or keys. */
export function settingsToUse(config: Config, { isEmbedded, name }: Source, to: Destination): string[] {
  const given = to === 'embedded' ? [] : givenBy(to);
  const former = ofExternal.filter((setting) => config[setting] && !given.some((line) => line.includes(`${setting}=`)));
  return [
    'New settings of the service:',
    ...given,
    ...(former.length > 0 ? [`  remove ${former.join(', ')}`] : []),
    ...(to !== 'embedded' && config.BACKUP_WAL
      ? ['  remove BACKUP_WAL: it works with the embedded database only']
      : []),
    ...keyLines(config, isEmbedded),
    ...(to === 'embedded' && config.ROLE !== 'all' ? ['  ROLE=all: the embedded database requires it'] : []),
    `  DATA_DIR=${config.DATA_DIR}, as before`,
    `  STORAGE_URL as before: files stay in ${placesOf(config).kept.name}`,
    `${sentence(name)} stays unchanged, but no service can start on it. To use it again, run the command with --unmark.`,
  ];
}

const givenBy = ({ appUrl, ownerUrl }: Exclude<Destination, 'embedded'>) => [
  `  DATABASE_URL=${withoutPassword(appUrl)} (the address of --to)`,
  ...(ownerUrl === appUrl
    ? []
    : [`  DATABASE_MIGRATION_URL=${withoutPassword(ownerUrl)} (the address of --owner-url)`]),
];

/** The key stays the same: without it, browsers that have signed in before would be unknown. */
function keyLines({ APP_KEY, DATA_DIR }: Config, isEmbedded: boolean): string[] {
  if (APP_KEY) return ['  APP_KEY as before'];
  const file = join(DATA_DIR, 'app.key');
  if (isEmbedded && !existsSync(file)) return [`  APP_KEY=… from openssl rand -base64 32: ${DATA_DIR} has no key`];
  return isEmbedded
    ? [`  APP_KEY_FILE=${file}, which has the key; export-keys writes it for other machines`]
    : [`  no APP_KEY, as before: the key is in ${file}`];
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  if (shown.password) shown.password = '…';
  return decodeURIComponent(shown.href);
}
