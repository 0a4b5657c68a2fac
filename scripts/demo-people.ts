import { probationEnd } from '@tenure/contract/probation-days';
import { sql } from 'kysely';
import type { Insertable, Transaction } from 'kysely';
import type { DB } from '../server/src/db/schema.ts';
import { insertCareers, roleOf } from './demo-careers.ts';
import { demoEntities } from './demo-company.ts';
import type { DemoDepartment } from './demo-company.ts';
import { firstNames, lastNames } from './names.ts';

/** Small deterministic random numbers, so that the demo is always the same. */
function dice(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Person = Insertable<DB['employees']>;
type Unit = { entity_id: number; department_id: number; entityCode: string; department: DemoDepartment };
type Row = { id: number; user_id: number };
/** A person in the demo; some have no account. */
type Hired = { id: number; user_id: number | null };

const ascii = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase();
const dayBefore = (today: Temporal.PlainDate, days: number) => today.subtract({ days }).toString();

function longServing(n: number, today: Temporal.PlainDate) {
  const joined = today.subtract({ days: 200 + ((n * 61) % 3_600) });
  return { joining_date: joined.toString(), confirmation_date: joined.add({ months: 3 }).toString() };
}

function onProbation(n: number, today: Temporal.PlainDate) {
  const start = today.subtract({ days: 20 + (n % 60) }).toString();
  return {
    employment_lifecycle: 'probationary' as const,
    joining_date: start,
    probation_start_date: start,
    probation_end_date: probationEnd(start, 3),
  };
}

/** Lifecycle and dates of the nth person: most are confirmed, and every other state occurs. */
function employment(n: number, today: Temporal.PlainDate): Partial<Person> {
  if (n % 17 === 5) return onProbation(n, today);
  const joined = dayBefore(today, (n % 3 === 0 ? 95 : 200) + ((n * 61) % 3_600));
  const base = {
    joining_date: joined,
    confirmation_date: Temporal.PlainDate.from(joined).add({ months: 3 }).toString(),
  };
  if (n % 29 === 11)
    return {
      ...base,
      employment_lifecycle: 'resigned',
      notice_date: dayBefore(today, 20),
      last_working_date: today.add({ days: 25 }).toString(),
      separation_reason: 'Moves to another city',
    };
  if (n % 41 === 13)
    return {
      ...base,
      employment_lifecycle: 'terminated',
      activity_status: 'inactive',
      notice_date: dayBefore(today, 90),
      last_working_date: dayBefore(today, 60),
      separation_reason: 'Position was closed',
    };
  if (n % 19 === 7) {
    const left = 15 + ((n * 29) % 330);
    return {
      employment_lifecycle: 'resigned',
      activity_status: 'inactive',
      joining_date: dayBefore(today, left + 200 + ((n * 61) % 2_400)),
      confirmation_date: dayBefore(today, left + 100),
      notice_date: dayBefore(today, left + 40),
      last_working_date: dayBefore(today, left),
      separation_reason: (['Another employer', 'Moves abroad', 'Goes back to university'] as const)[n % 3] ?? null,
    };
  }
  if (n % 53 === 20) return { ...base, employment_lifecycle: 'confirmed', activity_status: 'inactive' };
  return { ...base, employment_lifecycle: 'confirmed' };
}

/** Bank details for paid people; the numbers belong to no bank. */
function bankOf(name: string, n: number, { entityCode }: Unit) {
  const [bank_name, country] =
    entityCode === 'NWR'
      ? ['Hafenbank Hamburg', 'DE']
      : entityCode === 'NWL'
        ? ['Banco del Muelle', 'ES']
        : ['Harbour & Dock Bank', 'GB'];
  const account_number = String(10_000_000 + n * 7_919).slice(0, 8);
  return { bank_name, account_title: name, account_number, iban: `${country}00TEST00${account_number}` };
}

async function insertAccount(db: Transaction<DB>, email: string | null): Promise<number | null> {
  if (email === null) return null;
  const { id } = await db.insertInto('users').values({ email }).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Inserts a person, with an account if there is an address; returns both ids. */
async function insertPerson(
  db: Transaction<DB>,
  person: Omit<Person, 'user_id' | 'email'> & { email: string | null },
): Promise<Hired> {
  const user_id = await insertAccount(db, person.email);
  const { id } = await db
    .insertInto('employees')
    .values({ ...person, user_id })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, user_id };
}

async function insertUnits(db: Transaction<DB>): Promise<Unit[]> {
  const units: Unit[] = [];
  for (const { departments, ...fields } of demoEntities) {
    const entity = await db.insertInto('entities').values(fields).returning('id').executeTakeFirstOrThrow();
    for (const department of departments) {
      const { name, code } = department;
      const row = await db
        .insertInto('departments')
        .values({ entity_id: entity.id, name, code })
        .returning('id')
        .executeTakeFirstOrThrow();
      units.push({ entity_id: entity.id, department_id: row.id, entityCode: fields.code, department });
    }
  }
  return units;
}

export type DemoCast = { hr: Row; entityHr: Row; manager: Row; lead: Row; employee: Row };

type Made = Hired & { unit: Unit; rank: number };

/** Some people in the warehouse have neither an address nor an account. */
const isByHand = ({ department }: Unit, rank: number) => department.code === 'WAR' && rank > 2 && rank % 4 === 0;

type Roll = ReturnType<typeof dice>;

/** The fields of the person after `n` others, with this rank in the department. */
function personIn(
  unit: Unit,
  { n, rank, roll, daysServed }: { n: number; rank: number; roll: Roll; daysServed: number },
) {
  const first_name = firstNames[(n * 37 + roll(5)) % firstNames.length] ?? 'Ada';
  const last_name = lastNames[(n * 53 + roll(7)) % lastNames.length] ?? 'Berg';
  const luck = roll(4);
  const role = roleOf({ department: unit.department, n, rank, daysServed, luck, type: roll(9) });
  const bank = role.employment_type === 'contract' ? null : bankOf(`${first_name} ${last_name}`, n, unit);
  return {
    ...role,
    email: isByHand(unit, rank) ? null : `${ascii(first_name)}.${ascii(last_name)}.${n}@northwind.example`,
    first_name,
    last_name,
    entity_id: unit.entity_id,
    department_id: unit.department_id,
    phone: `+44 117 496 ${String(1_000 + n)}`,
    bank: bank && JSON.stringify(bank),
  };
}

type Started = { made: Made[]; counters: Map<string, number>; roll: Roll; today: Temporal.PlainDate };

/** The people of one department: its head, perhaps a lead, and their reports. */
async function insertDepartment(db: Transaction<DB>, unit: Unit, { made, counters, roll, today }: Started) {
  let head: Hired | undefined;
  let lead: Hired | undefined;
  for (let rank = 0; rank < unit.department.people; rank += 1) {
    const n = made.length;
    const number = (counters.get(unit.entityCode) ?? 0) + 1;
    counters.set(unit.entityCode, number);
    const boss = rank === 0 ? made[0] : rank === 1 ? head : (lead ?? head);
    const employed = isByHand(unit, rank) && rank % 8 === 0 ? onProbation(n, today) : employmentOf(n, rank, today);
    const daysServed = today.since(Temporal.PlainDate.from(employed.joining_date ?? today.toString())).days;
    const row = await insertPerson(db, {
      ...employed,
      ...personIn(unit, { n, rank, roll, daysServed }),
      employee_number: `${unit.entityCode}-${String(number).padStart(3, '0')}`,
      reporting_manager_id: boss?.id ?? null,
      // the youngest joined at the age of 19
      date_of_birth: dayBefore(today, Math.max(daysServed + 7_000, 7_800 + roll(14_000))),
      gender: (['female', 'male', 'other'] as const)[roll(3)] ?? null,
      nationality: ['British', 'German', 'Spanish', 'French', 'Polish'][roll(5)] ?? null,
    });
    if (rank === 0) head = row;
    if (rank === 1 && unit.department.people > 8) lead = row;
    made.push({ ...row, unit, rank });
  }
  const leads = { manager_id: head?.id ?? null, team_lead_id: lead?.id ?? null };
  await db.updateTable('departments').set(leads).where('id', '=', unit.department_id).execute();
}

async function insertPeople(db: Transaction<DB>, units: readonly Unit[], today: Temporal.PlainDate): Promise<Made[]> {
  const started: Started = { made: [], counters: new Map(), roll: dice(20_261_121), today };
  for (const unit of units) await insertDepartment(db, unit, started);
  for (const [code, last] of started.counters)
    await sql`insert into employee_numbers select id, ${last} from entities where code = ${code}`.execute(db);
  return started.made;
}

/** Heads and leads stay in office, so that the demo's hierarchy remains. */
const employmentOf = (n: number, rank: number, today: Temporal.PlainDate) =>
  ({
    employment_lifecycle: 'confirmed',
    ...(rank < 2 ? longServing(n, today) : employment(n, today)),
  }) as Pick<Person, 'employment_lifecycle'> & { joining_date?: string };

function signingIn({ id, user_id }: Hired): Row {
  if (user_id === null) throw new Error('the cast of the demo signs in');
  return { id, user_id };
}

async function assignRoles(db: Transaction<DB>, made: readonly Made[]): Promise<DemoCast> {
  const roles = new Map(
    (await db.selectFrom('roles').select(['id', 'name']).execute()).map((role) => [role.name, role.id]),
  );
  const inPeople = made.filter(({ unit }) => unit.department.code === 'PPL');
  const inSales = made.filter(({ unit }) => unit.department.code === 'SAL');
  const retail = inSales[0]?.unit.entity_id ?? 0;
  const retailHr = made.find(({ unit, rank }) => unit.department.code === 'RMG' && rank === 2);
  const [hr, manager, lead, employee] = [inPeople[0], inSales[0], inSales[1], inSales.find(({ rank }) => rank === 4)];
  if (!hr || !manager || !lead || !employee || !retailHr) throw new Error('the demo lost its cast');
  const roleOf = (person: Made) =>
    person === hr || person === retailHr
      ? 'HR'
      : person.rank === 0
        ? 'Manager'
        : person.rank === 1 && person.unit.department.people > 8
          ? 'TeamLead'
          : 'Employee';
  const assignments = made.flatMap((person) =>
    person.user_id === null
      ? []
      : [
          {
            user_id: person.user_id,
            role_id: roles.get(roleOf(person)) ?? 0,
            entity_ids: person === retailHr ? [retail] : null,
          },
        ],
  );
  await db.insertInto('role_assignments').values(assignments).execute();
  return {
    hr: signingIn(hr),
    entityHr: signingIn(retailHr),
    manager: signingIn(manager),
    lead: signingIn(lead),
    employee: signingIn(employee),
  };
}

/** Fills an empty installation with the demo group and returns its accounts. */
export async function insertDemo(db: Transaction<DB>, today: Temporal.PlainDate): Promise<DemoCast> {
  const units = await insertUnits(db);
  const made = await insertPeople(db, units, today);
  const cast = await assignRoles(db, made);
  await insertCareers(db);
  // no banner asks the demo's administrator about second factors
  await db
    .updateTable('installation')
    .set({ is_demo: true, second_factor_decided_at: sql`now()` })
    .execute();
  return cast;
}
