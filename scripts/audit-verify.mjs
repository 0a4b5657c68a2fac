// Checks the chained audit log with nothing of Tenure: node audit-verify.mjs postgres://... [position:hash] [MONTH.jsonl ...]
// A link is SHA-256 of the link before it and of the row; the optional head was noted earlier and must still be there.
// Rows of archived months are in files that `tenure audit-archive --print` wrote.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import pg from 'pg';

const [url, ...rest] = process.argv.slice(2);
const noted = rest.find((argument) => /^\d+:[0-9a-f]{64}$/.test(argument));
const files = rest.filter((argument) => argument !== noted);
const client = new pg.Client({ connectionString: url });
const breaks = [];
// the token stands at the end of entries that were made with one
const textOf = (row) => (row.at(-1) === null ? row.slice(0, -1) : row).map(field).join('');
const field = (value) => (value === null ? '-' : `${Buffer.byteLength(value)}:${value}`);
const columns = `a.id::text, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), a.actor_id::text,
  a.actor_name, a.action, a.subject_type, a.subject_id::text, a.subject_label, a.entity_id::text, a.changes::text,
  a.reason, a.request_id, a.ip, a.token_id::text`;

await client.connect();
await client.query('begin isolation level repeatable read read only');
let [position, previous] = [0n, Buffer.alloc(0)];
for (;;) {
  const { rows } = await client.query({
    text: `select c.position::text, c.audit_id::text, c.hash, a.id is null,
                  exists (select from audit_archives m where m.positions @> c.position), ${columns}
           from audit_chain c left join audit_log a on a.id = c.audit_id
           where c.position > $1 order by c.position limit 5000`,
    values: [position.toString()],
    rowMode: 'array',
  });
  for (const [at, id, hash, isMissing, isArchived, ...row] of rows) {
    const expected = createHash('sha256').update(previous).update(textOf(row)).digest();
    if (BigInt(at) !== position + 1n) breaks.push(`missing link before position ${at}`);
    else if (isMissing && !isArchived) breaks.push(`missing row ${id} at position ${at}`);
    else if (!isMissing && !expected.equals(hash)) breaks.push(`changed row ${id} at position ${at}`);
    if (noted?.startsWith(`${at}:`) && noted !== `${at}:${hash.toString('hex')}`)
      breaks.push(`position ${at} is not what was noted`);
    [position, previous] = [BigInt(at), hash];
  }
  if (rows.length === 0) break;
}
if (noted && BigInt(noted.split(':')[0]) > position)
  breaks.push(`the chain ends before what was noted, at ${position}`);
const { rows: loose } = await client.query(
  `select a.id from audit_log a where a.transaction < (select transaction from audit_chain_reached)
   and not exists (select from audit_chain c where c.audit_id = a.id) order by a.id limit 100`,
);
for (const { id } of loose) breaks.push(`row ${id} has no link`);
const names = [
  'id',
  'at',
  'actor_id',
  'actor_name',
  'action',
  'subject_type',
  'subject_id',
  'subject_label',
  'entity_id',
];
names.push('changes', 'reason', 'request_id', 'ip', 'token_id');
let archived = 0;
for (const file of files)
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const entry = JSON.parse(line);
    const { rows } = await client.query('select position, audit_id, hash from audit_chain where position = any($1)', [
      [BigInt(entry.position) - 1n, BigInt(entry.position)],
    ]);
    const link = rows.find(({ position: at }) => at === entry.position);
    const before = rows.find(({ position: at }) => at !== entry.position)?.hash ?? Buffer.alloc(0);
    const text = textOf(names.map((name) => entry[name]));
    const expected = createHash('sha256').update(before).update(text).digest();
    if (link?.audit_id !== entry.id || !expected.equals(link.hash))
      breaks.push(`archived row ${entry.id} in ${file} does not fit its link at position ${entry.position}`);
    archived += 1;
  }
await client.end();
for (const problem of breaks) console.error(problem);
const read = files.length > 0 ? `, ${archived} archived rows` : '';
console.log(`${position} links${read}, ${breaks.length} faults, head ${position}:${previous.toString('hex')}`);
process.exitCode = breaks.length === 0 ? 0 : 1;
