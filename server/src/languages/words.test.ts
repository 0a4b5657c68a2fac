import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Words that texts must not use, by language, with the word to use instead. */
const refused: Record<string, readonly (readonly [pattern: RegExp, better: string])[]> = {
  en: [
    [/\b(somebody|anybody|someone else’s one)\b/i, 'someone, a role or a name'],
    [/\b(nobody|everybody)\b/i, 'no one, everyone, or what is empty'],
    [/\bwho(so)?ever\b/i, 'a role'],
    [/\b(is|are|were|was|be) told\b/i, 'notify'],
    [/\bwait(s|ing)? for you\b/i, 'to do'],
    [/\bhand(s|ed|ing)? in\b/i, 'submit'],
    [/\b(take|takes|taking|taken|took) back\b/i, 'undo, cancel, reverse'],
    [/\b(take|takes|taking|taken|took) off\b/i, 'remove'],
    [/\b(gave|give|gives|giving|given) out\b/i, 'release, start'],
    [/\b(bring|brings|brought) (back|in)\b/i, 'restore, import'],
    [/\b(leave|leaves|leaving|left) out\b/i, 'skip, exclude'],
    [/\b(hired?|open(ed)?|work(ed)?)( \S+)? again\b/i, 'rehire, reopen, revise'],
    [/\bat once\b/i, 'now, immediately'],
    [/\bfrom now on\b/i, 'now, starting today'],
    [/\b(by itself|by themselves|of its own accord)\b/i, 'automatically'],
    [/\b(mend|mends|mended)\b/i, 'fix'],
    [/\breckon/i, 'calculate'],
    [/\bdemand(s|ed)?\b/i, 'require'],
    [/\bstands? (here|there|at|in)\b/i, 'is, appears'],
    [/\b(not|nothing) to be (seen|had|done)\b/i, 'not visible yet'],
    [/\blook(s|ed|ing)? after\b/i, 'manage'],
    [/\bin (his|her|their|whose) hands\b/i, 'with, responsible'],
    [/\bmay not (be )?(see|change|do|open|read|give|use)/i, 'can’t, don’t have access'],
    [/\bhead count\b/i, 'headcount'],
    [/\be-mail/i, 'email'],
    [/\bTeamLead\b/, 'Team lead'],
    [/\bswitch(ed|es)?\b(?! to\b).*\b(on|off)\b/i, 'turn on, turn off'],
    [/\b(make|makes|made)( an?)?( new)?( personal access)? tokens?\b/i, 'create'],
    [/\bleast days\b/i, 'minimum days'],
    [/\bchat targets?\b/i, 'chat channel'],
    [/\banymore\b/i, 'any more'],
    [/\bsomething (else|to do)\b/i, 'what it is'],
    [/\w'(s|t|re|ll|ve|d)\b/, 'the apostrophe ’'],
    [/[\d}] %/, '60%, without a space'],
  ],
  de: [
    [/\bAnbieter/i, 'Anmeldedienst'],
    [/\bKopfzahl|\bMitarbeitende gesamt/i, 'Personalbestand'],
    [/\bbeurteilende Person fehlt|fehlt eine beurteilende/i, 'keine beurteilende Person'],
    [/\bPrüfung durch HR/i, 'HR-Prüfung'],
    [/\bals angenommen (ge)?werte[nt]/i, 'als angenommen markieren'],
    [/\bBitte um Fristverlängerung/i, 'Antrag auf Fristverlängerung'],
    [/\beingereicht|\beinreichen\b/i, 'abgegeben, abgeben'],
    [/\bschreibgeschützt/i, 'nur lesbar'],
    [/\bClient-Secret/i, 'Client-Geheimnis'],
    [/\bMitteilung/i, 'Benachrichtigung'],
    [/\bZykl(us|en)\b/i, 'Runde'],
    [/\bKPI-Zykl/i, 'KPI-Runde'],
    [/\bNur lesen\b/i, 'nur lesbar'],
    [/\bruhend\b/i, 'freigestellt'],
    [/\bAdministrator/, 'die Administration, Admin'],
    [/\b(der|den|dem|einen|diesen) (neuen )?Token\b/i, 'das Token'],
    [/\bChat-Ziel/, 'Chat-Kanal'],
    [/\bin Band\b/, 'Stufe'],
    [/\bIstwert/, 'erreichter Wert'],
    [/\bJobdaten\b/, 'Stellenhistorie'],
    [/\bIm Eintritt\b/, 'Eintritt geplant'],
    [/\b(wer auch immer|wer beurteilt)\b/i, 'beurteilende Person'],
    [/\bwartet auf Sie\b/i, 'zu erledigen'],
    [/\bE-Mail-Adresse der Person, mit der\b/i, 'E-Mail für die Anmeldung'],
    [/[\d}]%/, '60 %, mit Leerzeichen'],
    [/\b(du|dein|deine|dich|dir)\b/, 'Sie'],
  ],
};

const locales = fileURLToPath(new URL('../../../contract/locales', import.meta.url));
type Texts = { [key: string]: string | Texts };
type Said = { language: string; key: string; text: string };

const flat = (texts: Texts, path: string): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as [string, string]] : flat(value, `${path}${key}.`),
  );

function textsIn(file: string): [key: string, text: string][] {
  const content = readFileSync(join(locales, file), 'utf8');
  return file.endsWith('.json') ? flat(JSON.parse(content) as Texts, '') : [['', content]];
}

const said: Said[] = globSync('*/**/*.{json,txt}', { cwd: locales }).flatMap((file) => {
  const [language = '', ...rest] = file.split('/');
  return textsIn(file).map(([key, text]) => ({ language, key: `${rest.join('/')} ${key}`, text }));
});

test('no text of screens, messages, notifications and letters says a word that another word replaces', () => {
  expect(said.length).toBeGreaterThan(5_000);
  const found = said.flatMap(({ language, key, text }) =>
    (refused[language] ?? []).flatMap(([pattern, better]) => {
      const word = pattern.exec(text)?.[0];
      return word ? [`${language} ${key}: “${word}”, better: ${better}`] : [];
    }),
  );
  expect(found).toEqual([]);
});

/** Groups whose labels appear in the same panel, list or menu. */
const panel =
  /\.(field|fields|column|columns|filter|filters|tab|tabs|do|status|statuses|kind|kinds|stage|stages)\.\w+$/;

test('no two labels of one panel are the same', () => {
  const labels = Map.groupBy(
    said.filter(({ key }) => panel.test(key)),
    ({ language, key, text }) => `${language} ${key.replace(/\.\w+$/, '')} “${text}”`,
  );
  expect([...labels].filter(([, same]) => same.length > 1).map(([label]) => label)).toEqual([]);
});

test('a letter goes on with a capital after its salutation', () => {
  const letters = said.filter(({ key }) => key.startsWith('letters/'));
  expect(letters.length).toBeGreaterThan(5);
  for (const { language, text } of letters)
    if (language === 'en') expect(text).not.toMatch(/^Dear [^\n]*,\n+(?!\{\{)[a-z]/m);
});
