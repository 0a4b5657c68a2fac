import { describe, expect, test } from 'vitest';
import { rsaCertificate } from '../../testing/certificates.ts';
import { formats } from '../../testing/saml-provider.ts';
import type { Asked, Bends } from '../../testing/saml-provider.ts';
import { startSaml } from '../../testing/saml-sign-on.ts';

/** Responses that are not the provider's current one to this request. docs/identity.md lists the reasons. */

const { as, make, owner, app, idp, addProvider, begin, deliver, end, come, reasons } = await startSaml();
const acme = await make.entity();
const id = await addProvider({ entity_ids: [acme.id] });

/** The account that an attacker wants; the provider calls its person `victim`. */
const victim = await make.employee({ entity_id: acme.id });
await owner.query(
  "insert into user_identities (user_id, provider_id, subject, linked_by) values ($1, $2, 'victim', 'hr')",
  [victim.user_id, id],
);
const sessions = async () =>
  (await owner.query('select from session_register where user_id = $1', [victim.user_id])).rowCount;
const kept = async () => (await owner.query('select from saml_requests where handoff_hash is not null')).rowCount;

type Make = Bends | ((asked: Asked) => string);

/** Delivers a response to a separate request; it must be refused without effect. Returns the reason. */
async function refusal(how: Make, subject = 'attacker'): Promise<string | null> {
  const [before, answers] = [await sessions(), await kept()];
  const browser = await as();
  const asked = await begin(browser, id);
  const xml = typeof how === 'function' ? how(asked) : idp.answer(asked, subject, how);
  const { status, location, setCookies } = await deliver(id, xml);
  expect([status, location.searchParams.get('handoff'), setCookies]).toEqual([303, null, undefined]);
  const ended = await end(browser, id, location);
  expect([ended.status, Object.keys(ended.body.errors as object)]).toEqual([422, ['sso']]);
  expect([await sessions(), await kept()]).toEqual([before, answers]);
  const reason = location.searchParams.get('error');
  expect(reasons().at(-1)).toBe(reason);
  expect(ended.body.message).toContain(`(${reason})`);
  return reason;
}

test('the answer that the others are made of is accepted, which shows that they are refused for their faults', async () => {
  const { status, browser } = await come('victim', id);
  expect([status, (await browser.get('/api/me')).body.data.user.id]).toEqual([200, victim.user_id]);
});

