import { isSpoken, isText } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import type * as z from 'zod';

/** An answer with its texts rendered; parts without texts are passed on unchanged. */
export type Speak = (value: unknown, say: (text: Text | string) => string) => unknown;

type Inner = z.ZodType & {
  _zod: {
    def: {
      type: string;
      shape?: Record<string, z.ZodType>;
      element?: z.ZodType;
      valueType?: z.ZodType;
      innerType?: z.ZodType;
      options?: readonly z.ZodType[];
    };
  };
};

const speakOne: Speak = (value, say) => (typeof value === 'string' || isText(value) ? say(value) : value);

function ofObject(shape: Record<string, z.ZodType>): Speak | undefined {
  const fields = Object.entries(shape).flatMap(([name, schema]) => {
    const speak = speakerOf(schema);
    return speak ? [{ name, speak }] : [];
  });
  if (fields.length === 0) return undefined;
  return (value, say) => {
    const copy = { ...(value as Record<string, unknown>) };
    for (const { name, speak } of fields)
      if (copy[name] !== undefined && copy[name] !== null) copy[name] = speak(copy[name], say);
    return copy;
  };
}

const ofList = (speak: Speak | undefined): Speak | undefined =>
  speak && ((value, say) => (value as unknown[]).map((one) => speak(one, say)));

const ofRecord = (speak: Speak | undefined): Speak | undefined =>
  speak &&
  ((value, say) =>
    Object.fromEntries(Object.entries(value as object).map(([name, inner]) => [name, speak(inner, say)])));

/** Renders the texts that a schema declares; undefined if it declares none. */
export function speakerOf(schema: z.ZodType): Speak | undefined {
  if (isSpoken(schema)) return speakOne;
  const { def } = (schema as Inner)._zod;
  if (def.shape) return ofObject(def.shape);
  if (def.element) return ofList(speakerOf(def.element));
  if (def.valueType) return ofRecord(speakerOf(def.valueType));
  if (def.innerType) return speakerOf(def.innerType);
  return undefined;
}
