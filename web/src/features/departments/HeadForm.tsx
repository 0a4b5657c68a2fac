import { departments, type Department } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { PersonPicker } from '../../ui/PersonPicker.tsx';

export type HeadKind = 'manager' | 'lead';
type Props = {
  department: Department;
  kind: HeadKind;
  onSaved: (name: string | undefined, warnings: string[]) => void;
  onClose: () => void;
};

const fields = { manager: 'manager_id', lead: 'team_lead_id' } as const;

/** The form that assigns or removes a manager or lead, found by name. */
export function HeadForm(props: Props) {
  const t = useTranslations('departments');
  const label = useTranslations('fields.department');
  const { kind, onClose } = props;
  const { before, chosen, setChosen, save, error, isPending } = useHead(props);
  return (
    <DialogForm onSubmit={save}>
      <ErrorNotice error={error} fields={['employee_id']} />
      <PersonPicker
        label={label(fields[kind])}
        value={chosen.id}
        known={chosen.name}
        onChange={(id, person) =>
          setChosen({ id, name: person?.display_name ?? (id === before?.id ? before?.name : undefined) })
        }
        error={error?.fieldErrors['employee_id']}
      />
      <FormActions cancel={t('cancel')} onCancel={onClose} submit={t('save')} loading={isPending} />
    </DialogForm>
  );
}

/** Assigns the selected person, or removes the current one if the field is empty. */
function useHead({ department, kind, onSaved, onClose }: Props) {
  const before = kind === 'manager' ? department.manager : department.team_lead;
  const [chosen, setChosen] = useState({ id: before?.id, name: before?.name });
  const assign = useSend(kind === 'manager' ? departments.assignManager : departments.assignTeamLead);
  const clear = useSend(kind === 'manager' ? departments.clearManager : departments.clearTeamLead);
  const params = { id: department.id };
  const save = () => {
    if (chosen.id === before?.id) return onClose();
    if (chosen.id === undefined) return clear.mutate({ params }, { onSuccess: () => onSaved(undefined, []) });
    return assign.mutate(
      { params, body: { employee_id: chosen.id, revision: department.revision } },
      { onSuccess: ({ warnings = [] }) => onSaved(chosen.name, warnings) },
    );
  };
  const error = assign.error ?? clear.error;
  return { before, chosen, setChosen, save, error, isPending: assign.isPending || clear.isPending };
}
