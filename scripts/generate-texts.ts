import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { baseParts, partsOf } from '../web/plugins/languages.ts';
import { catalogues } from '../server/src/languages/languages.ts';

/** Names of a message's placeholders, each with the type of its value. */
function placesOf(elements: readonly MessageFormatElement[], found = new Map<string, string>()): Map<string, string> {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    const isNumber = element.type === TYPE.number || element.type === TYPE.plural;
    if (isNumber || !found.has(element.value)) found.set(element.value, isNumber ? 'number' : 'P');
    if (element.type === TYPE.plural || element.type === TYPE.select)
      for (const { value } of Object.values(element.options)) placesOf(value, found);
  }
  return found;
}

function typeOf(message: string): string {
  // code that knows the field fills it in
  const places = [...placesOf(parse(message, { ignoreTag: true }))].filter(([name]) => name !== 'attribute');
  return places.length === 0
    ? 'None'
    : `{ ${places
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, type]) => `${name}: ${type}`)
        .join('; ')} }`;
}

/** The type with every message of the service and its parameters. */
export function messageParameters(): string {
  const lines = [...(catalogues.get('en')?.messages ?? [])]
    // the renderer looks these up itself, and no code names them
    .filter(([key]) => !/^(attributes|formats)\./.test(key))
    .map(([key, message]) => `  '${key}': ${typeOf(message)};`);
  return `// Made from contract/locales/en/messages by npm run generate.

type None = Record<never, never>;

/** Every message of the service, with what stands in its places. */
export type MessageParameters<P> = {
${lines.join('\n')}
};
`;
}

/** `kpi-cycles` as an identifier for the import. */
const nameOf = (part: string) => part.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The types of the browser application's texts, from the English ones. */
export function browserTexts(): string {
  const all = [...partsOf('en').keys()];
  const parts = all.filter((part) => !baseParts.includes(part));
  const imports = all.map((part) => {
    const file = `${part === 'fields' ? '' : 'browser/'}${part}.json`;
    return `import type ${nameOf(part)} from '@tenure/contract/locales/en/${file}';`;
  });
  return `// Made from contract/locales/en/browser by npm run generate.
${imports.join('\n')}

/** The texts every screen starts with. */
export type Base = ${baseParts.map((part) => `typeof ${nameOf(part)}`).join(' & ')};

/** The texts of one part of the application each, loaded with the screens that name them. */
export type Parts = {
${parts.map((part) => `  ${part.includes('-') ? `'${part}'` : part}: typeof ${nameOf(part)};`).join('\n')}
};
export type Part = keyof Parts;

type All<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer Both) => void ? Both : never;
export type Messages = Base & All<Parts[Part]>;
`;
}
