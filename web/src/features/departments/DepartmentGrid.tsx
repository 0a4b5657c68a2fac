import { Button, Group, Stack, Text, useDirection } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import type { Department, PersonRef } from '@tenure/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useRef, useState, type ComponentProps, type KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { paths } from '../../paths.ts';
import { hasModifier } from '../../ui/has-modifier.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import classes from './DepartmentGrid.module.css';
import { DepartmentMenu } from './DepartmentMenu.tsx';
import type { DepartmentRow } from './department-tree.ts';
import type { DialogName } from './search.ts';
import { Chevron } from '../../ui/Chevron.tsx';

const RowsInView = lazyPart(() => import('./RowsInView.tsx'), 'RowsInView');

type Props = {
  /** The name of the departments' company. */
  company: string;
  rows: readonly DepartmentRow[];
  onToggle: (id: number) => void;
  onDialog: (dialog: DialogName, id: number) => void;
  onStatus: (department: Department) => void;
};

const maxAtOnce = 100;
const rowId = (id: number) => `department-${id}`;

/** The departments of a company as a tree grid: the arrow keys move between rows, Tab moves into the row. */
export function DepartmentGrid({ company, rows, ...props }: Props) {
  const t = useTranslations('departments');
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const { at, go, setCurrent, bringIntoView } = useCurrentRow(rows);
  const onKeyDown = useGridKeys(rows, props.onToggle, go);
  const drawn = (row: DepartmentRow, index: number) => (
    <Row
      {...props}
      key={row.department.id}
      row={row}
      index={index}
      isCurrent={index === at}
      onFocus={() => setCurrent(row.department.id)}
      onKeyDown={(event) => onKeyDown(event, row, index)}
    />
  );
  const isLong = rows.length > maxAtOnce;
  return (
    <div ref={setBox} className={classes['scroll']}>
      <p id="departments-help" className="visually-hidden">
        {t('gridHelp')}
      </p>
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- the pattern for a tree with columns
        role="treegrid"
        aria-label={t('treeOf', { name: company })}
        aria-describedby="departments-help"
        aria-rowcount={rows.length + 1}
        className={classes['grid']}
        data-flat={rows.every(({ hasChildren }) => !hasChildren) || undefined}
      >
        <Head />
        <tbody>
          {isLong ? <LongRows rows={rows} drawn={drawn} box={box} bringIntoView={bringIntoView} /> : rows.map(drawn)}
        </tbody>
      </table>
    </div>
  );
}

/** Renders only the visible rows of a long table. */
const LongRows = (props: ComponentProps<typeof RowsInView>) => (
  <Suspense fallback={props.rows.slice(0, maxAtOnce).map(props.drawn)}>
    <RowsInView {...props} />
  </Suspense>
);

/** The row in the tab order, and how to make another one current. */
function useCurrentRow(rows: readonly DepartmentRow[]) {
  const [current, setCurrent] = useState<number>();
  const bringIntoView = useRef<(index: number) => void>(null);
  const found = rows.findIndex(({ department }) => department.id === current);
  const go = (index: number) => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (!row) return;
    setCurrent(row.department.id);
    bringIntoView.current?.(rows.indexOf(row));
    requestAnimationFrame(() => document.getElementById(rowId(row.department.id))?.focus());
  };
  return { at: Math.max(0, found), go, setCurrent, bringIntoView };
}

function Head() {
  const t = useTranslations('departments');
  const label = useTranslations('fields.department');
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col">{t('department')}</th>
        <th scope="col" className={classes['wide']}>
          {label('manager_id')}
        </th>
        <th scope="col" className={classes['wide']}>
          {label('team_lead_id')}
        </th>
        <th scope="col" className={classes['number']}>
          {t('headcount')}
        </th>
        <th scope="col">
          <span className="visually-hidden">{t('actions')}</span>
        </th>
      </tr>
    </thead>
  );
}

