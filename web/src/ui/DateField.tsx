import { ActionIcon, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import classes from './DateField.module.css';
import { orderIn, patternIn, readDay, regionOf } from './typed-day.ts';
import { useDayText } from './use-day-text.ts';

type Props = {
  label: string;
  /** Shows the label above the field; otherwise it is for screen readers only. */
  labelled?: boolean;
  /** `YYYY-MM-DD`, or '' for no day. */
  value: string;
  /** Called with '' while the typed text is not a complete day. */
  onChange: (day: string) => void;
  description?: string;
  /** Puts the description below the field, so that the input lines up with its neighbour. */
  hintBelow?: boolean;
  error?: string | undefined;
  required?: boolean;
  disabled?: boolean;
  min?: string;
  max?: string;
  name?: string;
};

/** How the user types and reads days. */
function useDays() {
  const t = useTranslations('form');
  const locale = useLocale();
  const dayText = useDayText();
  const region = regionOf(locale, navigator.languages);
  const order = orderIn(region);
  return {
    pattern: patternIn(region, { day: t('day'), month: t('month'), year: t('year') }),
    read: (text: string, isDone: boolean) => readDay(text, { locale, order, isDone }) ?? '',
    show: (day: string) => day && dayText(day),
  };
}

/** The text in the field: as typed while it has the focus, then in the usual date format. */
function useTyped({ value, onChange }: Pick<Props, 'value' | 'onChange'>, { read, show }: ReturnType<typeof useDays>) {
  const [typed, setTyped] = useState({ text: '', day: '' });
  const [isHalf, setHalf] = useState(false);
  // the typed text no longer applies if the value was changed from outside
  const text = typed.day === value && typed.text ? typed.text : show(value);
  const give = (day: string) => {
    if (day !== value) onChange(day);
  };
  return {
    text,
    isHalf: isHalf && value === '',
    type: (next: string) => {
      const day = read(next, false);
      setTyped({ text: next, day });
      if (day || !next) setHalf(false);
      give(day);
    },
    leave: () => {
      const day = read(text, true);
      setHalf(!day && text.trim() !== '');
      if (!day) return;
      setTyped({ text: '', day });
      give(day);
    },
  };
}

/** A field for a day without a time zone: typed in the user's date format, or picked in the browser's calendar. */
export function DateField({
  label,
  labelled = true,
  value,
  onChange,
  error,
  name,
  min,
  max,
  hintBelow = false,
  ...field
}: Props) {
  const t = useTranslations('form');
  const days = useDays();
  const typed = useTyped({ value, onChange }, days);
  const problem = error ?? (typed.isHalf ? t('halfDay', { pattern: days.pattern }) : undefined);
  return (
    <TextInput
      {...field}
      {...(hintBelow && { inputWrapperOrder: ['label', 'input', 'description', 'error'] })}
      {...(labelled ? { label } : { 'aria-label': label })}
      value={typed.text}
      placeholder={days.pattern}
      autoComplete="off"
      {...(name !== undefined && { name })}
      {...(problem !== undefined && { error: problem })}
      onChange={(event) => typed.type(event.currentTarget.value)}
      onBlur={typed.leave}
      onKeyDown={({ key }) => key === 'Enter' && typed.leave()}
      rightSection={<Calendar {...{ label, value, onChange }} days={{ min, max, disabled: field.disabled }} />}
    />
  );
}

type CalendarProps = Pick<Props, 'label' | 'value' | 'onChange'> & {
  days: { [K in 'min' | 'max' | 'disabled']: Props[K] | undefined };
};

/** The browser's own calendar, opened by a button. */
function Calendar({ label, value, onChange, days: { min, max, disabled = false } }: CalendarProps) {
  const t = useTranslations('form');
  const input = useRef<HTMLInputElement>(null);
  if (!('showPicker' in HTMLInputElement.prototype)) return null;
  return (
    <>
      <input
        ref={input}
        type="date"
        className={classes['native']}
        tabIndex={-1}
        aria-hidden
        value={value}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('calendar', { label })}
        disabled={disabled}
        onClick={() => input.current?.showPicker()}
      >
        <IconCalendar size={16} aria-hidden />
      </ActionIcon>
    </>
  );
}
