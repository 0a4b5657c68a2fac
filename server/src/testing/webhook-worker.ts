import { pino } from 'pino';
import { readConfig } from '../config.ts';
import type { KeyRing } from '../crypto/keys.ts';
import { connect } from '../db/connect.ts';
import { startSender } from '../features/webhooks/sending/sender.ts';
import type { Deps } from '../http/context.ts';
import { openDoor } from '../http-out/door.ts';
import { collectForWebhooks } from '../jobs/schedule.ts';
import { databaseNow } from '../jobs/task.ts';

/** Sends to webhooks until it is killed. Arguments: database, key and certificate. */
const [url = '', kid = '', secrets = '', ca = ''] = process.argv.slice(2);
const { db } = connect({ url, max: 5 });
const log = pino({ level: 'silent' });
const config = readConfig({ NODE_ENV: 'test', EGRESS_ALLOW: '127.0.0.1/32' });
const key = { kid, forPurpose: { secrets: Buffer.from(secrets, 'hex') } } as unknown as KeyRing['current'];
const door = openDoor({ config, log, ca, resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
// sending needs nothing else that a process holds
const metrics = { webhooksTried: () => undefined };
const deps = { config, db, log, door, metrics, ring: { current: key, all: [key] } } as unknown as Deps;
startSender(deps, {
  collect: async () => collectForWebhooks({ deps, now: await databaseNow(db) }),
  lookMs: 20,
  collectMs: 20,
});
