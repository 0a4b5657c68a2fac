import { kpiTemplates, type Ref } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { RecordSelect } from '../../ui/RecordSelect.tsx';

type Props = {
  label: string;
  /** The company whose templates are offered, besides those for all companies. */
  entityId: number;
  value: number | undefined;
  known?: Ref | undefined;
  onChange: (id: number | undefined) => void;
  labelled?: boolean;
  disabled?: boolean;
  error?: string | undefined;
};

/** A select of the templates that a company can use. */
export function TemplateSelect({ entityId, label, ...props }: Props) {
  const t = useTranslations('kpiCycles');
  return (
    <RecordSelect
      {...props}
      label={label}
      placeholder={t('chooseTemplate')}
      none={t('noActiveTemplates')}
      list={kpiTemplates.list}
      query={{ status: 'active', entity_id: `0,${entityId}` }}
    />
  );
}
