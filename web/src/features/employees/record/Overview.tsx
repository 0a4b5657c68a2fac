import { Button, Stack } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { Employee } from '@tenure/contract';
import { Fragment, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { Day, Moment } from '../../../ui/Dates.tsx';
import { DescriptionList, type DescriptionItem } from '../../../ui/DescriptionList.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { useRoleName } from '../../../ui/role-name.ts';
import { sections, type Section } from '../search.ts';
import { fields, isOwn, type Field } from '../form/fields.ts';
import { FieldValue } from '../form/FieldValue.tsx';
import { useFieldLabel } from '../form/labels.ts';
import { isShown, valuesOf } from '../form/values.ts';
import { BankReveal } from './BankReveal.tsx';
import { PrivateBar } from './PrivateBar.tsx';
import { passwordState } from './password-state.ts';
import type { PrivateDetails } from './use-private-details.ts';
import { useOpenerFocus } from './use-return-focus.ts';
import { Editing } from './Editing.tsx';

const ProbationPart = lazyPart(
  () => import('../../probation-reviews/profile/ProbationPart.tsx'),
  'ProbationPart',
  'probation-profile',
  'probation-words',
);
const SectionForm = lazyPart(() => import('./SectionForm.tsx'), 'SectionForm');

type Props = {
  employee: Employee;
  /** The section being edited. */
  edit: Section | undefined;
  onEdit: (section: Section | undefined) => void;
  /** On the user's own profile, with the fields that users may change themselves. */
  own?: boolean;
  /** Another person's private details, and whether they are open. */
  details?: PrivateDetails;
};

/** The fields that the user may see, by section; each section is edited in place. */
export const Overview = ({ employee, edit, onEdit, own = false, details }: Props) => {
  const { can } = useSession();
  return (
    <Stack gap={28} maw="62rem" p="gutter">
      {sections.map((section) => (
        <Fragment key={section}>
          {section === 'personal' && details?.isOffered && <PrivateBar details={details} />}
          <OneSection
            section={section}
            employee={employee}
            own={own}
            editing={edit === section}
            onEdit={(on) => onEdit(on ? section : undefined)}
          />
        </Fragment>
      ))}
      {can('probation-review.view') && (
        <Suspense fallback={null}>
          <ProbationPart employee={employee} />
        </Suspense>
      )}
      <Account employee={employee} />
    </Stack>
  );
};

const hasProbationEnd = ({ employment_lifecycle, probation_end_date }: Employee) =>
  employment_lifecycle === 'probationary' && Boolean(probation_end_date);

/** The fields of a section that the user may change now. */
function changeable(employee: Employee, section: Section, own: boolean): readonly Field[] {
  const inside = fields.filter((field) => field.section === section && isShown(employee, field));
  if (own) return inside.filter(isOwn);
  const { allowed_actions: may } = employee;
  if (!may.includes('update')) return [];
  return inside.filter(
    (field) =>
      !field.createOnly &&
      (field.name !== 'early_access' || employee.activity_status === 'joining') &&
      // It is extended or corrected, with a reason.
      (field.name !== 'probation_end_date' || !hasProbationEnd(employee)) &&
      // A field that users may not change themselves is changed through the job history.
      (!field.readOnlyForSelf || may.includes('job-history')),
  );
}

type SectionProps = {
  section: Section;
  employee: Employee;
  own: boolean;
  editing: boolean;
  onEdit: (on: boolean) => void;
};

function OneSection({ section, employee, own, editing, onEdit }: SectionProps) {
  const t = useTranslations('profile');
  const title = useTranslations('person.section')(section);
  const items = useDescriptionItems(section, employee);
  const opener = useOpenerFocus(editing);
  const mine = changeable(employee, section, own);
  if (items === undefined) return null;
  if (editing && mine.length > 0)
    return (
      <Editing title={title}>
        <Suspense fallback={null}>
          <SectionForm employee={employee} section={section} fields={mine} own={own} onClose={() => onEdit(false)} />
        </Suspense>
      </Editing>
    );
  const empty = items.length === 0;
  if (empty && mine.length === 0) return null;
  const open = mine.length > 0 && (
    <Button
      ref={opener}
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPencil size={14} aria-hidden />}
      onClick={() => onEdit(true)}
    >
      {t(empty ? 'edit.add' : 'edit.change')}
      <span className="visually-hidden"> {title}</span>
    </Button>
  );
  return (
    <DescriptionList title={title} items={items} actions={open} empty={<p className="muted">{t('nothingYet')}</p>}>
      {section === 'bank' && !empty && <BankReveal employee={employee} />}
    </DescriptionList>
  );
}

/** The filled fields of a section; undefined if the section is hidden, empty if none is filled. */
function useDescriptionItems(section: Section, employee: Employee): DescriptionItem[] | undefined {
  const label = useFieldLabel();
  const t = useTranslations('profile.field');
  const shown = fields.filter((field) => field.section === section && isShown(employee, field));
  if (shown.length === 0) return undefined;
  const values = valuesOf(employee);
  const filled = shown.filter(({ name }) => values[name]);
  if (filled.length === 0) return [];
  const items: DescriptionItem[] = shown
    .filter(({ name, hiddenWhenEmpty }) => values[name] || !hiddenWhenEmpty)
    .map((field) => {
      const value = values[field.name];
      return {
        label: label(field.name),
        value: value ? <FieldValue field={field} value={value} employee={employee} /> : null,
      };
    });
  if (section === 'employment' && employee.extension_count)
    items.push({ label: t('extension_count'), value: employee.extension_count });
  if (section === 'employment' && employee.employment_lifecycle === 'probationary' && employee.probation_paused_from)
    items.push({ label: t('probation_paused_from'), value: <Day value={employee.probation_paused_from} /> });
  if (section === 'employment' && employee.separation_reason)
    items.push({ label: t('separation_reason'), value: employee.separation_reason });
  return items;
}

function Account({ employee: { roles, user } }: { employee: Employee }) {
  const t = useTranslations('profile');
  const roleName = useRoleName();
  const items: (DescriptionItem | false)[] = [
    roles !== undefined &&
      user !== null && { label: t('field.roles'), value: roles.map(({ name }) => roleName(name)).join(', ') },
    user !== undefined && {
      label: t('field.account'),
      value: t(`account.${user ? passwordState(user) : 'noSignIn'}`),
    },
    !!user && {
      label: t('field.last_login_at'),
      value: user.last_login_at ? <Moment value={user.last_login_at} /> : null,
    },
  ];
  return <DescriptionList title={useTranslations('person.section')('account')} items={items} />;
}
