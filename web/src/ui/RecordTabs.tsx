import { Tabs } from '@mantine/core';
import { Suspense, type ReactNode } from 'react';
import tabClasses from './PageTabs.module.css';
import classes from './RecordPage.module.css';
import { useTabInView } from './use-tab-in-view.ts';

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
      <TabRow label={label} names={['form', 'activity'] as const} chosen={view} nameOf={(one) => names[one]} />
      <Tabs.Panel value="form">{form}</Tabs.Panel>
      <Tabs.Panel value="activity" className={classes['activity']}>
        {view === 'activity' && <Suspense>{activity}</Suspense>}
      </Tabs.Panel>
    </Tabs>
  );
}

type RowProps<Name> = {
  label: string;
  names: readonly Name[];
  chosen: Name | undefined;
  nameOf: (name: Name) => string;
};

/** The tabs of a page in a row, aligned with its content; on a phone the row scrolls. */
export const TabRow = <Name extends string>({ label, names, chosen, nameOf }: RowProps<Name>) => (
  <Tabs.List ref={useTabInView(chosen)} className={tabClasses['list'] ?? ''} aria-label={label}>
    {names.map((name) => (
      <Tabs.Tab key={name} value={name}>
        {nameOf(name)}
      </Tabs.Tab>
    ))}
  </Tabs.List>
);
