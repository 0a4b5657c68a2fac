import type { EvaluationItem, Evidence, KpiEvaluation, ScoreExplanation } from '@tenure/contract';
import type { Letterhead } from '../../brand/read.ts';
import type { LanguageId } from '../../languages/catalogue.ts';
import type { Issuer } from '../../pdf/issuer.ts';
import { letterheadParts } from '../../pdf/letterhead.ts';
import type { Block, Sheet } from '../../pdf/sheet.ts';
import { descriptionsOf, isolated, pageFooter } from '../../pdf/wording.ts';
import type { Words } from '../../pdf/wording.ts';
import { measuredRows } from './pdf-measured.ts';

type Printed = {
  evaluation: KpiEvaluation;
  evidence: readonly Evidence[];
  issuer: Issuer;
  letterhead: Letterhead;
  language: LanguageId;
  words: Words;
  reader: string;
};

type Rows = (readonly [label: string, value: string | null])[];

const twoDecimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
const percentage = { style: 'percent', maximumFractionDigits: 2 } as const;

/** The part of the cycle that the evaluation covers, and the person's result. */
function parts({
  evaluation: { part, whole },
  words: { say, day, number },
}: Pick<Printed, 'evaluation' | 'words'>): Rows {
  if (!part || !whole) return [];
  const { number: place, from, until, days } = part;
  const { overall_percentage: result, band_name: band } = whole;
  return [
    [say('evaluation_pdf.part'), say('evaluation_pdf.part_is', { place, from: day(from), until: day(until), days })],
    [
      say('evaluation_pdf.whole'),
      result === null
        ? null
        : say('evaluation_pdf.whole_is', { percentage: number(result / 100, percentage), band: isolated(band ?? '') }),
    ],
  ];
}

/** How and when the employee answered; what others recorded comes below. */
function answer({ evaluation, words: { say, dayOf } }: Pick<Printed, 'evaluation' | 'words'>): string | null {
  const { acceptance_mode: mode, responded_at: at, answer_recorded_by: by } = evaluation;
  if (mode === 'deemed_hr' || mode === 'deemed_job') return say('evaluation_pdf.answers.deemed');
  if (at === null || by !== null) return null;
  return say(mode === 'employee' ? 'evaluation_pdf.answers.accepted' : 'evaluation_pdf.answers.disputed', {
    day: dayOf(at),
  });
}

const frame = ({ evaluation, words }: Printed): Rows => [
  [words.say('documents.employee'), `${isolated(evaluation.employee.name)} (${evaluation.employee.employee_number})`],
  [words.say('documents.job_title'), evaluation.job_title],
  [words.say('documents.department'), evaluation.department.name],
  [words.say('evaluation_pdf.cycle'), evaluation.cycle.name],
  ...parts({ evaluation, words }),
  [words.say('evaluation_pdf.template'), evaluation.template_name],
  [words.say('documents.reviewer'), evaluation.reviewer?.name ?? words.none],
  [words.say('evaluation_pdf.status'), words.say(`evaluation_pdf.statuses.${evaluation.status}`)],
  [words.say('evaluation_pdf.answered'), answer({ evaluation, words })],
];

/** A score with its share of the maximum, and its band if there is one. */
function figure({ evaluation, words: { say, number } }: Printed, explained: ScoreExplanation | undefined) {
  if (!explained || explained.score === null || explained.percentage === null) return null;
  const figures = {
    score: number(explained.score, twoDecimals),
    highest: number(evaluation.scale_max),
    percentage: number(explained.percentage / 100, percentage),
  };
  return explained.band_is === null
    ? say('evaluation_pdf.score_is', figures)
    : say('evaluation_pdf.result_is', { ...figures, band: explained.band_is.name });
}

/** The result first; a side in progress is not a result. */
function result(printed: Printed): Block[] {
  const { evaluation, words } = printed;
  const { say } = words;
  const { overall_score: score, performance_flag: flag, explain } = evaluation;
  const isReached = score !== undefined && score !== null;
  return [
    { kind: 'heading', text: say('evaluation_pdf.result') },
    ...(isReached ? [] : [{ kind: 'text', text: say('evaluation_pdf.no_result') } as const]),
    descriptionsOf([
      [say('evaluation_pdf.result'), isReached ? figure(printed, explain.result) : null],
      [say('evaluation_pdf.flag'), flag ? say(`evaluation_pdf.flags.${flag}`) : null],
      [say('evaluation_pdf.flag_reason'), evaluation.flag_reason ?? null],
      [say('evaluation_pdf.self_result'), figure(printed, explain.self)],
    ]),
  ];
}

