import { useFormatter, useTranslations } from 'use-intl';
import type { ImportCounts } from '@tenure/contract';
import classes from './imports.module.css';

const shown = ['created', 'updated', 'skipped', 'failed', 'warnings'] as const;

/** What an import does, or did, in five figures. */
export function Counts({ counts, done = false }: { counts: ImportCounts; done?: boolean }) {
  const t = useTranslations(done ? 'imports.done' : 'imports.forecast');
  const format = useFormatter();
  return (
    <dl className={classes['counts']}>
      {shown.map((name) => (
        <div key={name} data-bad={(name === 'failed' && counts.failed > 0) || undefined}>
          <dt>{t(name)}</dt>
          <dd className="numbers">{format.number(counts[name])}</dd>
        </div>
      ))}
    </dl>
  );
}
