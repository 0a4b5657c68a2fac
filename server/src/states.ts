import { text } from '@tenure/contract';
import type { MessageKey, Text } from '@tenure/contract';

type StateOf<K> = K extends `states.${infer State}` ? State : never;

/** A state of a record as refusals name it. */
export const stateOf = (status: string): Text => text(`states.${status as StateOf<MessageKey>}`);
