import { ActionIcon, Button, Checkbox, Flex } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { kpiCyclePeople, maxCyclePeople, type AddedPerson, type KpiCycle, type Reply } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { Dialog, DialogActions, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PersonPicker } from '../../../ui/PersonPicker.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import classes from './mend.module.css';
import { TemplateSelect } from '../TemplateSelect.tsx';

type Answer = Reply<typeof kpiCyclePeople.add>['data'];
type Person = { id: number; name: string; entity_id?: number };
type Props = {
  cycle: KpiCycle;
  department?: { id: number; entity_id: number } | undefined;
  /** The people who are selected initially. */
  people?: readonly Person[];
  onDone?: () => void;
  onClose: () => void;
};

/** Adds people to a running cycle: selection, preview of each person, change. Over 40 lines: one form. */
export function AddPeople({ cycle, department, people = [], onDone, onClose }: Props) {
  const t = useTranslations('kpiCycleMend');
  const close = () => {
    onDone?.();
    onClose();
  };
  const work = useAdding(cycle, people, close);
  const entityId = department?.entity_id ?? cycle.entity_id ?? people[0]?.entity_id ?? 0;
  return (
    <Dialog title={t('addTitle', { name: cycle.name })} opened onClose={onClose} size="lg">
      {work.preview ? (
        <Preview work={work} preview={work.preview} />
      ) : (
        <DialogForm onSubmit={() => work.look(false)}>
          <p>{t('addText')}</p>
          <ErrorNotice error={work.send.error} fields={['template_id', 'employee_ids']} />
          <PersonPicker
            key={work.people.length}
            label={t('person')}
            value={undefined}
            query={{
              ...(department
                ? { department_id: department.id }
                : cycle.entity_id !== null && { entity_id: cycle.entity_id }),
            }}
            onChange={(id, person) => id !== undefined && work.add({ id, name: person?.display_name ?? '' })}
            disabled={work.people.length >= maxCyclePeople}
          />
          <Chosen people={work.people} onRemove={work.remove} />
          <TemplateSelect
            label={t('ownTemplate')}
            labelled
            entityId={entityId}
            value={work.template}
            onChange={work.setTemplate}
            error={work.send.error?.fieldErrors['template_id']}
          />
          <FormActions
            cancel={t('cancel')}
            onCancel={onClose}
            submit={t('look')}
            loading={work.send.isPending}
            disabled={work.people.length === 0}
          />
        </DialogForm>
      )}
    </Dialog>
  );
}

type Work = ReturnType<typeof useAdding>;

/** Requests a preview, and adds exactly the people shown in it. */
function useAdding({ id, name }: KpiCycle, first: readonly Person[], onDone: () => void) {
  const t = useTranslations('kpiCycleMend');
  const toast = useToast();
  const send = useSend(kpiCyclePeople.add);
  const [people, setPeople] = useState<readonly Person[]>(first);
  const [template, setTemplate] = useState<number>();
  const [goesOn, setGoesOn] = useState(false);
  const [preview, setPreview] = useState<Answer>();
  const body = (without: boolean) => ({
    employee_ids: people.map((person) => person.id),
    template_id: template ?? null,
    ...(without && { allow_missing_reviewer: true }),
  });
  const look = (without: boolean) => {
    setGoesOn(without);
    send.mutate(
      { params: { id }, body: { ...body(without), dry_run: true } },
      { onSuccess: ({ data }) => setPreview(data) },
    );
  };
  const run = ({ plan_hash }: Answer) =>
    send.mutate(
      { params: { id }, body: { ...body(goesOn), plan_hash } },
      {
        onSuccess: ({ data }) => {
          toast({ text: t('added', { count: data.counts.added, name }) });
          onDone();
        },
      },
    );
  return {
    send,
    people,
    add: (person: Person) => setPeople([...people.filter((one) => one.id !== person.id), person]),
    remove: (gone: number) => setPeople(people.filter((one) => one.id !== gone)),
    template,
    setTemplate,
    goesOn,
    preview,
    look,
    run,
    back: () => {
      send.reset();
      setPreview(undefined);
    },
  };
}

function Chosen({ people, onRemove }: { people: readonly Person[]; onRemove: (id: number) => void }) {
  const t = useTranslations('kpiCycleMend');
  if (people.length === 0) return null;
  return (
    <Flex component="ul" wrap="wrap" gap="4px 12px">
      {people.map(({ id, name }) => (
        <Flex component="li" key={id} align="center" gap={2}>
          <bdi>{name}</bdi>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={t('removePerson', { name })}
            onClick={() => onRemove(id)}
          >
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </Flex>
      ))}
    </Flex>
  );
}

function Preview({ work, preview }: { work: Work; preview: Answer }) {
  const t = useTranslations('kpiCycleMend');
  const { can } = useSession();
  const { error, isPending } = work.send;
  const { counts, people, warnings } = preview;
  return (
    <DialogForm onSubmit={() => work.run(preview)}>
      <ErrorNotice error={error} />
      <p>{t('addConsequences', counts)}</p>
      {warnings.map((warning) => (
        <Notice key={warning}>{warning}</Notice>
      ))}
      <People people={people} busy={isPending} />
      {(counts.refused > 0 || work.goesOn) && can('kpi-evaluation.assign-reviewer') && (
        <Checkbox
          label={t('withoutReviewer')}
          checked={work.goesOn}
          disabled={isPending}
          onChange={(event) => work.look(event.currentTarget.checked)}
        />
      )}
      <DialogActions>
        <Button variant="default" onClick={work.back}>
          {t('back')}
        </Button>
        <Button type="submit" loading={isPending} disabled={counts.added === 0}>
          {t('add')}
        </Button>
      </DialogActions>
    </DialogForm>
  );
}

function People({ people, busy }: { people: readonly AddedPerson[]; busy: boolean }) {
  const t = useTranslations('kpiCycleMend');
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
    <section className={classes['scroll']} aria-label={t('peopleRows')} aria-busy={busy || undefined} tabIndex={0}>
      <table className={classes['rows']}>
        <thead>
          <tr>
            <th scope="col">{t('employee')}</th>
            <th scope="col">{t('outcome')}</th>
          </tr>
        </thead>
        <tbody>
          {people.map(({ employee_id: id, employee, outcome, reason }) => (
            <tr key={id}>
              <th scope="row">
                <bdi>{employee?.name ?? t('unknownPerson', { id })}</bdi>
                {employee && <span className="muted numbers">{employee.employee_number}</span>}
              </th>
              <td>
                <StatusBadge tone={outcome === 'added' ? 'good' : 'danger'} label={t(`outcomes.${outcome}`)} />
                {reason !== null && <p>{reason}</p>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
