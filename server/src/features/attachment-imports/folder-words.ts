import type { Attachment } from '@tenure/contract';
import { fold } from '../../db/fold.ts';

type Category = Attachment['category'];

/** What companies call folders of documents, in English and German. Other folder names set no category. */
const words: Record<Category, readonly string[]> = {
  contract: [
    'contract',
    'contracts',
    'work contract',
    'work contracts',
    'employment contract',
    'employment contracts',
    'vertrag',
    'verträge',
    'arbeitsvertrag',
    'arbeitsverträge',
  ],
  id_document: [
    'id',
    'ids',
    'id document',
    'id documents',
    'identity document',
    'identity documents',
    'passport',
    'passports',
    'ausweis',
    'ausweise',
    'ausweisdokument',
    'ausweisdokumente',
    'personalausweis',
    'reisepass',
    'pass',
  ],
  certificate: [
    'certificate',
    'certificates',
    'zeugnis',
    'zeugnisse',
    'zertifikat',
    'zertifikate',
    'bescheinigung',
    'bescheinigungen',
  ],
  letter: ['letter', 'letters', 'correspondence', 'brief', 'briefe', 'schreiben', 'schriftverkehr', 'korrespondenz'],
  other: ['other', 'others', 'misc', 'miscellaneous', 'sonstiges', 'sonstige', 'verschiedenes'],
};

const categories = new Map(
  Object.entries(words).flatMap(([category, names]) =>
    names.map((name) => [fold(name), category as Category] as const),
  ),
);

/** The category that a folder names, also after a number as in `01 Contracts`; null if it names none. */
export const categoryOfFolder = (folder: string): Category | null =>
  categories.get(
    fold(folder)
      .replaceAll(/[^\p{L}]+/gu, ' ')
      .trim(),
  ) ?? null;
