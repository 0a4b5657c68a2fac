import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Asked, Bends } from '../../testing/saml-provider.ts';
import { startSaml } from '../../testing/saml-sign-on.ts';

/** Documents signed by their provider that lack required parts of a response or contain forbidden ones. */

const { as, make, owner, app, idp, addProvider, begin, deliver, end, come, reasons } = await startSaml();
const id = await addProvider();
const person = await make.employee();
await owner.query(
  "insert into user_identities (user_id, provider_id, subject, linked_by) values ($1, $2, 'known', 'hr')",
  [person.user_id, id],
);
const opened = async () =>
  (
    await owner.query(
      `select (select count(*) from session_register where user_id = $1) as sessions,
              (select count(*) from saml_requests where handoff_hash is not null) as answers`,
      [person.user_id],
    )
  ).rows[0] as unknown;

test('the document that the others are made of is accepted', async () => {
  expect((await come('known', id)).status).toBe(200);
});

const head = (xml: string, content: string) =>
  xml.replace('<samlp:Status>', `<samlp:Extensions>${content}</samlp:Extensions><samlp:Status>`);
const ofSubject = /<saml:Subject>.*<\/saml:Subject>/;
const emptySignature = '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>';
const assertionId = (xml: string) => /<saml:Assertion[^>]* ID="([^"]+)"/.exec(xml)?.[1];

const documents: [string, string, Bends][] = [
  ['of another version', 'shape', { response: (xml) => xml.replace('Version="2.0"', 'Version="1.1"') }],
  ['with an encrypted assertion', 'encrypted', { response: (xml) => head(xml, '<saml:EncryptedAssertion/>') }],
  ['with an encrypted id', 'encrypted', { response: (xml) => head(xml, '<saml:EncryptedID/>') }],
  ['with a response inside', 'shape', { response: (xml) => head(xml, '<samlp:Response/>') }],
  ['with a status in another place', 'shape', { response: (xml) => head(xml, '<samlp:Status/>') }],
  ...['ID', 'Id', 'id'].map((name): [string, string, Bends] => [
    `with the id of its assertion in another place, as ${name}`,
    'shape',
    { response: (xml) => head(xml, `<samlp:Other ${name}="${assertionId(xml)}"/>`) },
  ]),
  ['with a third signature', 'shape', { response: (xml) => head(xml, emptySignature) }],
  [
    'with a signature of two things',
    'shape',
    { bend: (xml) => xml.replace(/<ds:Reference .*?<\/ds:Reference>/, (reference) => `${reference}${reference}`) },
  ],
  [
    'with a signature that says more of what it signs',
    'shape',
    { bend: (xml) => xml.replace('</ds:Reference>', '<ds:Other/></ds:Reference>') },
  ],
  ['without conditions', 'time', { assertion: (xml) => xml.replace(/<saml:Conditions.*<\/saml:Conditions>/, '') }],
  [
    'without what confirms its subject',
    'bearer',
    { assertion: (xml) => xml.replace(/<saml:SubjectConfirmationData[^>]*\/>/, '') },
  ],
  [
    'with two of what confirms its subject',
    'bearer',
    { assertion: (xml) => xml.replace(/<saml:SubjectConfirmationData[^>]*\/>/, (data) => `${data}${data}`) },
  ],
  [
    'that was issued in a time to come',
    'not_yet',
    { response: (xml) => xml.replace(/IssueInstant="[^"]*"/, 'IssueInstant="2999-01-31T00:00:00Z"') },
  ],
  [
    'that was issued at no time',
    'not_yet',
    { response: (xml) => xml.replace(/IssueInstant="[^"]*"/, 'IssueInstant="today"') },
  ],
  ['without a subject', 'subject', { assertion: (xml) => xml.replace(ofSubject, '') }],
  [
    'with two subjects',
    'subject',
    { assertion: (xml) => xml.replace(ofSubject, (subject) => `${subject}${subject.replace('>known<', '>other<')}`) },
  ],
  [
    'without a sign-in',
    'subject',
    { assertion: (xml) => xml.replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, '') },
  ],
];

/** Delivers a document that is refused without effect. Returns the reason, from the log and the page's URL. */
async function refusal(bring: (asked: Asked) => Promise<URL>): Promise<string | null> {
  const browser = await as();
  const asked = await begin(browser, id);
  const before = await opened();
  const location = await bring(asked);
  const reason = location.searchParams.get('error');
  expect([location.searchParams.get('handoff'), reasons().at(-1)]).toEqual([null, reason]);
  const ended = await end(browser, id, location);
  expect([ended.status, Object.keys(ended.body.errors as object)]).toEqual([422, ['sso']]);
  expect(ended.body.message).toContain(`(${reason})`);
  expect(await opened()).toEqual(before);
  return reason;
}

test.each(documents)('a document %s is refused: %s', async (_what, reason, bends) => {
  const bring = async (asked: Asked) => (await deliver(id, idp.answer(asked, 'known', bends))).location;
  expect(await refusal(bring)).toBe(reason);
});

const fields: [string, string, string][] = [
  ['no Base64', 'xml', '<samlp:Response/>'],
  ['half of Base64', 'xml', 'PHg==='],
  ['of another encoding than UTF-8', 'xml', Buffer.from([0x3c, 0xe9, 0x2f, 0x3e]).toString('base64')],
  ['larger than the request may say it is', 'too_large', 'A'.repeat(262_145)],
];
test.each(fields)('a field that is %s is refused: %s', async (_what, reason, field) => {
  const bring = async () => {
    const { headers } = await app.inject({
      method: 'POST',
      url: `/sso/${id}/acs`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      // without its length
      payload: Readable.from([new URLSearchParams({ SAMLResponse: field }).toString()]),
    });
    return new URL(headers.location as string);
  };
  expect(await refusal(bring)).toBe(reason);
});