/** The score columns that the reader sees. */
function scores({ evaluation, words: { say, none, number } }: Printed): Block {
  const { items } = evaluation;
  const sides = (['self', 'manager', 'final'] as const).filter((side) =>
    items.some((item) => item[`${side}_score`] !== undefined),
  );
  const given = (item: EvaluationItem, side: (typeof sides)[number]) => {
    const score = item[`${side}_score`];
    if (score === null || score === undefined) return none;
    const word = evaluation.scale_words?.[score - evaluation.scale_min];
    return word ? `${number(score)} – ${isolated(word)}` : number(score);
  };
  return {
    kind: 'table',
    // the word next to a score needs room
    shares: evaluation.scale_words ? [4, 1.6, ...sides.map(() => 2.8)] : [6, 1.6, ...sides.map(() => 1.8)],
    head: [
      say('evaluation_pdf.item'),
      say('evaluation_pdf.weight'),
      ...sides.map((side) => say(`evaluation_pdf.${side}`)),
    ],
    rows: items.map((item) => [
      isolated(item.name),
      number(item.weight / 100, percentage),
      ...(item.not_applicable
        ? sides.map((_, index) => (index === 0 ? say('evaluation_pdf.not_applicable') : none))
        : sides.map((side) => given(item, side))),
    ]),
  };
}

const evidenceNames = (pieces: readonly Evidence[]) =>
  pieces
    .map(({ file_name, url, note }) => [file_name ?? url, note].filter((part) => part !== null).join(': '))
    .join('\n');

/** The description of a measured item, the comments of both sides on each item, and their evidence. */
const comments = ({ evaluation, evidence, words }: Printed): Block[] =>
  evaluation.items.flatMap((item) => {
    const { say } = words;
    const said = descriptionsOf([
      ...measuredRows(item, evaluation, words),
      [say('evaluation_pdf.self_comment'), item.self_comment ?? null],
      [say('evaluation_pdf.manager_comment'), item.manager_comment ?? null],
      [say('evaluation_pdf.final_note'), item.final_note ?? null],
      [say('evaluation_pdf.evidence'), evidenceNames(evidence.filter(({ item_id }) => item_id === item.id))],
    ]);
    return said.kind === 'descriptions' && said.rows.length > 0
      ? [{ kind: 'heading', text: item.name } as const, said]
      : [];
  });

function overall({ evaluation, evidence, words: { say } }: Printed): Block[] {
  const said = descriptionsOf([
    [say('evaluation_pdf.self_comment'), evaluation.self_comment ?? null],
    [say('evaluation_pdf.manager_comment'), evaluation.manager_comment ?? null],
    [say('documents.strengths'), evaluation.strengths ?? null],
    [say('documents.improvements'), evaluation.improvements ?? null],
    [say('evaluation_pdf.hr_comment'), evaluation.hr_comment ?? null],
    [say('evaluation_pdf.evidence'), evidenceNames(evidence.filter(({ item_id }) => item_id === null))],
  ]);
  const disputed = descriptionsOf([
    [say('evaluation_pdf.dispute_reason'), evaluation.dispute_reason],
    [say('evaluation_pdf.dispute_resolution'), evaluation.dispute_resolution],
  ]);
  const under = (heading: string, block: Block): Block[] =>
    block.kind === 'descriptions' && block.rows.length > 0 ? [{ kind: 'heading', text: heading }, block] : [];
  return [...under(say('evaluation_pdf.comments'), said), ...under(say('evaluation_pdf.dispute'), disputed)];
}

/** Lines for an employee without a sign-in to answer by hand. */
function answerByHand({ evaluation, words: { say, day } }: Printed): Block[] {
  const { person_signs_in, status, talked_on, answer_recorded_by: by } = evaluation;
  if (talked_on !== null && by !== null)
    return [{ kind: 'text', text: say('evaluation_pdf.recorded', { name: isolated(by.name), day: day(talked_on) }) }];
  if (person_signs_in || status !== 'pending_acceptance') return [];
  const line = '_'.repeat(34);
  return [
    { kind: 'heading', text: say('evaluation_pdf.answer') },
    { kind: 'text', text: say('evaluation_pdf.answer_choice') },
    descriptionsOf([
      [say('evaluation_pdf.talk_on'), line],
      [say('evaluation_pdf.signature_employee'), line],
      [say('evaluation_pdf.signature_reviewer'), line],
    ]),
  ];
}

/** True while a side in progress is part of the document: the reader is its author. */
const isDraft = ({ status, self_comment: own, manager_comment: review }: KpiEvaluation) =>
  (status === 'self_assessment' && own !== undefined) || (status === 'manager_review' && review !== undefined);

/** The document of an evaluation, from top to bottom, with the fields that its reader sees. */
export function composeEvaluation(printed: Printed): Sheet {
  const { evaluation, issuer, letterhead, language, words, reader } = printed;
  const { say, moment } = words;
  const title = say('evaluation_pdf.title');
  return {
    title,
    author: issuer.company,
    language,
    country: issuer.country,
    ...letterheadParts(letterhead),
    footer: pageFooter(words, `${title}, ${evaluation.employee.name}`),
    blocks: [
      { kind: 'title', text: title },
      ...(isDraft(evaluation) ? [{ kind: 'text', text: say('evaluation_pdf.draft') } as const] : []),
      descriptionsOf(frame(printed)),
      ...result(printed),
      { kind: 'heading', text: say('evaluation_pdf.items') },
      scores(printed),
      ...comments(printed),
      ...overall(printed),
      ...answerByHand(printed),
      { kind: 'note', text: say('evaluation_pdf.printed', { name: isolated(reader), at: moment(issuer.now) }) },
    ],
  };
}
