import { text } from '@tenure/contract';
import type { MessageKey, Text } from '@tenure/contract';

type StateOf<K> = K extends `states.${infer State}` ? State : never;

/** The name of a record's state in refusals. */
export const stateOf = (status: string): Text => text(`states.${status as StateOf<MessageKey>}`);
