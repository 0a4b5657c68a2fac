import bidiFactory from 'bidi-js';
import type { Bidi } from 'bidi-js';
import LineBreaker from 'linebreak';
import type { Face, FaceOf } from './faces.ts';

/**
 * Breaks text into lines of a given width: faces by character, breaks by UAX 14, order by UAX 9. The font engine shapes
 * each piece.
 */

// its types declare a `default` that Node already unwraps
const bidi = (bidiFactory as unknown as () => Bidi)();

/** Text with one face and one direction, without spaces unless it is a single space. */
export type Piece = { text: string; face: Face; width: number };
/** Pieces in visual order from left to right. */
export type Line = { pieces: Piece[]; width: number; isRightToLeft: boolean };

export type Setting = { faceOf: FaceOf; measure: (face: Face, text: string) => number; width: number };

type Run = { from: number; to: number; face: Face; level: number };
type Text = { text: string; levels: Uint8Array; base: number; setting: Setting };

/** Invisible characters that control the direction, or only say where a line may break. */
const isSteering = (character: string) =>
  /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/.test(character);
// the font engine cannot read a space that is the last glyph of a font
const otherSpaces = /[\u2000-\u2006\u2008-\u200a\u205f]/g;
const isSpace = (character: string) => /\s/.test(character);
// scripts that the font engine reverses itself
const turnedByFont = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Runs of one face and level; a space is a separate run, so that every word is shaped on its own. */
function runsOf({ text, levels, setting }: Text, from: number, to: number): Run[] {
  const runs: Run[] = [];
  let at = from;
  for (const character of text.slice(from, to)) {
    const end = at + character.length;
    const level = levels[at] ?? 0;
    if (!isSteering(character)) {
      const last = runs.at(-1);
      const face = setting.faceOf(character.codePointAt(0) ?? 0);
      const goesOn = last && last.to === at && last.face.name === face.name && last.level === level;
      if (goesOn && !isSpace(character) && !isSpace(text.slice(last.from, last.to))) last.to = end;
      else runs.push({ from: at, to: end, face, level });
    }
    at = end;
  }
  return runs;
}

/** The text to draw for a run so that the font engine shows it in the direction of its level. */
function shownText(text: string, level: number): string {
  const goesLeft = level % 2 === 1;
  const shown = Array.from(text, (one) => (goesLeft && bidi.getMirroredCharacter(one)) || one);
  return (turnedByFont.test(text) === goesLeft ? shown : shown.reverse()).join('');
}

function pieceOf({ text, setting }: Text, { from, to, face, level }: Run): Piece {
  const shown = shownText(text.slice(from, to), level);
  return { text: shown, face, width: setting.measure(face, shown) };
}

const widthOf = (pieces: readonly Piece[]) => pieces.reduce((sum, { width }) => sum + width, 0);

/** Rule L2: reverses runs from the highest level down. */
function inOrder(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end += 1;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = Math.max(start, end);
    }
  }
  return ordered;
}

function lineOf(whole: Text, from: number, to: number): Line {
  const trimmed = from + whole.text.slice(from, to).trimEnd().length;
  const pieces = inOrder(runsOf(whole, from, trimmed)).map((run) => pieceOf(whole, run));
  return { pieces, width: widthOf(pieces), isRightToLeft: whole.base % 2 === 1 };
}

/** A piece of text after which a line may break. */
type Unit = { from: number; to: number; width: number; /** Without the space at its end. */ ink: number };

// pieces of a line do not affect each other, so their widths add up
function unitOf(whole: Text, from: number, to: number): Unit {
  const width = (end: number) => widthOf(runsOf(whole, from, end).map((run) => pieceOf(whole, run)));
  const trimmed = from + whole.text.slice(from, to).trimEnd().length;
  const ink = width(trimmed);
  return { from, to, ink, width: trimmed === to ? ink : width(to) };
}

/** The smallest unbreakable units; a word wider than a line may break anywhere. */
function unitsOf(whole: Text): Unit[] {
  const breaker = new LineBreaker(whole.text);
  const units: Unit[] = [];
  let from = 0;
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    const unit = unitOf(whole, from, next.position);
    if (unit.ink <= whole.setting.width) units.push(unit);
    else
      for (const character of whole.text.slice(from, next.position)) {
        units.push(unitOf(whole, from, from + character.length));
        from += character.length;
      }
    from = next.position;
  }
  return units;
}

function linesOfParagraph(text: string, setting: Setting): Line[] {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, 'auto');
  const whole = { text, levels, base: paragraphs[0]?.level ?? 0, setting };
  const lines: Line[] = [];
  let [from, end, width] = [0, 0, 0];
  for (const unit of unitsOf(whole)) {
    if (end > from && width + unit.ink > setting.width) {
      lines.push(lineOf(whole, from, end));
      [from, width] = [end, 0];
    }
    end = unit.to;
    width += unit.width;
  }
  return [...lines, lineOf(whole, from, end)];
}

/** A text reduced to the characters that are drawn. */
export const asDrawn = (text: string): string => text.normalize('NFC').replaceAll(otherSpaces, ' ');

/** Breaks a text into lines; a line feed starts a new paragraph. */
export const linesOf = (text: string, setting: Setting): Line[] =>
  asDrawn(text)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap((paragraph) => linesOfParagraph(paragraph, setting));
