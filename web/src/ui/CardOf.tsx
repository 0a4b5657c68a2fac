import classes from './CardOf.module.css';
import type { Column } from './DataTable.tsx';

/** A row as a card: the first column is its heading, the others follow with their names. */
export function CardOf<Row>({ columns: [heading, ...others], row }: { columns: readonly Column<Row>[]; row: Row }) {
  return (
    <div className={classes['card']}>
      <div className={classes['heading']}>{heading?.cell(row)}</div>
      <dl>
        {others.map(({ id, header, cell }) => (
          <div key={id} className={classes['line']}>
            <dt>{header}</dt>
            <dd>{cell(row)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
