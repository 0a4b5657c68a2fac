import { Button, Group } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { employees, type Employee } from '@tenure/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { useSession } from '../../../api/session.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useFieldLabel } from '../form/labels.ts';

/** Full account numbers, on request only: each view is recorded in the audit log. */
export function BankReveal({ employee: { id } }: { employee: Employee }) {
  const t = useTranslations('profile.bank');
  const label = useFieldLabel();
  const { can } = useSession();
  // Not a query: the numbers must be neither cached nor refetched.
  const reveal = useMutation<Employee['bank'], ApiError>({
    mutationFn: async () => (await call(employees.get, { params: { id }, query: { reveal: 'bank' } })).data.bank,
    gcTime: 0,
  });
  if (!can('employees.view_sensitive')) return null;
  const bank = reveal.data;
  return (
    <Group gap="8px 14px" mt={12}>
      <ErrorNotice error={reveal.error} />
      {bank && (
        <output>
          {(['account_number', 'iban'] as const).map(
            (key) =>
              bank[key] && (
                <div key={key}>
                  <span className="muted">{label(`bank.${key}`)}:</span> <bdi className="numbers">{bank[key]}</bdi>
                </div>
              ),
          )}
        </output>
      )}
      <Button
        variant="default"
        size="compact-sm"
        loading={reveal.isPending}
        leftSection={bank ? <IconEyeOff size={15} aria-hidden /> : <IconEye size={15} aria-hidden />}
        onClick={() => (bank ? reveal.reset() : reveal.mutate())}
      >
        {t(bank ? 'hide' : 'reveal')}
      </Button>
      {!bank && <span className="muted">{t('recorded')}</span>}
    </Group>
  );
}
