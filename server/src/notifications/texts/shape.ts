import type { NotificationEvent } from '@tenure/contract';

export type Text = { title: string; body: string };

/** The texts of an event: what all read, what the person it is about reads, and others by the name of a variant. */
export type EventTexts = Text & { kind: string } & { [variant: string]: Text | string };

export type Language = {
  /** Marks what did not happen. */
  test: string;
  mail: { greeting: string; open: string; several: string; reason: string };
  /** The mail with the link to choose a password. */
  passwordLink: { subject: string; intro: string; open: string; once: string };
  events: Readonly<Record<NotificationEvent, EventTexts>>;
};
