import { isTaggedTemplateExpression } from 'typescript/unstable/ast/is';
import type { Node } from 'typescript/unstable/ast';
import { API, SymbolFlags, TypeFlags } from 'typescript/unstable/sync';
import type { Checker, Project, Type, TypeReference } from 'typescript/unstable/sync';
import type { Site } from '../../server/src/testing/rows/sites.ts';

/** The values that a type allows, as far as values from the database can show it. */
export type Declared = {
  /** It may be anything. */
  open?: boolean;
  kinds: string[];
  /** The texts that it is limited to. */
  texts?: string[];
  /** The type of a list's elements. */
  of?: Declared;
  fields?: Record<string, { type: Declared; optional: boolean }>;
  /** The type of fields with other names. */
  others?: Declared;
};

export type DeclaredRow = { site: Site; row: Declared; isGeneric: boolean };

/** The casts of a project, and the places where a statement without one inferred its row from its use. */
export type DeclaredRows = { rows: DeclaredRow[]; inferred: string[] };

const open: Declared = { open: true, kinds: [] };
const deepest = 6;

const primitives: readonly [TypeFlags, string][] = [
  [TypeFlags.StringLike, 'string'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.BooleanLike, 'boolean'],
  [TypeFlags.Null, 'null'],
];

function unite(all: readonly Declared[]): Declared {
  const isLimited = all.every(({ kinds, texts }) => !kinds.includes('string') || texts);
  const texts = all.flatMap((each) => each.texts ?? []);
  const elements = all.flatMap((each) => each.of ?? []);
  const others = all.flatMap((each) => each.others ?? []);
  const objects = all.flatMap(({ fields }) => (fields ? [fields] : []));
  const names = new Set(objects.flatMap((fields) => Object.keys(fields)));
  const fields = [...names].map((name) => {
    const found = objects.flatMap((each) => each[name] ?? []);
    const optional = found.length < objects.length || found.some((field) => field.optional);
    return [name, { type: unite(found.map(({ type }) => type)), optional }] as const;
  });
  return {
    ...(all.some((each) => each.open) && { open: true }),
    kinds: [...new Set(all.flatMap((each) => each.kinds))].toSorted(),
    ...(texts.length > 0 && isLimited && { texts: texts.toSorted() }),
    ...(elements.length > 0 && { of: unite(elements) }),
    ...(objects.length > 0 && { fields: Object.fromEntries(fields) }),
    ...(others.length > 0 && { others: unite(others) }),
  };
}

function typeReader(checker: Checker) {
  const read = (type: Type | undefined, depth: number): Declared => {
    if (!type || depth > deepest) return open;
    if (type.isUnionType())
      return unite(
        type
          .getTypes()
          .filter((part) => !(part.flags & TypeFlags.Undefined))
          .map((part) => read(part, depth)),
      );
    if (type.isStringLiteralType()) return { kinds: ['string'], texts: [type.value] };
    for (const [flag, kind] of primitives) if (type.flags & flag) return { kinds: [kind] };
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      const elements = checker.getTypeArguments(type as TypeReference).map((element) => read(element, depth + 1));
      return { kinds: ['array'], of: unite(elements) };
    }
    const name = type.getSymbol()?.name;
    if (name === 'Buffer' || name === 'Date') return { kinds: [name] };
    return type.isObjectType() || type.isIntersectionType() ? readObject(type, depth) : open;
  };
  const readObject = (type: Type, depth: number): Declared => {
    const properties = checker.getPropertiesOfType(type);
    const types = checker.getTypeOfSymbol(properties);
    const fields = properties.map(({ name, flags }, index) => {
      const optional = (flags & SymbolFlags.Optional) !== 0;
      return [name, { type: read(types[index], depth + 1), optional }] as const;
    });
    const [index] = checker.getIndexInfosOfType(type);
    const others = index && { others: read(index.valueType, depth + 1) };
    return { kinds: ['object'], fields: Object.fromEntries(fields), ...others };
  };
  return (type: Type) => read(type, 0);
}

const isGeneric = (type: Type): boolean =>
  type.isTypeParameter() || (type.isIntersectionType() && type.getTypes().some(isGeneric));

/** Others are part of a statement, with the type of a value. */
const isStatement = /^\s*(select|with|insert|update|delete)\b/i;

/** The type argument of a raw SQL builder. */
function builtRow(checker: Checker, type: Type | undefined): Type | undefined {
  return type?.isTypeReference() && type.getSymbol()?.name === 'RawBuilder'
    ? checker.getTypeArguments(type)[0]
    : undefined;
}

function rowsOfFile({ checker, program }: Project, file: string, sites: readonly Site[]): DeclaredRows {
  const read = typeReader(checker);
  const source = program.getSourceFile(file);
  if (!source) throw new Error(`The compiler does not know ${file}`);
  const rows: DeclaredRow[] = [];
  const untyped: Node[] = [];
  const visit = (node: Node): void => {
    if (isTaggedTemplateExpression(node) && source.text.slice(node.tag.getStart(source), node.tag.end) === 'sql') {
      const written = node.typeArguments?.[0];
      const site = written && sites.find(({ position }) => position === written.getStart(source));
      const type = site && checker.getTypeFromTypeNode(written);
      if (type) rows.push({ site, row: read(type), isGeneric: isGeneric(type) });
      if (!written && isStatement.test(source.text.slice(node.template.getStart(source) + 1))) untyped.push(node);
    }
    node.forEachChild(visit);
  };
  visit(source);
  const inferred = checker.getTypeAtLocation(untyped).flatMap((type, index) => {
    const row = builtRow(checker, type);
    const place = untyped[index];
    if (!row || !place || row.flags & TypeFlags.Unknown || read(row).kinds.join() !== 'object') return [];
    return [`${file}:${source.text.slice(0, place.getStart(source)).split('\n').length}`];
  });
  return { rows, inferred };
}

/**
 * The rows that casts declare, as the compiler resolves their types.
 * @param config the project's tsconfig.json
 * @param folder the folder that the paths of the casts are relative to
 */
export function declaredRows(sites: readonly Site[], config: string, folder: string): DeclaredRows {
  const api = new API();
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`${config} opens no project`);
    const paths = [...new Set(sites.map(({ path }) => path))];
    const files = paths.map((path) =>
      rowsOfFile(
        project,
        `${folder}/${path}`,
        sites.filter((site) => site.path === path),
      ),
    );
    const rows = files.flatMap((file) => file.rows);
    if (rows.length !== sites.length) throw new Error('The compiler does not see every cast');
    return { rows, inferred: files.flatMap((file) => file.inferred) };
  } finally {
    api.close();
  }
}
