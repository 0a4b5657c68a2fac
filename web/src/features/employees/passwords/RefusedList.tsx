import { Group } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Purpose, Refusal } from './issue.ts';
import { list } from './list.ts';

/** The people who get no password, each with the reason. */
export function RefusedList({ purpose, refused }: { purpose: Purpose; refused: readonly Refusal[] }) {
  const t = useTranslations('passwords');
  if (refused.length === 0) return null;
  return (
    <section aria-label={t(`${purpose}.refusedLabel`)}>
      <p>{t(`${purpose}.refused`, { count: refused.length })}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable list must be reachable by keyboard */}
      <ul style={list} tabIndex={0}>
        {refused.map(({ id, person, reason }) => (
          <Group key={id} component="li" justify="space-between" gap="4px 16px" p="8px 12px">
            <bdi>{person ? `${person.name} · ${person.employee_number}` : t('unknown', { id })}</bdi>
            <span className="muted">{reason}</span>
          </Group>
        ))}
      </ul>
    </section>
  );
}
