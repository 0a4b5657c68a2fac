import { Button } from '@mantine/core';
import { bulkKinds, employees } from '@tenure/contract';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { usePhone } from '../../../ui/use-phone.ts';
import type { BulkKind } from './BulkFields.tsx';
import classes from './DirectoryFilters.module.css';
import { chosenIds } from './chosen-ids.ts';
import type { useSelection } from './use-selection.ts';

const BulkDialog = lazyPart(() => import('./BulkDialog.tsx'), 'BulkDialog');
const PasswordsDialog = lazyPart(() => import('../passwords/PasswordsDialog.tsx'), 'PasswordsDialog', 'passwords');

type Props = {
  chosen: ReturnType<typeof useSelection>;
  /** How many people the list finds, to offer them all. */
  total: number;
  onAll: () => void;
};

/** What may be done with everybody who is chosen. */
export function BulkBar({ chosen, total, onAll }: Props) {
  const t = useTranslations('employees.bulk');
  const { can } = useSession();
  const phone = usePhone();
  const [kind, setKind] = useState<BulkKind>();
  const [issuing, setIssuing] = useState(false);
  const { selection, count } = chosen;
  if (count === 0) return null;
  const may = bulkKinds.filter((one) =>
    can(one === 'move' || one === 'manager' ? 'employees.update' : 'employees.deactivate'),
  );
  // An address holds some hundred people; a whole list goes by its filters.
  const exportable =
    selection.kind === 'some'
      ? selection.ids.length <= 500 && { id: selection.ids.join(',') }
      : selection.except.length === 0 && selection.query;
  return (
    <section className={classes['bar']} aria-label={t('label')}>
      <output className={classes['chosen']}>{t('chosen', { count })}</output>
      {may.map((one) => (
        <Button key={one} variant="default" size="compact-sm" onClick={() => setKind(one)}>
          {t(`kind.${one}`)}
        </Button>
      ))}
      {can('employees.reset_password') && (
        <Button variant="default" size="compact-sm" onClick={() => setIssuing(true)}>
          {t('passwords')}
        </Button>
      )}
      {can('employees.export') && !phone && exportable && (
        <ExportMenu endpoint={employees.export} label={t('export')} query={exportable} size="compact-sm" />
      )}
      {selection.kind === 'some' && total > count && (
        <Button variant="subtle" size="compact-sm" onClick={onAll}>
          {t('all', { total })}
        </Button>
      )}
      <Button variant="subtle" size="compact-sm" onClick={chosen.clear}>
        {t('clear')}
      </Button>
      {kind && (
        <Suspense fallback={null}>
          <BulkDialog kind={kind} selection={selection} onClose={() => setKind(undefined)} onDone={chosen.clear} />
        </Suspense>
      )}
      {issuing && (
        <Suspense fallback={null}>
          <PasswordsDialog
            name={JSON.stringify(selection)}
            load={(signal) => chosenIds(selection, signal)}
            onClose={() => setIssuing(false)}
            onDone={chosen.clear}
          />
        </Suspense>
      )}
    </section>
  );
}
