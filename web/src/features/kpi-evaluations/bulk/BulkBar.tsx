import { Box, Button, Group, Menu } from '@mantine/core';
import { evaluationBulkKinds, maxBulkEvaluations } from '@tenure/contract';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { permissionsOf, type BulkKind } from './kinds.ts';
import type { Selected } from './use-selected.ts';

const BulkDialog = lazyPart(() => import('./BulkDialog.tsx'), 'BulkDialog', 'kpi-evaluation-bulk');

type Props = {
  selected: Selected;
  /** How many evaluations the list finds. */
  total: number;
};

/** What HR can do with the selected evaluations. Over 40 lines: one row of buttons. */
export function BulkBar({ selected, total }: Props) {
  const t = useTranslations('kpiEvaluationBulk');
  const [kind, setKind] = useState<BulkKind>();
  const { selection, count } = selected;
  const isTooMuch = count > maxBulkEvaluations;
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
        {t('selected', { count })}
      </Box>
      <Kinds isDisabled={isTooMuch} onChoose={setKind} />
      {selection.kind === 'some' && total > count && (
        <Button variant="subtle" size="compact-sm" onClick={() => selected.all(total)}>
          {t('all', { total })}
        </Button>
      )}
      <Button variant="subtle" size="compact-sm" onClick={selected.clear}>
        {t('clear')}
      </Button>
      {isTooMuch && <span role="alert">{t('limit', { most: maxBulkEvaluations })}</span>}
      {kind && (
        <Suspense>
          <BulkDialog
            kind={kind}
            selection={selection}
            count={count}
            onClose={() => setKind(undefined)}
            onDone={selected.clear}
          />
        </Suspense>
      )}
    </Group>
  );
}

const frequent: readonly BulkKind[] = ['hr-review', 'close', 'remind'];
type KindsProps = { isDisabled: boolean; onChoose: (kind: BulkKind) => void };

/** The steps the user may take: the frequent ones as buttons, the others in a menu. */
function Kinds({ isDisabled, onChoose }: KindsProps) {
  const t = useTranslations('kpiEvaluationBulk');
  const { can } = useSession();
  const allowed = evaluationBulkKinds.filter((one) => permissionsOf[one].every((permission) => can(permission)));
  const rest = allowed.filter((one) => !frequent.includes(one));
  return (
    <>
      {allowed
        .filter((one) => frequent.includes(one))
        .map((one) => (
          <Button key={one} variant="default" size="compact-sm" disabled={isDisabled} onClick={() => onChoose(one)}>
            {t(`kind.${one}`)}
          </Button>
        ))}
      {rest.length > 0 && (
        <Menu position="top-start">
          <Menu.Target>
            <Button variant="default" size="compact-sm" disabled={isDisabled}>
              {t('more')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {rest.map((one) => (
              <Menu.Item key={one} onClick={() => onChoose(one)}>
                {t(`kind.${one}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}
