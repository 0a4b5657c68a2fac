import { employees } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import classes from './HomePage.module.css';

const dayMs = 86_400_000;

/** The day so many days from now, `YYYY-MM-DD`. */
const dayFromNow = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

const filters = () =>
  ({
    joined: { joined_from: dayFromNow(-30), joined_to: dayFromNow(0) },
    probation: {
      activity_status: 'active',
      employment_lifecycle: 'probationary',
      probation_ends_from: dayFromNow(0),
      probation_ends_to: dayFromNow(30),
    },
  }) as const;

/** What HR keeps an eye on, as numbers that lead to their list. */
export function ComingUp() {
  const t = useTranslations('home');
  const { joined, probation } = filters();
  return (
    <section className={classes['coming']} aria-label={t('coming')}>
      <h2>{t('coming')}</h2>
      <ul>
        <Count label={t('joined')} search={joined} />
        <Count label={t('probation')} search={probation} />
      </ul>
    </section>
  );
}

type Search = ReturnType<typeof filters>[keyof ReturnType<typeof filters>];

function Count({ label, search }: { label: string; search: Search }) {
  const t = useTranslations('home');
  const found = useQuery(load(employees.list, { query: { ...search, per_page: 1 } }));
  const count = found.data?.meta.total;
  return (
    <li>
      <Link to={paths.employees} search={search}>
        {label}
      </Link>
      <span className="numbers">{count === undefined ? '' : t('nobody', { count })}</span>
    </li>
  );
}
