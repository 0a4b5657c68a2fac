import { TextInput } from '@mantine/core';
import type { NotificationSetting } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

type Props = { setting: NotificationSetting; error: string | undefined; onChange: (days: number[]) => void };

const shown = (days: readonly number[]) => days.join(', ');

/** Days before something is due on which people are reminded, as `30, 14, 7`; kept when the field is left. */
export function LeadDays({ setting, error, onChange }: Props) {
  const t = useTranslations('notificationSettings');
  const [typed, setTyped] = useState<string>();
  const [wrong, setWrong] = useState(false);
  const before = setting.lead_days ?? [];
  const keep = () => {
    if (typed === undefined || typed.trim() === shown(before)) return setTyped(undefined);
    const days = typed
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map(Number);
    const fine = days.every((day) => Number.isInteger(day) && day >= 0 && day <= 180);
    setWrong(!fine);
    if (!fine) return undefined;
    onChange(days);
    return setTyped(undefined);
  };
  return (
    <TextInput
      size="xs"
      aria-label={t('leadDaysOf', { what: setting.label })}
      value={typed ?? shown(before)}
      inputMode="numeric"
      error={wrong ? t('leadDaysWrong') : error}
      onChange={({ currentTarget: { value } }) => setTyped(value)}
      onBlur={keep}
      onKeyDown={({ key }) => key === 'Enter' && keep()}
    />
  );
}
