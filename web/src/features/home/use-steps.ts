import { IconBuilding, IconFileImport, IconReportAnalytics, IconUserPlus, type Icon } from '@tabler/icons-react';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';

export type Step = {
  key: 'createCompany' | 'add' | 'import' | 'reports';
  to: (typeof paths)[keyof typeof paths];
  icon: Icon;
};

/** The next steps that the user may take; in an installation without companies, the first one. */
export function useSteps(companies: number | undefined): Step[] {
  const { can } = useSession();
  const noCompany = companies === 0;
  const steps: (Step & { when: boolean })[] = [
    { key: 'createCompany', to: paths.firstCompany, icon: IconBuilding, when: noCompany && can('entities.create') },
    { key: 'add', to: paths.newEmployee, icon: IconUserPlus, when: !noCompany && can('employees.create') },
    { key: 'import', to: paths.newImport, icon: IconFileImport, when: !noCompany && can('employees.import') },
    { key: 'reports', to: paths.reports, icon: IconReportAnalytics, when: !noCompany && can('dashboard.view_all') },
  ];
  return steps.filter(({ when }) => when);
}
