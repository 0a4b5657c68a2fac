import { Button, Group } from '@mantine/core';
import type { Import, ImportProblems } from '@tenure/contract';
import { yearOf } from '@tenure/contract/import-years';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { Day } from '../../ui/Dates.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useDateFormatName } from './date-format-name.ts';
import { useImportKind } from './kinds.ts';

type Dates = NonNullable<ImportProblems['dates']>;

/** Asks for the date format of a file; the answer checks all rows again. */
export function DateQuestion({ found: { id, revision }, dates }: { found: Import; dates: Dates }) {
  const t = useTranslations('importProblems');
  const { api } = useImportKind();
  const send = useSend(api.update);
  const nameOf = useDateFormatName();
  const { formats, sample } = dates;
  const [only] = formats;
  return (
    <Notice>
      <Group gap="6px 14px" renderRoot={(props) => <section {...props} aria-label={t('dates')} />}>
        <span>
          {formats.length === 1 && only
            ? t('datesLookLike', { format: nameOf(only), sample })
            : t('datesAmbiguous', { sample })}
        </span>
        {formats.map((date_format) => (
          <Button
            key={date_format}
            size="compact-sm"
            variant="default"
            loading={send.isPending && send.variables.body.date_format === date_format}
            disabled={send.isPending}
            onClick={() => send.mutate({ params: { id }, body: { date_format, revision } })}
          >
            {t('readAs', { format: nameOf(date_format) })}
            {dayIn(sample, date_format) && (
              <>
                {' ('}
                <Day value={dayIn(sample, date_format)} />
                {')'}
              </>
            )}
          </Button>
        ))}
      </Group>
      <ErrorNotice error={send.error} />
    </Notice>
  );
}

/** The day that a text means in a format, to compare the readings of an ambiguous text. */
function dayIn(text: string, format: Dates['formats'][number]): string {
  const parts = text.split(/[./-]/);
  const names = format.split(/[./-]/);
  if (names.length === 1)
    return ['YYYY', 'MM', 'DD']
      .map((name) => text.slice(format.indexOf(name), format.indexOf(name) + name.length))
      .join('-');
  const part = (name: string, length: number) => (parts[names.indexOf(name)] ?? '').padStart(length, '0');
  return `${yearOf(part('YYYY', 2))}-${part('MM', 2)}-${part('DD', 2)}`;
}
