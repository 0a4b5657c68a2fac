import { clientOf, rowsOf, todayAt } from './world.ts';
import type { World } from './world.ts';

/** Recorded by others for people without an account, with the signed sheet. */

type Turn = { world: World; user: number; task: { subject: { id: number } } };

const sheet = { name: 'sheet.pdf', content: '%PDF-1.7\n%%EOF\n' };
const tables = { 'kpi-evaluations': 'kpi_evaluations', 'probation-reviews': 'probation_reviews' } as const;

async function record(
  { world, user, task }: Turn,
  of: keyof typeof tables,
  step: string,
  fields: Record<string, string>,
): Promise<void> {
  const { id } = task.subject;
  const [company] = await rowsOf<{ timezone: string }>(
    world,
    `select n.timezone from ${tables[of]} v join entities n on n.id = v.entity_id where v.id = $1`,
    id,
  );
  const talked_on = todayAt(world, company!).toString();
  const client = await clientOf(world, user);
  const url = `/api/${of}/${id}/${step}`;
  const answer = await client.upload(url, sheet, { talked_on, ...fields });
  if (answer.status !== 200) throw new Error(`day ${world.day}: ${url} by ${user}: ${JSON.stringify(answer.body)}`);
}

/** The answer to a result: accepted, or sometimes disputed. */
export const recordAnswer = (turn: Turn): Promise<void> =>
  record(
    turn,
    'kpi-evaluations',
    'record-answer',
    turn.world.random.chance(0.15)
      ? { outcome: 'disputed', reason: 'The second item was not seen in full.' }
      : { outcome: 'accepted' },
  );

/** The acknowledgement of a probation decision. */
export const recordAcknowledgement = (turn: Turn): Promise<void> =>
  record(turn, 'probation-reviews', 'record-acknowledgement', { comment: 'Read.' });
