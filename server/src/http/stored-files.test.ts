import { expect, test } from 'vitest';
import { sha256Hex } from '../crypto/crypto.ts';
import { talkativePicture } from '../testing/file-samples.ts';
import { startApp } from '../testing/app.ts';
import type { TestApp } from '../testing/app.ts';
import { kpiMaker } from '../testing/make-kpi.ts';

/** Uploaded pictures contain the place where they were taken; stored pictures do not. */

const app = await startApp();
const keeping = await startApp({ ATTACHMENT_METADATA: 'keep' });
const pictures = [
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
] as const;

async function attach({ as, make }: TestApp, name: string, content: Buffer) {
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  const person = await make.employee();
  const answer = await hr.upload(`/api/employees/${person.id}/attachments`, { name, content }, { category: 'other' });
  return { answer, read: () => hr.get(answer.body.data.download_url) };
}

const makers = new Map([app, keeping].map((tested) => [tested, kpiMaker(tested)]));
async function prove(tested: TestApp, name: string, content: Buffer) {
  const { as, make } = tested;
  const [person, boss] = [await make.employee(), await make.employee({ roles: ['TeamLead'] })];
  const evaluation = await (makers.get(tested) ?? kpiMaker(tested)).evaluation({
    employee: person,
    reviewer: boss,
    status: 'self_assessment',
  });
  const own = await as(person.user_id);
  const answer = await own.upload(`/api/kpi-evaluations/${evaluation.id}/evidence`, { name, content });
  return { answer, read: () => own.get(answer.body.data.download_url) };
}

test.each(pictures)('an attachment and evidence of type %s say nothing about themselves', async (extension, type) => {
  const sent = await talkativePicture(type, 6);
  expect(sent.toString('latin1')).toContain('Secret');
  for (const store of [attach, prove]) {
    const { answer, read } = await store(app, `site.${extension}`, sent);
    expect(answer.status).toBe(201);
    const { bytes } = await read();
    expect(bytes.toString('latin1')).not.toMatch(/Secret|GPS/);
    expect(answer.body.data.size).toBe(bytes.length);
    if ('checksum' in answer.body.data) expect(answer.body.data.checksum).toBe(sha256Hex(bytes));
    // an installation can keep them unchanged
    const kept = await store(keeping, `site.${extension}`, sent);
    expect((await kept.read()).bytes.equals(sent)).toBe(true);
  }
});

test.each(pictures)('a file that only begins like a %s is refused', async (extension, type) => {
  const whole = await talkativePicture(type, 1);
  const broken = Buffer.concat([whole.subarray(0, 40), Buffer.alloc(400, 'x')]);
  const { answer } = await attach(app, `site.${extension}`, broken);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['file']]);
});
