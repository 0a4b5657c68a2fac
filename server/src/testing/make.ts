import type { SeededRole } from '@tenure/contract';
import type { Insertable } from 'kysely';
import type { DB } from '../db/schema.ts';
import type { Deps } from '../http/context.ts';

type EntityFields = Partial<Insertable<DB['entities']>>;
type DepartmentFields = Partial<Insertable<DB['departments']>>;
type EmployeeFields = Partial<Insertable<DB['employees']>> & {
  /** Role names, or roles limited to companies. */
  roles?: readonly (SeededRole | { role: string; entity_ids?: number[]; department_ids?: number[] })[];
  password?: string;
};

export type MadeEmployee = {
  id: number;
  user_id: number;
  email: string;
  employee_number: string;
  entity_id: number;
  department_id: number;
};

export type Makers = {
  entity: (fields?: EntityFields) => Promise<{ id: number; name: string; code: string }>;
  department: (fields?: DepartmentFields) => Promise<{ id: number; entity_id: number; name: string }>;
  employee: (fields?: EmployeeFields) => Promise<MadeEmployee>;
  /** A person without an address, and so without an account. */
  worker: (fields?: Partial<Insertable<DB['employees']>>) => Promise<Omit<MadeEmployee, 'user_id' | 'email'>>;
  /** An account without a person, like an installation's first one. */
  admin: () => Promise<{ user_id: number; email: string }>;
};

/** Builders that fill in what a test does not specify; rows are inserted directly. */
export function makers({ db, hashing }: Deps): Makers {
  let serial = 0;
  const next = () => (serial += 1);

  async function assign(userId: number, roles: NonNullable<EmployeeFields['roles']>) {
    for (const role of roles) {
      const name = typeof role === 'string' ? role : role.role;
      const { id } = await db.selectFrom('roles').select('id').where('name', '=', name).executeTakeFirstOrThrow();
      const { entity_ids = [], department_ids = null } = typeof role === 'string' ? { entity_ids: null } : role;
      await db
        .insertInto('role_assignments')
        .values({ user_id: userId, role_id: id, entity_ids, department_ids })
        .execute();
    }
  }

  async function account(email: string, password?: string) {
    const password_hash = password === undefined ? null : await hashing.hash(password);
    return db.insertInto('users').values({ email, password_hash }).returning('id').executeTakeFirstOrThrow();
  }

  async function person(n: number, fields: Partial<Insertable<DB['employees']>>) {
    const department = fields.department_id
      ? await db
          .selectFrom('departments')
          .select(['id', 'entity_id'])
          .where('id', '=', fields.department_id)
          .executeTakeFirstOrThrow()
      : await make.department(fields.entity_id ? { entity_id: fields.entity_id } : {});
    return db
      .insertInto('employees')
      .values({
        employee_number: `T-${n}`,
        first_name: `First${n}`,
        last_name: `Last${n}`,
        employment_lifecycle: 'confirmed',
        ...fields,
        entity_id: department.entity_id,
        department_id: department.id,
      })
      .returning(['id', 'employee_number', 'entity_id', 'department_id'])
      .executeTakeFirstOrThrow();
  }

  const make: Makers = {
    entity: (fields = {}) => {
      const n = next();
      return db
        .insertInto('entities')
        .values({ name: `Company ${n}`, code: `C${n}`, ...fields })
        .returning(['id', 'name', 'code'])
        .executeTakeFirstOrThrow();
    },
    department: async (fields = {}) => {
      const entity_id = fields.entity_id ?? (await make.entity()).id;
      return db
        .insertInto('departments')
        .values({ name: `Department ${next()}`, ...fields, entity_id })
        .returning(['id', 'entity_id', 'name'])
        .executeTakeFirstOrThrow();
    },
    employee: async ({ roles = ['Employee'] as const, password, ...fields } = {}) => {
      const n = next();
      const email = fields.email ?? `person${n}@example.com`;
      const user = await account(email, password);
      await assign(user.id, roles);
      return { ...(await person(n, { ...fields, email, user_id: user.id })), email, user_id: user.id };
    },
    worker: (fields = {}) => person(next(), { ...fields, email: null, user_id: null }),
    admin: async () => {
      const email = `admin${next()}@example.com`;
      const user = await account(email);
      await assign(user.id, ['Admin']);
      return { user_id: user.id, email };
    },
  };
  return make;
}
