import type { Archive } from './archive.ts';
import { Refusal } from './refusal.ts';

/** How the files of an archive are encrypted: in the age format, so that `age -d` opens them too, or not at all. */
export type Cipher = {
  /** The public half of the key; the same content has other chunks under another key. */
  recipient: string | null;
  seal: (plain: Uint8Array) => Promise<Uint8Array>;
  /** Absent if this machine has no key to read. */
  open?: (sealed: Uint8Array) => Promise<Uint8Array>;
};

export type Secrets = {
  /** `age1…`; the matching identity can read. */
  recipient?: string | undefined;
  passphrase?: string | undefined;
  /** The content of a file with `AGE-SECRET-KEY-1…`, as `age-keygen` writes it. */
  identity?: string | undefined;
};

/** Loaded by the first encrypted backup: its curves would add a twentieth to the time of every start. */
const age = () => import('age-encryption');

const plain: Cipher = { recipient: null, seal: async (bytes) => bytes, open: async (bytes) => bytes };

/** The passphrase opens this file, and its key opens the rest: trying a passphrase is slow, and chunks are many. */
export const identityFile = 'identity.age';

/** For writing, as the settings say. The first backup with a passphrase creates its key. */
export async function cipherToWrite(archive: Archive, secrets: Secrets): Promise<Cipher> {
  if (secrets.recipient) return cipherOf(secrets.recipient, await parseIdentity(secrets.identity));
  if (!secrets.passphrase) return plain;
  const existing = await archive.read(identityFile);
  const identity = existing
    ? await openIdentity(existing, secrets.passphrase)
    : await makeIdentity(archive, secrets.passphrase);
  return cipherOfIdentity(identity);
}

async function makeIdentity(archive: Archive, passphrase: string): Promise<string> {
  const { generateX25519Identity } = await age();
  const identity = await generateX25519Identity();
  await archive.write(identityFile, await sealWithPassphrase(passphrase, `${identity}\n`));
  return identity;
}

async function sealWithPassphrase(passphrase: string, text: string): Promise<Uint8Array> {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  return encrypter.encrypt(text);
}

/** Encrypts a text that is not part of an archive, as the settings say; undefined if they have no encryption. */
export async function sealText({ recipient, passphrase }: Secrets, text: string): Promise<Uint8Array | undefined> {
  if (recipient) return (await cipherOf(recipient, undefined)).seal(Buffer.from(text));
  return passphrase ? sealWithPassphrase(passphrase, text) : undefined;
}

async function openIdentity(sealed: Uint8Array, passphrase: string): Promise<string> {
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const text = await decrypter.decrypt(sealed, 'text').catch(() => {
    throw new Refusal('The passphrase is not the one of this archive: check BACKUP_PASSPHRASE_FILE.');
  });
  return text.trim();
}

/** For reading, depending on the archive's files and the available key. */
export async function cipherToRead(archive: Archive, secrets: Secrets): Promise<Cipher['open']> {
  const given = await parseIdentity(secrets.identity);
  const sealed = secrets.passphrase ? await archive.read(identityFile) : undefined;
  const identity = given ?? (sealed && (await openIdentity(sealed, secrets.passphrase ?? '')));
  return identity === undefined ? undefined : (await cipherOfIdentity(identity)).open;
}

async function cipherOfIdentity(identity: string): Promise<Cipher> {
  const { identityToRecipient } = await age();
  return cipherOf(await identityToRecipient(identity), identity);
}

async function cipherOf(recipient: string, identity: string | undefined): Promise<Cipher> {
  const { Decrypter, Encrypter } = await age();
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch (error) {
    throw new Refusal('BACKUP_RECIPIENT is not a recipient of age: give one that begins with age1.', { cause: error });
  }
  const seal = (bytes: Uint8Array) => encrypter.encrypt(bytes);
  if (identity === undefined) return { recipient, seal };
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return { recipient, seal, open: (bytes) => decrypter.decrypt(bytes) };
}

/** The key in a file from `age-keygen`, which also contains comments. */
async function parseIdentity(content: string | undefined): Promise<string | undefined> {
  if (content === undefined) return undefined;
  const line = content.split('\n').find((text) => text.startsWith('AGE-SECRET-KEY-'));
  if (line) return usable(line.trim());
  throw new Refusal('The identity file has no line AGE-SECRET-KEY-1…: give the file that age-keygen wrote.');
}

/** Replaces the library's error, which would repeat a part of the key. */
async function usable(identity: string): Promise<string> {
  const { Decrypter } = await age();
  try {
    new Decrypter().addIdentity(identity);
    return identity;
  } catch {
    throw new Refusal(
      'The key in the identity file is damaged: give the file that age-keygen wrote, or another copy of it.',
    );
  }
}
