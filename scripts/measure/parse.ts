import { basename } from 'node:path';
import { parseSync, Visitor } from 'vite';
import type { ESTree } from 'vite';
import type { Source } from '../sources.ts';

/** A value is imported at run time, immediately or later; a type no longer exists then. */
export type Import = { from: string; kind: 'value' | 'type' };

export type Parsed = {
  path: string;
  lines: number;
  imports: Import[];
  /** Every function with its length, including nested ones. */
  functions: { line: number; lines: number; reason?: string }[];
  /** Names that are read elsewhere: of files, types, their members, functions and module constants. */
  names: string[];
  comments: string[];
  /** Types for what a function needs from the request context; `plain` is the most frequent one. */
  contextTypes: { name: string; exported: boolean; plain: boolean }[];
  /** Calls a hook for state, a form or a request that changes data, or handles what a user enters. */
  handlesInput: boolean;
};

/** `web` hooks for input; a test checks that each exists. */
export const ownInputHooks = 'RecordForm|Send|SequentialSend|Attempt|Autosave|ResettableState|StoredDraft';
const inputHook = new RegExp(`^use(State|Reducer|SyncExternalStore|Form|Mutation|${ownInputHooks})$`);
const inputHandler = /^on(Change|Submit|Input|Paste|Drop|Drag\w*|Key\w+|Pointer\w+)$/;

/** What a long function's comment says about its length. */
const reasonForLength = /Over 40 lines: ([^.]+)\./;

const plainContext = /^Pick<\s*Ctx,\s*'db' \| 'actor' \| 'request',?\s*>$/;
const isPartOfContext = /\bPick<\s*Ctx,/;

/** The members of a type, without those of nested types. */
const membersOf = (type: ESTree.TSType): string[] =>
  type.type === 'TSTypeLiteral'
    ? type.members.flatMap((member) => (member.type === 'TSPropertySignature' ? nameOfKey(member.key) : []))
    : type.type === 'TSIntersectionType'
      ? type.types.flatMap(membersOf)
      : [];

const hasContextMembers = (type: ESTree.TSType) => {
  const members = membersOf(type);
  return members.includes('db') && (members.includes('actor') || members.includes('request'));
};

export function parse({ path, text }: Source): Parsed {
  const { program, module, comments, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const parsed: Parsed = {
    path,
    lines: text.split('\n').length - 1,
    imports: importsOf(module, text),
    functions: [],
    names: [basename(path).replace(/\..*$/, ''), ...program.body.flatMap(namesOfStatement)],
    comments: comments.map((comment) => comment.value),
    contextTypes: [],
    handlesInput: false,
  };
  collect(parsed, text, reasonsByLine(comments, text)).visit(program);
  return parsed;
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

/** The reasons in comments, by the line below the comment. */
const reasonsByLine = (comments: readonly { value: string; end: number }[], text: string) =>
  new Map(
    comments.flatMap(({ value, end }): [number, string][] => {
      const reason = reasonForLength.exec(value.replaceAll(/\s+\*?\s*/g, ' '))?.[1];
      return reason ? [[lineAt(text, end) + 1, reason]] : [];
    }),
  );

function collect(parsed: Parsed, text: string, reasons: ReadonlyMap<number, string>): Visitor {
  const takeFunction = ({ start, end }: ESTree.Function | ESTree.ArrowFunctionExpression) => {
    const line = lineAt(text, start);
    const reason = reasons.get(line);
    parsed.functions.push({ line, lines: lineAt(text, end) - line + 1, ...(reason && { reason }) });
  };
  const exported = new Set<ESTree.Node>();
  const takeInput = (name: ESTree.Node, pattern: RegExp) => {
    if ('name' in name && typeof name.name === 'string' && pattern.test(name.name)) parsed.handlesInput = true;
  };
  return new Visitor({
    CallExpression: ({ callee }) => takeInput(callee, inputHook),
    JSXAttribute: ({ name }) => takeInput(name, inputHandler),
    Property: ({ key }) => takeInput(key, inputHandler),
    FunctionDeclaration: takeFunction,
    FunctionExpression: takeFunction,
    ArrowFunctionExpression: takeFunction,
    ExportNamedDeclaration({ declaration }) {
      if (declaration) exported.add(declaration);
    },
    TSTypeAliasDeclaration(alias) {
      const type = text.slice(alias.typeAnnotation.start, alias.typeAnnotation.end);
      if (isPartOfContext.test(type) || hasContextMembers(alias.typeAnnotation))
        parsed.contextTypes.push({
          name: alias.id.name,
          exported: exported.has(alias),
          plain: plainContext.test(type),
        });
    },
    TSPropertySignature: ({ key }) => void parsed.names.push(...nameOfKey(key)),
    TSMethodSignature: ({ key }) => void parsed.names.push(...nameOfKey(key)),
  });
}

const nameOfKey = (key: ESTree.PropertyKey) => (key.type === 'Identifier' ? [key.name] : []);

function namesOfStatement(statement: ESTree.Node | null): string[] {
  switch (statement?.type) {
    case 'ExportNamedDeclaration':
      return namesOfStatement(statement.declaration);
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return statement.id ? [statement.id.name] : [];
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return [statement.id.name];
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
    default:
      return [];
  }
}

type Module = ReturnType<typeof parseSync>['module'];

function importsOf({ staticImports, staticExports, dynamicImports }: Module, text: string): Import[] {
  const kindOf = (entries: readonly { isType: boolean }[]) =>
    entries.length > 0 && entries.every((entry) => entry.isType) ? 'type' : 'value';
  return [
    ...staticImports.map(({ moduleRequest, entries }): Import => ({
      from: moduleRequest.value,
      kind: kindOf(entries),
    })),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }): Import[] =>
        moduleRequest ? [{ from: moduleRequest.value, kind: isType ? 'type' : 'value' }] : [],
      ),
    ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }): Import => ({
      from: text.slice(start + 1, end - 1),
      kind: 'value',
    })),
  ];
}
