import { ActionIcon } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import { useSession } from '../api/session.tsx';
import { Moment } from './Dates.tsx';

type Props = {
  /** The address of the record as PDF, if it has one. */
  pdf?: string;
  /** False if the page contains a form, which would be printed as such. */
  printed?: boolean;
};

/** Exports a record as PDF or prints it. */
export function PaperActions({ pdf, printed = true }: Props) {
  const t = useTranslations('paper');
  return (
    <>
      {pdf !== undefined && (
        <ActionIcon
          component="a"
          href={pdf}
          download
          variant="default"
          size={36}
          aria-label={t('pdf')}
          title={t('pdf')}
        >
          <IconDownload size={17} aria-hidden />
        </ActionIcon>
      )}
      {printed && (
        <ActionIcon variant="default" size={36} aria-label={t('print')} title={t('print')} onClick={() => print()}>
          <IconPrinter size={17} aria-hidden />
        </ActionIcon>
      )}
    </>
  );
}

/** Who printed the record and when, at the end of the printout. */
export function PrintedBy() {
  const t = useTranslations('paper');
  const { user } = useSession();
  const [at, setAt] = useState(() => new Date().toISOString());
  useEffect(() => {
    // flushed, so that it is on the page before it is printed
    const now = () => flushSync(() => setAt(new Date().toISOString()));
    addEventListener('beforeprint', now);
    return () => removeEventListener('beforeprint', now);
  }, []);
  if (!user) return null;
  return (
    <p className="on-paper muted small" data-printed>
      {t.rich('printedBy', {
        name: () => <bdi>{user.name}</bdi>,
        at: () => <Moment value={at} />,
      })}
    </p>
  );
}
