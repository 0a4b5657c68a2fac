import { Box, Group, Switch, Text } from '@mantine/core';
import type { Import } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { moveAmongCells } from './cell-keys.ts';
import { useImportKind } from './kinds.ts';
import classes from './RowGrid.module.css';
import { RowCard } from './RowCard.tsx';
import type { RowView } from './search.ts';
import { useImportSearch, type ImportChange } from './use-import-search.ts';
import { useRowColumns } from './use-row-columns.tsx';
import { useRows } from './use-rows.ts';
import { usePhone } from '../../ui/use-phone.ts';

type Props = { found: Import; view: RowView; editable?: boolean };

/** The rows of the file. If `editable`, cells are corrected in place and their rows checked at once. */
export function RowGrid({ found, view, editable = false }: Props) {
  const t = useTranslations('imports');
  const { isGrouped } = useImportKind();
  const { search: asked, go: change } = useImportSearch();
  const { page, search } = asked;
  const { query, result, onFixed } = useRows(found.id, { view, page, search });
  const go = (patch: ImportChange) => change((old) => ({ ...old, page: undefined, ...patch }));
  const columns = useRowColumns(found, query.data?.data ?? [], editable ? onFixed : undefined);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys move among the cells, which are buttons
    <div className={classes['grid']} onKeyDown={moveAmongCells}>
      <Tools {...{ found, view, editable, search, result }} onGo={go} />
      <ListView
        query={query}
        label={t('rows')}
        columns={columns.all}
        card={(row) => <RowCard row={row} columns={columns} />}
        rowKey={(row) => row.row}
        compact
        pinned
        groupOf={isGrouped ? (row) => row.key ?? '–' : undefined}
        onPage={(next) => go({ page: next })}
        empty={<Message title={t(view === 'failed' && !search ? 'noFailedRows' : 'noRows')} />}
      />
    </div>
  );
}

type ToolsProps = Required<Props> &
  Pick<ReturnType<typeof useRows>, 'result'> & { search: string | undefined; onGo: (patch: ImportChange) => void };

/** The filters of the rows, and the result of the last correction. */
function Tools({ found, view, editable, search, result, onGo }: ToolsProps) {
  const t = useTranslations('imports');
  const { type } = useImportKind();
  const own = useTranslations(`imports.${type}`);
  const phone = usePhone();
  return (
    <Group className={classes['tools']} gap="8px 18px" px="gutter" pb={12}>
      <SearchField label={own('searchRows')} value={search} onChange={(text) => onGo({ search: text })} />
      {(found.counts.failed > 0 || view === 'failed') && (
        <Switch
          label={t('onlyErrors')}
          checked={view === 'failed'}
          onChange={(event) => onGo({ rows: event.currentTarget.checked ? 'failed' : 'all' })}
        />
      )}
      {editable && !phone && (
        <Text span className="muted" fz={12.5}>
          {t('keys')}
        </Text>
      )}
      <Box component="output" ms={phone ? 0 : 'auto'} c={result?.fails ? 'var(--danger)' : 'var(--good-fg)'} fz="sm">
        {result?.text}
      </Box>
    </Group>
  );
}