const between = (xml: string, open: RegExp, close: string) => {
  const start = xml.search(open);
  return xml.slice(start, xml.indexOf(close, start) + close.length);
};
const parts = (xml: string, ids: { response: string; assertion: string }) => {
  const assertion = between(xml, /<saml:Assertion/, '</saml:Assertion>');
  const ofAssertion = between(assertion, /<ds:Signature /, '</ds:Signature>');
  const ofResponse = between(xml.replace(assertion, ''), /<ds:Signature /, '</ds:Signature>');
  const bare = assertion.replace(ofAssertion, '');
  const evil = bare.replace(ids.assertion, '_evil').replace('attacker', 'victim');
  return { assertion, ofAssertion, ofResponse, bare, evil };
};
/** The document with another person's assertion in place of the signed one. */
const swapped = (xml: string, { assertion, evil }: ReturnType<typeof parts>) => xml.replace(assertion, evil);
const evilRoot = (xml: string, ids: { response: string }) => xml.replace(`ID="${ids.response}"`, 'ID="_evilroot"');
const inObject = (signature: string, content: string) =>
  signature.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`);

describe('N10: content outside the signature', () => {
  const wrappings: [string, NonNullable<Bends['bend']>][] = [
    [
      '1: the signed response inside the signature of another one',
      (xml, ids) => {
        const found = parts(xml, ids);
        const inside = xml.replace(found.ofResponse, '');
        return evilRoot(swapped(xml, found), ids).replace(found.ofResponse, inObject(found.ofResponse, inside));
      },
    ],
    [
      '2: the signed response beside its signature in another one',
      (xml, ids) => {
        const found = parts(xml, ids);
        const inside = xml.replace(found.ofResponse, '');
        return evilRoot(swapped(xml, found), ids).replace(found.ofResponse, `${inside}${found.ofResponse}`);
      },
    ],
    [
      '3: another assertion before the signed one',
      (xml, ids) => {
        const { assertion, evil } = parts(xml, ids);
        return xml.replace(assertion, `${evil}${assertion}`);
      },
    ],
    [
      '4: the signed assertion inside another one',
      (xml, ids) => {
        const { assertion, evil } = parts(xml, ids);
        return xml.replace(assertion, evil.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`));
      },
    ],
    [
      '5: another assertion with the signature, the signed one moved to the end',
      (xml, ids) => {
        const { assertion, ofAssertion, bare, evil } = parts(xml, ids);
        const holder = evil.replace('</saml:Issuer>', `</saml:Issuer>${ofAssertion}`);
        return xml.replace(assertion, holder).replace('</samlp:Response>', `${bare}</samlp:Response>`);
      },
    ],
    [
      '6: another assertion with the signature, the signed one inside it',
      (xml, ids) => {
        const { assertion, ofAssertion, bare, evil } = parts(xml, ids);
        return xml.replace(assertion, evil.replace('</saml:Issuer>', `</saml:Issuer>${inObject(ofAssertion, bare)}`));
      },
    ],
    [
      '7: another assertion in extensions',
      (xml, ids) => {
        const { evil } = parts(xml, ids);
        return xml.replace('<samlp:Status>', `<samlp:Extensions>${evil}</samlp:Extensions><samlp:Status>`);
      },
    ],
    [
      '8: another assertion in the object of a signature',
      (xml, ids) => {
        const { ofAssertion, evil } = parts(xml, ids);
        return xml.replace(ofAssertion, inObject(ofAssertion, evil));
      },
    ],
    [
      'the same id twice',
      (xml, ids) => {
        const { assertion, evil } = parts(xml, ids);
        return xml.replace(assertion, `${evil.replace('_evil', ids.assertion)}${assertion}`);
      },
    ],
    [
      'two lists of what is signed',
      (xml) => {
        const info = between(xml, /<ds:SignedInfo/, '</ds:SignedInfo>');
        return xml.replace(info, `${info}${info.replace(/<ds:DigestValue>[^<]*/, '<ds:DigestValue>AAAA')}`);
      },
    ],
    ['a signature of another element', (xml, ids) => xml.replace(`URI="#${ids.response}"`, `URI="#${ids.assertion}"`)],
    ['a signature of the whole document', (xml, ids) => xml.replace(`URI="#${ids.response}"`, 'URI=""')],
    [
      'a transform that takes something away',
      (xml) =>
        xml.replace(
          'Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"',
          'Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"',
        ),
    ],
  ];
  test.each(wrappings)('%s', async (_what, bend) => {
    expect(await refusal({ bend })).toBe('shape');
  });

  test('a comment in a name id, which signatures do not cover', async () => {
    const bend = (xml: string) => xml.replace('victim.attacker', 'victim<!-- -->.attacker');
    expect(await refusal({ bend }, 'victim.attacker')).toBe('xml');
  });

  test('a comment in a digest', async () => {
    const bend = (xml: string) => xml.replace('<ds:DigestValue>', '<ds:DigestValue><!--AAAA-->');
    expect(await refusal({ bend })).toBe('xml');
  });

  test.each([
    ['the name id', (xml: string) => xml.replace('>attacker<', '>victim<')],
    ['the status line', (xml: string) => xml.replace('Destination=', 'Consent="x" Destination=')],
    ['the way to sign in', (xml: string) => xml.replace('PasswordProtectedTransport', 'MobileTwoFactorContract')],
  ])('%s changed after it was signed', async (_what, bend) => {
    expect(await refusal({ bend })).toBe('signature');
  });
});

