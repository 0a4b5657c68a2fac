import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import classes from './EmployeeName.module.css';

type Props = { id: number; name: string; sub?: string | null; size?: number };

/** A person in a list: initials, the name as a link to the record, a line below. */
export const EmployeeName = ({ id, name, sub, size = 32 }: Props) => (
  <div className={classes['person']}>
    <PersonAvatar id={id} name={name} size={size} />
    <div className={classes['text']}>
      <Link to={paths.employee} params={{ id: String(id) }} className={classes['name']}>
        <bdi>{name}</bdi>
      </Link>
      {sub && <span className={classes['sub']}>{sub}</span>}
    </div>
  </div>
);
