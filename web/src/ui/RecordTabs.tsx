import { Tabs } from '@mantine/core';
import { Suspense, type ReactNode } from 'react';
import classes from './RecordPage.module.css';

type View = 'form' | 'activity';
type Props = {
  label: string;
  /** The labels of the views, in order. */
  names: Readonly<Record<View, string>>;
  view: View;
  onView: (view: View) => void;
  form: ReactNode;
  /** Rendered while its tab is chosen; may be lazy. */
  activity: ReactNode;
};

/** The tabs of a workflow record: its form and its history. */
export function RecordTabs({ label, names, view, onView, form, activity }: Props) {
  return (
    <Tabs value={view} onChange={(tab) => onView(tab as View)}>
      <TabRow label={label} names={['form', 'activity'] as const} nameOf={(one) => names[one]} />
      <Tabs.Panel value="form">{form}</Tabs.Panel>
      <Tabs.Panel value="activity" className={classes['activity']}>
        {view === 'activity' && <Suspense>{activity}</Suspense>}
      </Tabs.Panel>
    </Tabs>
  );
}

type RowProps<Name> = { label: string; names: readonly Name[]; nameOf: (name: Name) => string };

/** The tabs of a page in a row, aligned with its content. */
export const TabRow = <Name extends string>({ label, names, nameOf }: RowProps<Name>) => (
  <Tabs.List px="calc(var(--gutter) - 8px)" aria-label={label}>
    {names.map((name) => (
      <Tabs.Tab key={name} value={name}>
        {nameOf(name)}
      </Tabs.Tab>
    ))}
  </Tabs.List>
);
