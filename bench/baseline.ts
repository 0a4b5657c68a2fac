import { createServer } from 'node:http';
import pg from 'pg';

/** What the machine can do at best: bare handlers over node:http and pg, without sessions, scope or counting. */

const types = new pg.TypeOverrides();
for (const oid of [1082, 1114, 1184]) types.setTypeParser(oid, (value: string) => value);
const keepText = { types };

const rowsQuery = {
  name: 'rows',
  text: `select e.*, d.name as department_name, c.name as entity_name
         from employees e join departments d on d.id = e.department_id join entities c on c.id = e.entity_id
         where e.deleted_at is null order by e.last_name_sort, e.id limit 15`,
};

const [port, url] = [Number(process.argv[2]), process.argv[3]];
const pool = new pg.Pool({ ...keepText, connectionString: url, max: 10 });

const answers: Record<string, () => Promise<string>> = {
  '/one': async () => JSON.stringify((await pool.query({ name: 'one', text: 'select 1 as one' })).rows),
  '/rows': async () => JSON.stringify({ data: (await pool.query(rowsQuery)).rows }),
};

createServer((request, response) => {
  const answer = answers[request.url ?? ''];
  if (!answer) return void response.writeHead(404).end();
  void answer().then((body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body));
}).listen(port, '127.0.0.1', () => console.log('ready'));
