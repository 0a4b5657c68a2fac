import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';

/** The parts that every screen starts with; the others are loaded with the screens that name them. */
export const baseParts: readonly string[] = ['forms', 'shell', 'words'];

const shipped = join(import.meta.dirname, '../../contract/locales');

/** The languages of a folder that has a folder for each; English, the default, comes first. */
function languagesIn(folder: string) {
  const ids = readdirSync(folder).toSorted((a, b) => Number(b === 'en') - Number(a === 'en') || (a < b ? -1 : 1));
  return ids.map((id) => {
    const { name, locale } = JSON.parse(readFileSync(join(folder, id, 'language.json'), 'utf8')) as Record<
      string,
      string
    >;
    return { id, name, format: locale, direction: new Intl.Locale(id).getTextInfo().direction ?? 'ltr' };
  });
}

/** The files of texts of a language by part. The service, too, says the names of fields. */
export const partsOf = (id: string, folder = shipped): ReadonlyMap<string, string> =>
  new Map([
    ['fields', join(folder, id, 'fields.json')],
    ...readdirSync(join(folder, id, 'browser'))
      .toSorted()
      .map((file) => [basename(file, '.json'), join(folder, id, 'browser', file)] as const),
  ]);

const name = 'virtual:languages';
const isOurs = (id: string) => id === name || id.startsWith(`${name}/`);

/** The module with the texts of a language: the base, and how each part is loaded. */
function moduleOf(id: string, folder: string): string {
  const all = [...partsOf(id, folder)].map(([part, file]) => [part, JSON.stringify(file)] as const);
  const base = all.filter(([part]) => baseParts.includes(part));
  const parts = all.filter(([part]) => !baseParts.includes(part));
  return `${base.map(([part, file]) => `import ${part} from ${file};`).join('\n')}
export const base = { ${base.map(([part]) => `...${part}`).join(', ')} };
export const parts = { ${parts.map(([part, file]) => `'${part}': () => import(${file})`).join(',\n')} };`;
}

/**
 * Finds the languages of the application: each folder of `contract/locales` is one. The page names them for boot.js,
 * with the file of their first texts, which it has fetched together with the scripts.
 */
export function languages(folder = shipped): Plugin {
  const found = languagesIn(folder);
  return {
    name: 'tenure-languages',
    resolveId: (id) => (isOurs(id) ? `\0${id}` : null),
    load(id) {
      if (!isOurs(id.slice(1))) return null;
      if (id !== `\0${name}`) return moduleOf(basename(id), folder);
      const list = found.map((one) => `{ ...${JSON.stringify(one)}, load: () => import('${name}/${one.id}') }`);
      return `export const locales = [${list.join(', ')}];`;
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        found.map(({ id, direction }) => {
          const texts = Object.values(bundle ?? {}).find(
            (chunk) => chunk.type === 'chunk' && chunk.facadeModuleId === `\0${name}/${id}`,
          );
          const content = texts ? `/${texts.fileName}` : '';
          return { tag: 'meta', attrs: { name: 'texts', lang: id, dir: direction, content } };
        }),
    },
  };
}

/** Files of texts by language: `en/base`, `en/companies`. */
export function textsFile(module: string | null): string | undefined {
  const [, base] = /^\0virtual:languages\/(\w+)$/.exec(module ?? '') ?? [];
  const [, language = base, part = 'base'] =
    /[\\/]locales[\\/](\w+)[\\/](?:browser[\\/])?([\w-]+)\.json$/.exec(module ?? '') ?? [];
  return language && `assets/${language}/${part}-[hash:7].js`;
}
