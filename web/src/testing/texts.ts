import { locales, type LocaleId } from '../locales/locales.ts';
import type { Messages } from '../locales/texts.gen.ts';

/** All texts of a language. */
export async function allTexts(id: LocaleId): Promise<Messages> {
  const locale = locales.find((one) => one.id === id) ?? locales[0];
  const { base, parts } = await locale.load();
  const each = await Promise.all(Object.values(parts).map(async (load) => (await load()).default));
  return Object.assign({}, base, ...each) as Messages;
}
