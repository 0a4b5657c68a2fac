import { lazy, type ComponentType } from 'react';
import type { Part } from '../locales/texts.gen.ts';
import { withTexts } from '../locales/locales.ts';

/** A lazy part of a screen, loaded with the texts that only it reads. */
export const lazyPart = <Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  ...parts: Part[]
) => lazy(async () => ({ default: (await withTexts(load, parts))[name] }));
