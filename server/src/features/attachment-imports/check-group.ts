import { attachments, describeIssue, messages, text } from '@tenure/contract';
import type { Attachment } from '@tenure/contract';
import type { Actor } from '../../access/actor.ts';
import { sha256Hex } from '../../crypto/crypto.ts';
import { cut } from '@tenure/contract/cut';
import { filesPerEmployee } from '../../files/limits.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { hasInvalidCharacters, ofIssues } from '../../http/validation.ts';
import { keyOf } from '../../imports/record.ts';
import type { Outcome } from '../../imports/record.ts';
import type { Known } from './known.ts';
import type { Group, Line } from './lines.ts';

type Fields = Pick<Attachment, 'category' | 'title' | 'visibility'>;

/** What a commit writes for a row. */
export type Plan = { known: Known; fields: Fields };
export type Checked = Outcome & { plan: Plan | null };

const rules = attachments.create.body.shape;

/** Reads a field of a row like the form of a single file; undefined if it is empty. */
function readField(field: keyof Fields, { meanings }: Line, errors: FieldErrors): string | null | undefined {
  const written = meanings[field];
  if (written === undefined || written === null) return undefined;
  if (hasInvalidCharacters(written)) {
    errors[field] = [say(field, messages.characters)];
    return undefined;
  }
  const value = field === 'title' ? written : written.toLowerCase().replaceAll(/[\s-]+/g, '_');
  const read = rules[field].safeParse(value, { error: describeIssue });
  if (read.success) return read.data;
  errors[field] = ofIssues(
    field,
    read.error.issues.map(({ message }) => message),
  );
  return undefined;
}

const maxTitleLength = 150;

/** Category, title and visibility of a row, with their errors; the title defaults to the file name. */
function readFields(line: Line, errors: FieldErrors): Fields {
  const category = readField('category', line, errors);
  if (category === undefined) errors.category ??= [say('category', messages.required)];
  const title = readField('title', line, errors) ?? cut(line.file?.file_name ?? '', maxTitleLength);
  const visibility = readField('visibility', line, errors) ?? 'hr_only';
  return { category, title, visibility } as Fields;
}

const shown = ({ meanings }: Line, known?: Known) =>
  known ? `${known.person.employee_number} ${known.person.name}` : (meanings.employee_number ?? null);

function outcomeOf(line: Line, known: Known | undefined, found: Partial<Checked>): Checked {
  const errors = found.errors ?? {};
  const isFailed = Object.keys(errors).length > 0;
  return {
    row: line.row,
    status: isFailed ? 'failed' : 'valid',
    action: 'skip',
    key: keyOf(shown(line, known)),
    subject_id: known?.person.id ?? null,
    warnings: {},
    changes: null,
    digest: 'skip',
    plan: null,
    ...found,
    errors,
    ...(isFailed && { action: 'none' as const, digest: '', plan: null }),
  };
}

/** A skipped row has no effect. */
export const leftOutcome = (line: Line): Checked => outcomeOf(line, undefined, {});

const megabyte = 1_024 * 1_024;
const alreadyThere = { file: [text('attachment_imports.already_there')] };

/** The files that a person has after the previous rows. */
type Tally = { checksums: Set<string>; files: number; bytes: number };

/** The limits on a person's files, as for a single upload. */
function refuseTooMany({ files, bytes }: Tally, size: number): FieldErrors {
  if (files >= filesPerEmployee.files)
    return { file: [say('file', text('employees.too_many_files', { most: filesPerEmployee.files }))] };
  if (bytes + size > filesPerEmployee.bytes)
    return { file: [say('file', text('employees.files_too_large', { megabytes: filesPerEmployee.bytes / megabyte }))] };
  return {};
}

const isRight = (errors: FieldErrors) => Object.keys(errors).length === 0;

function checkLine(actor: Actor, line: Line, known: Known, tally: Tally): Checked {
  const { file } = line;
  const errors: FieldErrors = {};
  if (!known.sight.mayChange) errors.employee_number = [text('imports.row_not_permitted')];
  if (!file?.checksum) errors.file = [file?.refusal ?? text('imports.row_other_plan')];
  const fields = readFields(line, errors);
  if (fields.category === 'id_document' && !known.sight.identity)
    errors.category = [say('category', text('validation.not_permitted'))];
  if (!file?.checksum || !isRight(errors)) return outcomeOf(line, known, { errors });
  if (tally.checksums.has(file.checksum)) return outcomeOf(line, known, { warnings: alreadyThere });
  const refusal = refuseTooMany(tally, file.size);
  if (!isRight(refusal)) return outcomeOf(line, known, { errors: refusal });
  tally.checksums.add(file.checksum);
  tally.files += 1;
  tally.bytes += file.size;
  const effect = JSON.stringify([known.person.id, fields, file.checksum]);
  return outcomeOf(line, known, {
    action: 'create',
    digest: sha256Hex(effect).slice(0, 16),
    plan: { known, fields },
  });
}

/** Checks the rows of a person in order: each counts the rows before it towards the person's limits. */
export function checkGroup(actor: Actor, { number, lines }: Group, known: Known | undefined): Checked[] {
  if (!known) {
    const missing = say('employee_number', messages.required);
    const said = number === undefined ? missing : text('attachment_imports.no_person');
    return lines.map((line) => {
      const errors: FieldErrors = { employee_number: [said] };
      if (line.file?.refusal) errors.file = [line.file.refusal];
      readFields(line, errors);
      return outcomeOf(line, undefined, { errors });
    });
  }
  const tally = { checksums: new Set(known.checksums), files: known.files, bytes: known.bytes };
  return lines.map((line) => checkLine(actor, line, known, tally));
}
