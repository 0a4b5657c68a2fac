import { useMediaQuery } from '@mantine/hooks';
import { Fragment, type ReactNode } from 'react';
import classes from './Home.module.css';
import { revealedRows, type Part } from './parts.ts';

type Props = { parts: readonly Part[]; first: ReactNode; skeleton: ReactNode; isStale: boolean };

/** The parts of the page from top to bottom; in a wide window, narrow parts lie beside each other. */
export function Parts({ parts, first, skeleton, isStale }: Props) {
  const isWide = useMediaQuery('(min-width: 75em)', false, { getInitialValueInEffect: false });
  const rows = revealedRows(parts, isWide);
  return (
    <div className={classes['parts']} style={isStale ? { opacity: 0.6 } : {}}>
      {first}
      {rows.length === 0
        ? skeleton
        : rows.map(({ key, main, side }) =>
            side.length === 0 ? (
              <Fragment key={key}>{contentsOf(main)}</Fragment>
            ) : (
              <div key={key} className={classes['columns']}>
                <div className={classes['column']}>{contentsOf(main)}</div>
                <div className={classes['column']}>{contentsOf(side)}</div>
              </div>
            ),
          )}
    </div>
  );
}

const contentsOf = (parts: readonly Part[]) =>
  parts.map(({ name, content }) => <Fragment key={name}>{content}</Fragment>);
