// Checks the chained audit log with nothing of Tenure: node audit-verify.mjs postgres://... [position:hash]
// A link is SHA-256 of the link before it and of the row; the optional head was noted earlier and must still be there.
import { createHash } from 'node:crypto';
import pg from 'pg';

const [url, noted] = process.argv.slice(2);
const client = new pg.Client({ connectionString: url });
const breaks = [];
const field = (value) => (value === null ? '-' : `${Buffer.byteLength(value)}:${value}`);
const columns = `a.id::text, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), a.actor_id::text,
  a.actor_name, a.action, a.subject_type, a.subject_id::text, a.subject_label, a.entity_id::text, a.changes::text,
  a.reason, a.request_id, a.ip`;

await client.connect();
await client.query('begin isolation level repeatable read read only');
let [position, previous] = [0n, Buffer.alloc(0)];
for (;;) {
  const { rows } = await client.query({
    text: `select c.position::text, c.audit_id::text, c.hash, a.id is null, ${columns}
           from audit_chain c left join audit_log a on a.id = c.audit_id
           where c.position > $1 order by c.position limit 5000`,
    values: [position.toString()],
    rowMode: 'array',
  });
  for (const [at, id, hash, isMissing, ...row] of rows) {
    const expected = createHash('sha256').update(previous).update(row.map(field).join('')).digest();
    if (BigInt(at) !== position + 1n) breaks.push(`missing link before position ${at}`);
    else if (isMissing) breaks.push(`missing row ${id} at position ${at}`);
    else if (!expected.equals(hash)) breaks.push(`changed row ${id} at position ${at}`);
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
await client.end();
for (const problem of breaks) console.error(problem);
console.log(`${position} links, ${breaks.length} faults, head ${position}:${previous.toString('hex')}`);
process.exitCode = breaks.length === 0 ? 0 : 1;
