import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { KpiEvaluation } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { BottomSheet } from '../../../ui/Sheet.tsx';
import type { Form } from './fields.tsx';
import { ItemList } from './ItemList.tsx';

type Props = { evaluation: KpiEvaluation; form: Form | undefined; shown: number; index: number };

/** The current item with a sheet of all items, for screens without room for the list. */
export function ItemChoice({ evaluation, form, shown, index }: Props) {
  const t = useTranslations('kpiEvaluation');
  const [open, sheet] = useDisclosure(false);
  const at = { place: index + 1, count: evaluation.items.length + 1 };
  return (
    <>
      <Button variant="default" size="md" onClick={sheet.open} aria-label={t('chooseItem', at)}>
        <span className="numbers">{t('place', at)}</span>
      </Button>
      <BottomSheet title={t('items')} opened={open} onClose={sheet.close}>
        <ItemList evaluation={evaluation} form={form} shown={shown} onGo={sheet.close} />
      </BottomSheet>
    </>
  );
}
