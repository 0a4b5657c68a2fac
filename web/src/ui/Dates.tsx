import { useFormatter } from 'use-intl';
import { useDayText } from './use-day-text.ts';

/** A day without a time zone (`YYYY-MM-DD`), formatted. */
export function Day({ value }: { value: string }) {
  const text = useDayText()(value);
  return (
    <time className="numbers" dateTime={value} dir="auto">
      {text}
    </time>
  );
}

/** An instant, formatted in the user's time zone. */
export function Moment({ value }: { value: string }) {
  const format = useFormatter();
  const text = format.dateTime(new Date(value), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <time className="numbers" dateTime={value} dir="auto">
      {text}
    </time>
  );
}
