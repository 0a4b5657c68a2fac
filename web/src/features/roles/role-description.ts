import { seededRoles, type RoleRow, type SeededRole } from '@tenure/contract';
import { useTranslations } from 'use-intl';

/** The descriptions that seeded roles are stored with, in English. */
const stored: Readonly<Record<SeededRole, string>> = {
  Admin: 'Holds every permission',
  HR: 'Runs people, KPI and probation work',
  Manager: 'Manages a department',
  TeamLead: 'Leads a team',
  Employee: 'Works here',
};

/** The description of a role: a seeded one in the user's language, any other unchanged. */
export function useRoleDescription(): (role: Pick<RoleRow, 'name' | 'description'>) => string | null {
  const t = useTranslations('roles.seeded');
  return ({ name, description }) => {
    const seeded = seededRoles.find((one) => one === name);
    return seeded && description === stored[seeded] ? t(seeded) : description;
  };
}
