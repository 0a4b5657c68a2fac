import { TextInput } from '@mantine/core';
import type { NotificationSetting } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

type Props = {
  setting: NotificationSetting;
  error: string | undefined;
  /** True if the days were saved. */
  onChange: (days: number[]) => Promise<boolean>;
};

const shown = (days: readonly number[]) => days.join(', ');

/** The days before a due date on which reminders are sent, such as `30, 14, 7`; saved on blur. */
export function LeadDays({ setting, error, onChange }: Props) {
  const t = useTranslations('notificationSettings');
  const [typed, setTyped] = useState<string>();
  const [wrong, setWrong] = useState(false);
  const [isSending, setSending] = useState(false);
  const before = shown(setting.lead_days ?? []);
  const clear = () => {
    setTyped(undefined);
    setWrong(false);
  };
  const keep = async () => {
    if (isSending) return;
    if (typed === undefined || typed.trim() === before) return clear();
    const days = typed
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map(Number);
    const fine = days.every((day) => Number.isInteger(day) && day >= 0 && day <= 180);
    setWrong(!fine);
    if (!fine) return;
    setSending(true);
    if (await onChange(days)) clear();
    setSending(false);
  };
  return (
    <TextInput
      size="xs"
      aria-label={t('leadDaysOf', { what: setting.label })}
      value={typed ?? before}
      readOnly={isSending}
      inputMode="numeric"
      error={wrong ? t('leadDaysWrong') : typed !== undefined && error}
      onChange={({ currentTarget: { value } }) => setTyped(value)}
      onBlur={() => void keep()}
      onKeyDown={({ key }) => key === 'Enter' && void keep()}
    />
  );
}
