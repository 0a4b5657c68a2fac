import type { TestApp } from '../app.ts';
import type { Answer, Client } from '../client.ts';
import type { Probation } from './probation-days.ts';
import type { Random } from './random.ts';

/** A company of the simulated year. */
export type Company = {
  id: number;
  timezone: string;
  /** HR accounts limited to the company. */
  hr: number[];
  departments: Department[];
};
export type Department = { id: number; parent: number | null; head: number };

export type World = {
  app: TestApp;
  random: Random;
  /** Sets the clock to a day of the year; 0 is the first. */
  goTo: (day: number) => Promise<void>;
  day: number;
  companies: Company[];
  roles: ReadonlyMap<string, number>;
  admin: number;
  /** The employee above both companies. */
  chair: number;
  /** A day until which more time is granted. */
  soon: string;
  templates: { right: number; wrong: number };
  cycles: { id: number; departments: number[] }[];
  /** The end of each probation, computed independently. */
  probations: Map<number, Probation>;
  /** What happened, for failure messages. */
  diary: string[];
  clients: Map<number, Promise<Client>>;
  serial: number;
};

/** The first day of the year: a leap year later than any real use. */
export const firstDay = Temporal.PlainDate.from('2032-01-01');
export const dayOf = (day: number) => firstDay.add({ days: day });
/** The day this many days after the current one. */
export const later = ({ day }: Pick<World, 'day'>, days: number) => dayOf(day + days).toString();

/** The date at a company; the clock is at noon UTC. */
export const todayAt = ({ day }: Pick<World, 'day'>, { timezone }: Pick<Company, 'timezone'>) =>
  dayOf(day).toZonedDateTime({ timeZone: 'UTC', plainTime: '12:00' }).withTimeZone(timezone).toPlainDate();

export function clientOf({ app, clients }: World, userId: number): Promise<Client> {
  const known = clients.get(userId);
  if (known) return known;
  const client = app.as(userId);
  clients.set(userId, client);
  return client;
}

type Call = { as: number; url: string; body?: object };

/** A request that must succeed; a failure says when and what. */
export async function succeed(
  world: World,
  method: 'get' | 'post' | 'put' | 'delete',
  { as, url, body }: Call,
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
): Promise<any> {
  const answer = await attempt(world, method, { as, url, ...(body && { body }) });
  if (answer.status >= 300)
    throw new Error(failureOf(world, `${method} ${url} by ${as}`, { body, answer: answer.body }));
  return answer.body;
}

export async function attempt(
  world: World,
  method: 'get' | 'post' | 'put' | 'delete',
  { as, url, body }: Call,
): Promise<Answer> {
  const client = await clientOf(world, as);
  return method === 'get' ? client.get(`/api${url}`) : client[method](`/api${url}`, body);
}

const failureOf = ({ day, diary, app }: World, what: string, detail: object) => {
  const errors = app.logged.filter((line) => line.includes('"level":"error"') || line.includes('"level":50')).slice(-2);
  const before = diary.slice(-12).join('\n');
  return `day ${day} (${dayOf(day).toString()}): ${what}\n${JSON.stringify(detail)}\nBefore:\n${before}\n${errors.join('')}`;
};

export const note = (world: World, line: string) => void world.diary.push(`day ${world.day}: ${line}`);

export async function rowsOf<T extends object>({ app }: World, text: string, ...values: unknown[]): Promise<T[]> {
  return (await app.owner.query<T>(text, values)).rows;
}
