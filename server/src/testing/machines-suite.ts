import { describe, expect, onTestFinished, test } from 'vitest';
import { signIn } from './remote.ts';
import { admin } from './service-process.ts';
import { download, hireOn, openMachines, pdf, upload } from './machines.ts';

const long = 120_000;

/** Tests of services on several machines with one bucket; `address` returns the setting for a prefix of it. */
export function describeMachines(name: string, address: (prefix: string) => string): void {
  describe(`two machines with ${name}`, () => {
    test('give out the files that the other one took', { timeout: long }, async () => {
      const { start } = await openMachines(address('machines'), onTestFinished);
      const [one, two] = [await start('one'), await start('two')];
      const { client, path } = await hireOn(one);
      const { status, url } = await upload(client, path, 'Contract');
      expect(status).toBe(201);
      const there = await signIn(two.address, admin);
      const found = await download(two, there, url);
      expect([found.status, found.bytes.equals(pdf.content)]).toEqual([200, true]);
      expect((await upload(there, path, 'From there')).status).toBe(201);
    });

    test('but with different places are refused', { timeout: long }, async () => {
      const { start, spawn } = await openMachines(address('places/one'), onTestFinished);
      await start('one');
      for (const place of [address('places/two'), 'file:']) {
        const refused = await spawn('three', { STORAGE_URL: place });
        expect(await refused.ended).toBe(1);
        const [{ reason }] = refused.events('start_refused') as [{ reason: string }];
        expect(reason).toMatch(
          /^STORAGE_URL: the files of this database are in another store .* S3 or a shared folder\./,
        );
      }
    });
  });
}