function useGridKeys(rows: readonly DepartmentRow[], onToggle: (id: number) => void, go: (index: number) => void) {
  const navigate = useNavigate();
  const { dir } = useDirection();
  const [forward, back] = dir === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  return (event: KeyboardEvent, row: DepartmentRow, index: number): void => {
    // Controls inside the row handle their own keys.
    if (event.target !== event.currentTarget || hasModifier(event)) return;
    const { department, isOpen, hasChildren, parent } = row;
    const steps: Record<string, () => void> = {
      ArrowDown: () => go(index + 1),
      ArrowUp: () => go(index - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      [forward]: () => (isOpen ? go(index + 1) : hasChildren && onToggle(department.id)),
      [back]: () => {
        if (isOpen) onToggle(department.id);
        else if (parent !== null) go(rows.findIndex((one) => one.department.id === parent));
      },
      Enter: () => void navigate({ to: paths.department, params: { id: String(department.id) } }),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };
}

type RowProps = Omit<Props, 'rows' | 'company'> & {
  row: DepartmentRow;
  index: number;
  isCurrent: boolean;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

function Row({ row, index, isCurrent, onFocus, onKeyDown, onToggle, onDialog, onStatus }: RowProps) {
  const { department, level, position, siblings, hasChildren, isOpen } = row;
  const { id, manager, team_lead: lead, allowed_actions: allowed } = department;
  const tabIndex = isCurrent ? 0 : -1;
  const assign = (dialog: DialogName, action: string) =>
    allowed.includes(action) && { onAssign: () => onDialog(dialog, id) };
  return (
    <tr
      id={rowId(id)}
      aria-rowindex={index + 2}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={hasChildren ? isOpen : undefined}
      tabIndex={tabIndex}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      <td>
        <Name row={row} tabIndex={tabIndex} onToggle={() => onToggle(id)} />
      </td>
      <td className={classes['wide']}>
        <Leader person={manager} tabIndex={tabIndex} {...assign('manager', 'manager')} />
      </td>
      <td className={classes['wide']}>
        <Leader person={lead} tabIndex={tabIndex} {...assign('lead', 'team-lead')} />
      </td>
      <td className={classes['number']}>
        <Headcount row={row} tabIndex={tabIndex} />
      </td>
      <td className={classes['menu']}>
        <DepartmentMenu department={department} onDialog={onDialog} onStatus={onStatus} tabIndex={tabIndex} />
      </td>
    </tr>
  );
}

type CellProps = { row: DepartmentRow; tabIndex: number };

function Name({ row, tabIndex, onToggle }: CellProps & { onToggle: () => void }) {
  const t = useTranslations('activityStatus');
  const { department, level, hasChildren, isOpen } = row;
  return (
    <Group gap={6} wrap="nowrap" miw={0} ps={`calc(${level - 1} * var(--step))`}>
      <Chevron isOpen={isOpen} canOpen={hasChildren} onClick={onToggle} />
      <Stack gap={0} miw={0} me={8}>
        <Link
          to={paths.department}
          params={{ id: String(department.id) }}
          tabIndex={tabIndex}
          className={`record-link ${classes['link']}`}
        >
          <bdi>{department.name}</bdi>
        </Link>
        {department.code !== null && <Below>{department.code}</Below>}
      </Stack>
      {department.status === 'inactive' && <StatusBadge tone="quiet" label={t('inactive')} />}
    </Group>
  );
}

const Below = ({ children }: { children: string }) => (
  <Text span truncate display="block" className="muted" size="xs">
    <bdi>{children}</bdi>
  </Text>
);

type LeaderProps = { person: PersonRef | null; tabIndex: number; onAssign?: () => void };

function Leader({ person, tabIndex, onAssign }: LeaderProps) {
  const t = useTranslations('departments');
  if (person)
    return (
      <Group gap={8} wrap="nowrap" miw={0}>
        <PersonAvatar id={person.id} name={person.name} size={24} />
        <Link to={paths.employee} params={{ id: String(person.id) }} tabIndex={tabIndex} className={classes['link']}>
          <bdi>{person.name}</bdi>
        </Link>
      </Group>
    );
  if (!onAssign) return <span className="muted">–</span>;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      tabIndex={tabIndex}
      leftSection={<IconUserPlus size={15} aria-hidden />}
      onClick={onAssign}
      ms={-8}
    >
      {t('assign')}
    </Button>
  );
}

function Headcount({ row: { department, people }, tabIndex }: CellProps) {
  const t = useTranslations('departments');
  const { id, employees_count: own } = department;
  return (
    <>
      <Link
        to={paths.employees}
        search={{ department_id: id, activity_status: 'active' }}
        tabIndex={tabIndex}
        className={classes['link']}
      >
        {t('people', { count: own })}
      </Link>
      {people > own && <Below>{t('withBelow', { count: people })}</Below>}
    </>
  );
}
