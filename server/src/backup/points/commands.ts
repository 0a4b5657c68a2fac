import { secretsOf, writableOf } from '../command.ts';
import { formatBytes } from '../format-bytes.ts';
import type { Command } from '../command.ts';
import { Refusal } from '../refusal.ts';
import { keyIdsOf, runningUrl } from '../source.ts';
import { version } from '../../releases/release.ts';
import { recordBase } from './base-state.ts';
import { makeBase } from './base.ts';
import type { BaseResult } from './base.ts';

/** Tells operators of an external database what to use instead. */
export const refuseExternal = ({ config }: Pick<Command, 'config'>): void => {
  if (config.DATABASE_URL)
    throw new Refusal(
      'Point-in-time recovery works with the embedded database only: use pgBackRest or Barman for the one of DATABASE_URL (docs/backup.md).',
    );
};

/** `--base`: copies the whole cluster of the running service, as the start of points in time. */
export async function baseCommand(command: Command): Promise<BaseResult> {
  const { config, print } = command;
  refuseExternal(command);
  const archive = await writableOf(command, '--to');
  const ownerUrl = await runningUrl(config);
  if (!ownerUrl)
    throw new Refusal('The service is not running: start it with BACKUP_WAL=on, because it also sends the WAL.');
  const source = { ownerUrl, release: version, keyIds: await keyIdsOf(config) };
  const result = await makeBase(source, archive, await secretsOf(command));
  await recordBase(config.DATA_DIR, Date.now());
  print(`Base ${result.id}: ${formatBytes(result.bytes)}, written ${formatBytes(result.sentBytes)}`);
  print('Points in time start with this base once the WAL that was written meanwhile is in the archive.');
  return result;
}
