import { Box } from '@mantine/core';
import type { Import } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import classes from './CountTiles.module.css';
import { rowViews, type RowView } from './search.ts';
import { useImportSearch } from './use-import-search.ts';

type Props = { found: Import; view: RowView };

/** The counts of an import; each is a filter of the rows. */
export function CountTiles({ found: { counts, status }, view }: Props) {
  const t = useTranslations('imports');
  const labels = useTranslations(status === 'preview' ? 'imports.forecast' : 'imports.done');
  const format = useFormatter();
  const { go } = useImportSearch();
  const countOf = (one: RowView) => (one === 'all' ? counts.total : counts[one]);
  return (
    <fieldset className={classes['tiles']}>
      <legend className="visually-hidden">{t('rowsShown')}</legend>
      {rowViews.map((one) => (
        <button
          key={one}
          type="button"
          className={classes['tile']}
          data-kind={countOf(one) > 0 ? one : undefined}
          aria-pressed={one === view}
          onClick={() => go(({ page: _page, ...old }) => ({ ...old, rows: one }))}
        >
          <span className="muted small" style={{ whiteSpace: 'nowrap' }}>
            {labels(one)}
          </span>{' '}
          <Box component="b" className="numbers" fz="1.25rem" fw={600} lh={1.3}>
            {format.number(countOf(one))}
          </Box>
        </button>
      ))}
    </fieldset>
  );
}
