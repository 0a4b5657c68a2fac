import { createPortal } from 'react-dom';
import { useTranslations } from 'use-intl';
import { Moment } from '../../../ui/Dates.tsx';
import type { IssuedPassword } from './issue.ts';
import classes from './Slips.module.css';

// inline, so that the common style sheet stays small
const slip = { padding: '6mm 0', borderBlockEnd: '1px dashed', breakInside: 'avoid' } as const;
const list = { display: 'grid', gridTemplateColumns: '42mm 1fr', gap: '1mm 4mm', margin: '2mm 0' };
const password = { font: '600 14pt ui-monospace, monospace', whiteSpace: 'nowrap' } as const;

/** The print view: one slip per person to cut out. */
export function Slips({ given, url }: { given: readonly IssuedPassword[]; url: string }) {
  const t = useTranslations('passwords');
  return createPortal(
    <div className={classes['sheet']} style={{ background: '#fff' }}>
      {given.map(({ person, email, one_time_password, expires_at }) => (
        <article key={person.id} style={slip}>
          <h2>
            <bdi>{person.name}</bdi> <span>{person.employee_number}</span>
          </h2>
          <dl style={list}>
            <dt>{t('head.url')}</dt>
            <dd>{url}</dd>
            <dt>{t('head.email')}</dt>
            <dd>{email}</dd>
            <dt>{t('head.password')}</dt>
            <dd style={password}>{one_time_password}</dd>
            <dt>{t('head.until')}</dt>
            <dd>
              <Moment value={expires_at} />
            </dd>
          </dl>
          <p>{t('howTo')}</p>
        </article>
      ))}
    </div>,
    document.body,
  );
}
