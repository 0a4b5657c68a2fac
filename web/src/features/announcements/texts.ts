import type { Announcement } from '@tenure/contract';
import { addDays } from '../../figures/days.ts';
import { today } from '../../ui/time-served.ts';
import type { Texts } from '../../ui/versions.ts';

/** The value of the companies when the announcement is for all of them. */
export const all = 'all';

/** The ids of the chosen companies. */
export const companiesOf = (text: string): string[] => (text === '' || text === all ? [] : text.split(','));

/** The form of an announcement; the companies are one text. */
export const textsOf = ({ title, body, entities, starts_on, ends_on }: Announcement): Texts => ({
  title,
  body,
  entity_ids: entities === null ? all : entities.map(({ id }) => id).join(','),
  starts_on,
  ends_on,
});

/** The form of a new announcement: two weeks from today. */
export const newTexts = (starts_on = today()): Texts => ({
  title: '',
  body: '',
  entity_ids: '',
  starts_on,
  ends_on: addDays(starts_on, 14),
});

/** The changed texts as a request body. */
export const bodyOf = (changed: Texts) => ({
  ...('title' in changed && { title: changed['title'] ?? '' }),
  ...('body' in changed && { body: changed['body'] ?? '' }),
  ...('starts_on' in changed && { starts_on: changed['starts_on'] ?? '' }),
  ...('ends_on' in changed && { ends_on: changed['ends_on'] ?? '' }),
  ...('entity_ids' in changed && {
    entity_ids: changed['entity_ids'] === all ? null : companiesOf(changed['entity_ids'] ?? '').map(Number),
  }),
});
