import { Box, Button, Group } from '@mantine/core';
import { bulkKinds } from '@tenure/contract';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { usePhone } from '../../../ui/use-phone.ts';
import { ExportPeople } from '../directory/ExportPeople.tsx';
import type { BulkKind } from './BulkFields.tsx';
import { chosenIds } from './chosen-ids.ts';
import type { Selection, useSelection } from './use-selection.ts';

const BulkDialog = lazyPart(() => import('./BulkDialog.tsx'), 'BulkDialog');
const PasswordsDialog = lazyPart(() => import('../passwords/PasswordsDialog.tsx'), 'PasswordsDialog', 'passwords');

type DialogKind = BulkKind | 'invitation' | 'password_reset';

type Props = {
  chosen: ReturnType<typeof useSelection>;
  /** The number of people in the list, to offer selecting all of them. */
  total: number;
  onAll: () => void;
};

/** The actions on the selected people. */
export function BulkBar({ chosen, total, onAll }: Props) {
  const t = useTranslations('employees.bulk');
  const [opened, setOpened] = useState<DialogKind>();
  const { selection, count } = chosen;
  if (count === 0) return null;
  return (
    <Group
      gap={8}
      px="gutter"
      py={8}
      bg="var(--accent-soft)"
      style={{ borderBlockStart: '1px solid var(--line)' }}
      aria-label={t('label')}
      renderRoot={(props) => <section {...props} />}
    >
      <Box component="output" me={8} fw={600}>
        {t('chosen', { count })}
      </Box>
      <Changes onOpen={setOpened} />
      <ExportChosen selection={selection} />
      {selection.kind === 'some' && total > count && (
        <Button variant="subtle" size="compact-sm" onClick={onAll}>
          {t('all', { total })}
        </Button>
      )}
      <Button variant="subtle" size="compact-sm" onClick={chosen.clear}>
        {t('clear')}
      </Button>
      <OpenDialog opened={opened} selection={selection} onClose={() => setOpened(undefined)} onDone={chosen.clear} />
    </Group>
  );
}

/** The bulk changes that the user may make. */
function Changes({ onOpen }: { onOpen: (dialog: DialogKind) => void }) {
  const t = useTranslations('employees.bulk');
  const { can } = useSession();
  const may = bulkKinds.filter((one) =>
    can(one === 'move' || one === 'manager' ? 'employees.update' : 'employees.deactivate'),
  );
  return (
    <>
      {may.map((one) => (
        <Button key={one} variant="default" size="compact-sm" onClick={() => onOpen(one)}>
          {t(`kind.${one}`)}
        </Button>
      ))}
      {can('employees.reset_password') &&
        (['invitation', 'password_reset'] as const).map((purpose) => (
          <Button key={purpose} variant="default" size="compact-sm" onClick={() => onOpen(purpose)}>
            {t(purpose)}
          </Button>
        ))}
    </>
  );
}

function ExportChosen({ selection }: { selection: Selection }) {
  const t = useTranslations('employees.bulk');
  const { can } = useSession();
  const phone = usePhone();
  // A URL has room for some hundred ids; a whole list is sent as its filters.
  const query =
    selection.kind === 'some'
      ? selection.ids.length <= 500 && { id: selection.ids.join(',') }
      : selection.except.length === 0 && selection.query;
  if (!can('employees.export') || phone || !query) return null;
  return <ExportPeople label={t('export')} query={query} size="compact-sm" />;
}

type DialogProps = {
  opened: DialogKind | undefined;
  selection: Selection;
  onClose: () => void;
  onDone: () => void;
};

function OpenDialog({ opened, selection, ...ending }: DialogProps) {
  if (opened === undefined) return null;
  return (
    <Suspense fallback={null}>
      {opened === 'invitation' || opened === 'password_reset' ? (
        <PasswordsDialog
          purpose={opened}
          name={JSON.stringify(selection)}
          load={(signal) => chosenIds(selection, signal)}
          {...ending}
        />
      ) : (
        <BulkDialog kind={opened} selection={selection} {...ending} />
      )}
    </Suspense>
  );
}
