import { Button, Group } from '@mantine/core';
import { employees, type Employee, type HeldRoles } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useLimitedRole } from '../../../ui/role-limits.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { assignmentsOf } from '../form/access.ts';
import { rowsOf } from './access-texts.ts';

type Props = { employee: Employee; held: HeldRoles; onGive: () => void };

/** The former roles of a rehired person, to be assigned again in the usual form or declined. */
export function FormerRoles({ employee, held, onGive }: Props) {
  const t = useTranslations('access');
  const format = useFormatter();
  const limited = useLimitedRole();
  const toast = useToast();
  const send = useSend(employees.setRoles);
  const { display_name: name, id, revision } = employee;
  if (held.former.length === 0 || !employee.allowed_actions.includes('roles')) return null;
  const roles = held.former.map((one) => limited(one));
  // unchanged roles: the decision only covers the former ones
  const assignments = assignmentsOf({ password: false, roles: rowsOf(held.assignments) });
  return (
    <Notice kind="history">
      <p>{t('former', { roles: format.list(roles) })}</p>
      <Group gap={8} mt={14} mb={4}>
        <Button size="compact-sm" variant="default" onClick={onGive}>
          {t('giveAgain')}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          loading={send.isPending}
          onClick={() =>
            send.mutate(
              { params: { id }, body: { assignments, revision } },
              { onSuccess: () => toast({ text: t('declined', { name }) }) },
            )
          }
        >
          {t('decline')}
        </Button>
      </Group>
      <ErrorNotice error={send.error} />
    </Notice>
  );
}
