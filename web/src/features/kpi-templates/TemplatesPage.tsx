import { Button } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { kpiTemplates } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ExportMenu } from '../../ui/ExportMenu.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { usePhone } from '../../ui/use-phone.ts';
import { TemplateCard, useTemplateColumns, type DialogRequest } from './columns.tsx';
import { TemplateDialogs } from './dialogs.ts';
import { templateFilters, type TemplatesSearch } from './search.ts';
import { TemplateFilters, type Change } from './TemplateFilters.tsx';

const route = getRouteApi('/shell/kpi/templates');

/** The templates that the user may see, with the number of cycles that use them. */
export function TemplatesPage() {
  const tList = useTranslations('kpiTemplateList');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (patch: Change) =>
    void navigate({
      search: (old) => ({ ...old, page: undefined, ...patch }) as TemplatesSearch,
      replace: 'search' in patch,
    });
  const query = useQuery({ ...load(kpiTemplates.list, { query: search }), placeholderData: keepPreviousData });
  const [asked, setAsked] = useState<DialogRequest>();
  const columns = useTemplateColumns(setAsked);
  if (query.error?.status === 403) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const total = query.data?.meta.total;
  return (
    <>
      <PageHeader title={tList('title')} lead={total === undefined ? '' : tList('count', { count: total })}>
        <ListActions search={search} />
      </PageHeader>
      <TemplateFilters search={search} onChange={change} />
      <ListView
        query={query}
        label={tList('title')}
        columns={columns}
        rowKey={(row) => row.id}
        card={(row) => <TemplateCard row={row} onRequest={setAsked} />}
        sort={{ by: search.sort_by ?? 'name', direction: search.sort_direction ?? 'asc' }}
        onSort={({ by, direction }) => change({ sort_by: by as TemplatesSearch['sort_by'], sort_direction: direction })}
        onPage={(page) => change({ page })}
        onSize={(size) => change({ per_page: size })}
        empty={<EmptyState search={search} onClear={() => change(noFilters)} />}
      />
      <Suspense>
        <TemplateDialogs dialog={asked?.dialog} template={asked?.template} onClose={() => setAsked(undefined)} />
      </Suspense>
    </>
  );
}

const noFilters: Change = Object.fromEntries(templateFilters.map((name) => [name, undefined]));

function ListActions({ search }: { search: TemplatesSearch }) {
  const tList = useTranslations('kpiTemplateList');
  const { can } = useSession();
  const phone = usePhone();
  const { page: _page, per_page: _size, ...filters } = search;
  return (
    <>
      {!phone && <ExportMenu endpoint={kpiTemplates.export} label={tList('export')} query={filters} />}
      {can('kpi-template.import') && !phone && (
        <Button
          component={Link}
          to={paths.newKpiTemplateImport}
          variant="default"
          leftSection={<IconFileImport size={16} aria-hidden />}
        >
          {tList('import')}
        </Button>
      )}
      {can('kpi-template.create') && <AddButton />}
    </>
  );
}

function AddButton() {
  const tList = useTranslations('kpiTemplateList');
  return (
    <Button component={Link} to={paths.newKpiTemplate} leftSection={<IconPlus size={16} aria-hidden />}>
      {tList('add')}
    </Button>
  );
}

function EmptyState({ search, onClear }: { search: TemplatesSearch; onClear: () => void }) {
  const tList = useTranslations('kpiTemplateList');
  const { can } = useSession();
  if (!templateFilters.some((name) => name in search))
    return (
      <Message title={tList('none')} actions={can('kpi-template.create') ? <AddButton /> : undefined}>
        {tList('noneText')}
      </Message>
    );
  const clear = (
    <Button variant="default" onClick={onClear}>
      {tList('clear')}
    </Button>
  );
  return (
    <Message title={tList('noResult')} actions={clear}>
      {tList('noResultText')}
    </Message>
  );
}
