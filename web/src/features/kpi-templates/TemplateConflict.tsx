import { useTranslations } from 'use-intl';
import { RecordConflict } from '../../ui/RecordConflict.tsx';
import { useTypedPercent } from '../../ui/use-percent.ts';
import { useItemSummary } from './use-item-summary.ts';
import type { TemplateForm } from './use-template-form.ts';
import { itemOfText, templateTexts } from './values.ts';

/** Asks the user to resolve conflicts with a concurrent change, item by item. */
export function TemplateConflict({ record }: { record: TemplateForm }) {
  const t = useTranslations('kpiTemplates');
  const summary = useItemSummary();
  const percent = useTypedPercent();
  const itemTitle = (name: string) => {
    const difference = record.differences.find((one) => one.name === name);
    const text = difference?.theirs || difference?.mine;
    return text ? itemOfText(name, text).name : name;
  };
  return (
    <RecordConflict
      record={record}
      label={(name) => {
        const field = templateTexts.find((one) => one === name);
        return field ? t(`field.${field}`) : t('conflictItem', { name: itemTitle(name) });
      }}
      show={(name, value) => {
        if (!name.startsWith('item.')) return <bdi>{value}</bdi>;
        const item = itemOfText(name, value);
        return (
          <>
            <bdi>{[item.name, percent(item.weight)].join(' · ')}</bdi>
            <br />
            <span className="muted">{[summary(item), item.description].filter(Boolean).join(' · ')}</span>
          </>
        );
      }}
    />
  );
}
