import { letterheadParts } from '../../pdf/letterhead.ts';
import type { Block, Sheet } from '../../pdf/sheet.ts';
import { isolated, pageFooter } from '../../pdf/wording.ts';
import type { LetterContent } from '../probation-reviews/letter-content.ts';
import { filled } from './placeholders.ts';
import type { Values } from './placeholders.ts';
import { recordOf } from './review-record.ts';
import { writerOf } from './writer.ts';
import type { Letter, Signed, Writer } from './writer.ts';

function valuesOf(content: LetterContent, { none, day, dayOf, months }: Writer): Values {
  return {
    employee_name: content.person_name,
    employee_number: content.person_number,
    job_title: content.job_title ?? none,
    department: content.department,
    company: content.company,
    company_address: content.company_address ?? none,
    probation_start_date: day(content.probation_start_date),
    probation_end_date: day(content.probation_end_date),
    new_probation_end_date: day(content.new_probation_end_date),
    extension_months: months(content.outcome_extension_months),
    effective_date: day(content.effective_date),
    decided_on: dayOf(content.decided_at),
    reviewer_name: content.reviewer_name ?? none,
    decided_by: content.decided_by_name ?? none,
    today: day(content.today),
  };
}

function signatureBlocks({ kind, signed }: Letter, { say, moment }: Writer): Block[] {
  const [valid, earlier] = [signed.filter((one) => !one.voided_at), signed.filter((one) => one.voided_at)];
  const said = (one: Signed) =>
    say('documents.signed', {
      role: say(`documents.roles.${one.role}`),
      at: moment(one.signed_at),
      round: one.round,
    });
  return [
    // a letter has a closing formula instead
    ...(kind === 'review_record' ? [{ kind: 'heading', text: say('documents.signatures') } as const] : []),
    ...valid.map((one): Block => ({
      kind: 'signature',
      mark: one.picture ?? one.typed_name ?? '',
      caption: isolated(one.signer_name),
      note: said(one),
    })),
    ...(earlier.length > 0 ? [{ kind: 'heading', text: say('documents.earlier') } as const] : []),
    ...earlier.map((one): Block => ({
      kind: 'note',
      text: say('documents.voided', {
        signed: said(one),
        name: isolated(one.signer_name),
        at: moment(one.voided_at ?? one.signed_at),
      }),
    })),
  ];
}

const head = ({ content }: Letter, { dayOf }: Writer): Block[] => [
  {
    kind: 'text',
    text: `${isolated(content.person_name)} (${content.person_number})\n${isolated(content.department)}`,
  },
  { kind: 'text', text: dayOf(content.decided_at) },
  { kind: 'gap' },
];

/** The document of a letter, from top to bottom. */
export function composeLetter(letter: Letter): Sheet {
  const { kind, language, content, letterhead, wording, address } = letter;
  const writer = writerOf(letter);
  const { say } = writer;
  const values = valuesOf(content, writer);
  const title = filled(wording.title, values);
  const isRecord = kind === 'review_record';
  const ofDecision = { ...letter, signed: letter.signed.filter((one) => !one.voided_at && one.role === 'hr') };
  return {
    title: title.replaceAll(/[\u2068\u2069]/g, ''),
    author: content.company,
    language,
    country: content.country,
    ...letterheadParts(letterhead),
    footer: pageFooter(writer, content.person_name),
    blocks: [
      ...(isRecord ? [] : head(letter, writer)),
      { kind: 'title', text: title },
      ...filled(wording.body, values)
        .split(/(?:\r?\n[ \t]*){2,}/)
        .map((text): Block => ({ kind: 'text', text })),
      ...(isRecord ? recordOf(content, writer) : [{ kind: 'gap' } as const]),
      ...signatureBlocks(isRecord ? letter : ofDecision, writer),
      {
        kind: 'note',
        text: say('documents.verify', { address, reference: content.reference }),
      },
    ],
  };
}
