import { employees, type Employee, type EmployeeRow } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { paths } from '../../../paths.ts';
import { PersonAvatar } from '../../../ui/PersonAvatar.tsx';
import { Part, Waiting } from './Part.tsx';
import classes from './summary.module.css';

/** The most direct reports with picture and title; the others are in the list of employees. */
const maxShown = 6;

type ManagerRef = NonNullable<Employee['reporting_manager']>;

/** The manager, with picture and title if the user may see the record; else the card of the directory is linked. */
export function Manager({ manager: { id, name } }: { manager: ManagerRef }) {
  const { can, hasDirectory } = useSession();
  const query = useQuery({
    // The list contains no private details, and a person whom the user may not see is not an error.
    ...load(employees.list, { query: { id: [id], per_page: 1 } }),
    enabled: can('employees.view'),
  });
  const row = query.data?.data[0];
  const link = row ? paths.employee : hasDirectory ? paths.colleague : undefined;
  return (
    <div className={classes['person']}>
      <PersonAvatar id={id} name={name} url={row?.profile_picture_url ?? null} size={36} />
      <div>
        {link ? (
          <Link to={link} params={{ id: String(id) }}>
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi>{name}</bdi>
        )}
        {row?.job_title && <div className="muted truncate">{row.job_title}</div>}
      </div>
    </div>
  );
}

/** The direct reports that the user may see, without those who left or are suspended. */
export function Team({ id }: { id: number }) {
  const t = useTranslations('profile.summary');
  const filter = { reporting_manager_id: [id], activity_status: ['active', 'joining'] } as const;
  const query = useQuery(load(employees.list, { query: { ...filter, sort_by: 'last_name', per_page: maxShown } }));
  if (failedWithoutData(query)) return null;
  const { data: rows = [], meta: { total = 0 } = {} } = query.data ?? {};
  return (
    <Part title={total === 0 ? t('team') : t('teamCount', { count: total })}>
      {query.isPending ? (
        <Waiting lines={2} />
      ) : total === 0 ? (
        <p className="muted">{t('noTeam')}</p>
      ) : (
        <ul>
          {rows.map((row) => (
            <li key={row.id}>
              <Report row={row} />
            </li>
          ))}
        </ul>
      )}
      {total > rows.length && !query.isPending && (
        <div className={classes['entry']}>
          <Link
            to={paths.employees}
            search={{ reporting_manager_id: id, activity_status: filter.activity_status.join(',') }}
          >
            {t('viewTeam', { count: total })}
          </Link>
        </div>
      )}
    </Part>
  );
}

const Report = ({ row: { id, display_name: name, job_title, profile_picture_url } }: { row: EmployeeRow }) => (
  <div className={classes['person']}>
    <PersonAvatar id={id} name={name} url={profile_picture_url} size={32} />
    <div>
      <Link to={paths.employee} params={{ id: String(id) }} className="record-link">
        <bdi>{name}</bdi>
      </Link>
      {job_title && <div className="muted truncate">{job_title}</div>}
    </div>
  </div>
);
