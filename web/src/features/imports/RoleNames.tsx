import { useWrittenRoles } from '../../ui/role-name.ts';

/** Roles as a cell of a file has them, in words. */
export const RoleNames = ({ written }: { written: string }) => useWrittenRoles()(written);
