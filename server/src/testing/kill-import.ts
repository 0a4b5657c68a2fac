import type { TestApp } from './app.ts';
import { killWhen } from './kill-process.ts';

/** Expires the lease of the process that works on an import. */
export const expireLease = ({ owner }: Pick<TestApp, 'owner'>, id: number) =>
  owner.query(`update imports set leased_until = now() - interval '1 second' where id = $1`, [id]);

/** Starts a process that works on an import and kills it once `reached`. */
export async function killImportWhen(
  app: Pick<TestApp, 'database' | 'owner'>,
  id: number,
  reached: () => Promise<boolean>,
): Promise<void> {
  await killWhen(app, ['import-worker.ts', String(id)], reached);
  await expireLease(app, id);
}
