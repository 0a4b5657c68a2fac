import { readFileSync } from 'node:fs';
import type { Finding } from './finding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const isSecret = (name: string) => /KEY|PASSWORD|PASSPHRASE|SECRET/.test(name);
/** Hiding a shorter one would hide ordinary words; it only appears in addresses, whose passwords are removed anyway. */
const leastLength = 8;

function fileOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Passwords in addresses, even malformed ones. */
const passwordsIn = (value: string) =>
  [...value.matchAll(/:\/\/[^:\s]*:(\S+)@/g)].flatMap(([, password = '']) => [password, decoded(password)]);

function secretsOf(env: Environment): string[] {
  const found = Object.entries(env).flatMap(([name, value = '']) => {
    const text = name.endsWith('_FILE') ? fileOf(value) : value.trim();
    const whole = isSecret(name) ? [text, ...text.split(',').map((part) => part.trim())] : [];
    return [...whole, ...passwordsIn(text)];
  });
  return [...new Set(found)].filter(({ length }) => length >= leastLength).sort((a, b) => b.length - a.length);
}

/** Removes every secret of the settings from output, and the user and password from every address. */
export function redactor(env: Environment): (finding: Finding) => Finding {
  const secrets = secretsOf(env);
  const clean = (text: string) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text.replaceAll(/:\/\/\S*@/g, '://…@'));
  return ({ name, status, what, remedy }) => ({
    name,
    status,
    what: clean(what),
    ...(remedy !== undefined && { remedy: clean(remedy) }),
  });
}
