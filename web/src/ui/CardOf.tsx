import classes from './CardOf.module.css';
import type { Column } from './DataTable.tsx';

/** A row as a card: the first column is its heading, the others follow with their names, unless these are quiet. */
export function CardOf<Row>({ columns: [heading, ...others], row }: { columns: readonly Column<Row>[]; row: Row }) {
  return (
    <div className={classes['card']}>
      <div className={classes['heading']}>{heading?.cell(row)}</div>
      <dl>
        {others.map(({ id, header, cell, quietHeader }) => (
          <div key={id} className={quietHeader ? undefined : classes['line']}>
            <dt className={quietHeader ? 'visually-hidden' : undefined}>{header}</dt>
            <dd>{cell(row)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