describe('N11: a status other than success', () => {
  test.each(['Responder', 'Requester', 'AuthnFailed', 'success', ''])(
    '%s, signed, with an assertion',
    async (status) => {
      expect(await refusal({ say: { status } }, 'victim')).toBe('status');
    },
  );

  test('with success inside', async () => {
    const inner = '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/>';
    const response = (xml: string) =>
      xml.replace(/<samlp:StatusCode[^>]*Responder"\/>/, (code) => code.replace('/>', `>${inner}</samlp:StatusCode>`));
    expect(await refusal({ say: { status: 'Responder' }, response }, 'victim')).toBe('status');
  });

  test('beside success', async () => {
    const response = (xml: string) =>
      xml.replace('</samlp:Status>', '</samlp:Status><samlp:Status><samlp:StatusCode Value="x"/></samlp:Status>');
    expect(await refusal({ response }, 'victim')).toBe('status');
  });

  test('without an assertion, as providers send it', async () => {
    const bends: Bends = { say: { status: 'Responder' }, sign: ['response'], assertion: () => '' };
    expect(await refusal(bends)).toBe('status');
  });
});

describe('N12: an answer that was not given to this service, now, about this request', () => {
  const [foreign, weak] = [rsaCertificate(), rsaCertificate()];
  const qualified = (qualifier: string) => (xml: string) =>
    xml.replace('<saml:NameID ', `<saml:NameID NameQualifier="${qualifier}" SPNameQualifier="any" `);
  const cases: [string, Bends, string][] = [
    ['not signed', { sign: [] }, 'unsigned'],
    ['with a signed response only', { sign: ['response'] }, 'unsigned'],
    ['with a signed assertion only', { sign: ['assertion'] }, 'unsigned'],
    ['signed with a key that came with it', { by: foreign }, 'signature'],
    ['signed with RSA-SHA1', { algorithm: 'sha1' }, 'algorithm'],
    ['that answers nothing', { say: { inResponseTo: null } }, 'in_response_to'],
    ['that answers an unknown request', { say: { inResponseTo: '_unknown' } }, 'in_response_to'],
    ['whose assertion answers nothing', { say: { subjectInResponseTo: null } }, 'in_response_to'],
    ['whose assertion answers another request', { say: { subjectInResponseTo: '_other' } }, 'in_response_to'],
    ['for another service', { say: { audience: 'https://other.example' } }, 'audience'],
    [
      'for no one',
      { assertion: (xml) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') },
      'audience',
    ],
    ['to another recipient', { say: { recipient: 'https://other.example/acs' } }, 'recipient'],
    ['to another destination', { say: { destination: 'https://other.example/acs' } }, 'destination'],
    ['of another provider', { say: { issuer: 'https://other.example' } }, 'issuer'],
    ['that ended', { say: { from: -400, until: -61 } }, 'expired'],
    ['whose confirmation ended', { say: { confirmUntil: -61 } }, 'expired'],
    ['of a time to come', { say: { from: 120, until: 400 } }, 'not_yet'],
    [
      'without an end',
      { assertion: (xml) => xml.replace(/(<saml:Conditions[^>]*) NotOnOrAfter="[^"]*"/, '$1') },
      'time',
    ],
    ['of a holder of a key', { assertion: (xml) => xml.replace(':cm:bearer', ':cm:holder-of-key') }, 'bearer'],
    ['with a transient name id', { say: { format: formats.transient } }, 'name_id_format'],
    ['with a name id of another provider', { assertion: qualified('https://upstream.test') }, 'name_id_qualifier'],
    ['with an address as name id', { say: { format: formats.address } }, 'name_id_format'],
  ];
  test.each(cases.slice(0, -3))('%s', async (_what, bends, reason) => {
    expect(await refusal(bends, 'victim')).toBe(reason);
  });

  test.each(cases.slice(-3))('%s is no subject', async (_what, bends, reason) => {
    const { status, body } = await come('victim', id, { bends });
    expect([status, reasons().at(-1)]).toEqual([422, reason]);
    expect(body.message).toContain(`(${reason})`);
  });

  test('with clocks that differ by less than a minute is accepted', async () => {
    for (const say of [
      { from: 50, until: 300 },
      { from: -300, until: -50, confirmUntil: -50 },
    ])
      expect((await come('victim', id, { bends: { say } })).status).toBe(200);
  });

  test.each([idp.issuer, ''])('with a name id that is qualified by "%s" is accepted', async (qualifier) => {
    expect((await come('victim', id, { bends: { assertion: qualified(qualifier) } })).status).toBe(200);
  });

  test('signed with RSA-SHA512 is accepted', async () => {
    expect((await come('victim', id, { bends: { algorithm: 'sha512' } })).status).toBe(200);
  });

  test('of a request to another provider', async () => {
    const other = await addProvider();
    const asked = await begin(await as(), other);
    expect(await refusal((own) => idp.answer({ ...own, id: asked.id }, 'victim'))).toBe('in_response_to');
  });

  test('signed by another provider of this service', async () => {
    const other = await addProvider({ metadata_xml: idp.metadata([weak.cert], { issuer: 'https://second.test' }) });
    expect(other).not.toBe(id);
    expect(await refusal({ by: weak }, 'victim')).toBe('signature');
  });

  test.each([
    ['a document type', '<!DOCTYPE samlp:Response>'],
    ['an entity', '<!DOCTYPE x [<!ENTITY who "victim">]>'],
    ['an external entity', '<!DOCTYPE x [<!ENTITY who SYSTEM "file:///etc/passwd">]>'],
    ['an instruction', '<?xml-stylesheet href="https://evil.test"?>'],
  ])('with %s', async (_what, head) => {
    const make = (asked: Asked) => `${head}${idp.answer(asked, 'victim')}`;
    expect(await refusal(make)).toBe('xml');
    const entity = (asked: Asked) => `${head}${idp.answer(asked, 'victim').replace('>victim<', '>&who;<')}`;
    expect(await refusal(entity)).toBe('xml');
  });

  test.each([
    ['nothing', ''],
    ['no XML', 'x'],
    ['half a document', '<a>'],
    ['another document', '<a/>'],
    ['a deep document', '<a>'.repeat(5_000)],
  ])('of %s', async (_what, xml) => {
    expect(['xml', 'status', 'shape']).toContain(await refusal(() => xml));
  });

  test.each([
    ['many elements', '<saml:AttributeValue>g</saml:AttributeValue>'.repeat(500)],
    [
      'many attributes',
      `<saml:AttributeValue ${Array.from({ length: 25 }, (_, n) => `a${n}="x"`).join(' ')}/>`.repeat(90),
    ],
    ['many namespaces', `<a ${Array.from({ length: 40 }, (_, n) => `xmlns:n${n}="x"`).join(' ')}/>`],
  ])('with %s, whose signatures would take long to check', async (_what, content) => {
    const fill = (xml: string) =>
      xml.replace('</saml:Assertion>', `<saml:Advice>${content}</saml:Advice></saml:Assertion>`);
    expect(await refusal({ assertion: fill }, 'victim')).toBe('xml');
  });

  test('of a megabyte is not read', async () => {
    const post = async (size: number) =>
      app.inject({
        method: 'POST',
        url: `/sso/${id}/acs`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: `SAMLResponse=${'A'.repeat(size)}`,
      });
    expect((await post(1_048_576)).statusCode).toBe(413);
    expect((await post(262_144)).statusCode).toBe(413);
    expect((await post(262_000)).statusCode).toBe(303);
  });
});

describe('a replay', () => {
  test('of an answer is refused, before and after it was used', async () => {
    const browser = await as();
    const asked = await begin(browser, id);
    const xml = idp.answer(asked, 'victim');
    const first = await deliver(id, xml);
    const second = await deliver(id, xml);
    expect(second.location.searchParams.get('error')).toBe('in_response_to');
    expect((await end(browser, id, first.location)).status).toBe(200);
    expect((await deliver(id, xml)).location.searchParams.get('error')).toBe('in_response_to');
    expect((await end(browser, id, first.location)).status).toBe(422);
  });

  test('of an answer twenty times at once gives one handoff', async () => {
    const asked = await begin(await as(), id);
    const xml = idp.answer(asked, 'victim');
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(id, xml)));
    expect(answers.filter(({ location }) => location.searchParams.has('handoff'))).toHaveLength(1);
  });

  test('of a handoff twenty times at once gives one session', async () => {
    const browser = await as();
    const asked = await begin(browser, id);
    const { location } = await deliver(id, idp.answer(asked, 'victim'));
    const cookies = new Map(browser.cookies);
    const browsers = await Promise.all(Array.from({ length: 20 }, () => as()));
    const ends = browsers.map((one) => {
      for (const [name, value] of cookies) one.cookies.set(name, value);
      return end(one, id, location);
    });
    expect((await Promise.all(ends)).filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('of a handoff in another browser opens nothing, and leaves it to its own', async () => {
    const [own, other] = [await as(), await as()];
    const asked = await begin(own, id);
    await begin(other, id);
    const { location } = await deliver(id, idp.answer(asked, 'victim'));
    for (const browser of [other, await as()]) expect((await end(browser, id, location)).status).toBe(422);
    expect((await end(own, id, location)).status).toBe(200);
  });

  test('of a handoff after a minute opens nothing', async () => {
    const browser = await as();
    const { location } = await deliver(id, idp.answer(await begin(browser, id), 'victim'));
    await owner.query("update saml_requests set expires_at = now() - interval '1 second'");
    expect((await end(browser, id, location)).status).toBe(422);
  });

  test('of an answer after ten minutes is refused', async () => {
    const asked = await begin(await as(), id);
    await owner.query("update saml_requests set expires_at = now() - interval '1 second'");
    const { location } = await deliver(id, idp.answer(asked, 'victim'));
    expect(location.searchParams.get('error')).toBe('in_response_to');
  });
});

test('what was said is sealed while it is kept', async () => {
  const asked = await begin(await as(), id);
  await deliver(id, idp.answer(asked, 'victim'));
  const { rows } = await owner.query('select * from saml_requests where answer is not null order by id desc limit 1');
  expect(JSON.stringify(rows)).not.toContain('victim');
  expect(rows[0].answer).toMatch(/^1\.[0-9a-f]{12}\./);
});
