import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import classes from './EmployeeName.module.css';
import type { EmployeesSearch } from './search.ts';

type Props = {
  id: number;
  name: string;
  sub?: string | null;
  size?: number;
  /** The address of the person's picture below the API. */
  picture?: string | null;
  /** The list the person stands in; the record leads to its neighbours there. */
  directory?: EmployeesSearch;
};

/** A person in a list: picture or initials, the name as a link to the record, a line below. */
export const EmployeeName = ({ id, name, sub, size = 32, picture = null, directory }: Props) => (
  <div className={classes['person']}>
    <PersonAvatar id={id} name={name} size={size} url={picture} />
    <div className={classes['text']}>
      <Link
        to={paths.employee}
        params={{ id: String(id) }}
        className={classes['name']}
        {...(directory && { state: { directory } })}
      >
        <bdi>{name}</bdi>
      </Link>
      {sub && <span className={classes['sub']}>{sub}</span>}
    </div>
  </div>
);
