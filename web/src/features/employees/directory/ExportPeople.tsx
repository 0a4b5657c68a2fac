import { employees } from '@tenure/contract';
import { Suspense, useState } from 'react';
import { useSession } from '../../../api/session.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';

const ExportPrivate = lazyPart(() => import('./ExportPrivate.tsx'), 'ExportPrivate', 'export-private');

type Props = { label: string; query: Record<string, unknown>; size?: 'sm' | 'compact-sm' };

/** Exports people; with private details only if the user requests them in a separate dialog. */
export function ExportPeople({ label, query, size = 'sm' }: Props) {
  const { can } = useSession();
  const [opened, setOpened] = useState(false);
  // as of a day only the job is known
  const isOffered = can('employees.view_sensitive') && query['as_of'] === undefined;
  const onPrivate = isOffered ? () => setOpened(true) : undefined;
  return (
    <>
      <ExportMenu endpoint={employees.export} label={label} query={query} size={size} onPrivate={onPrivate} />
      {opened && (
        <Suspense fallback={null}>
          <ExportPrivate query={query} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
