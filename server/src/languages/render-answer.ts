import { isRendered, isText } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import type * as z from 'zod';

/** An answer with its texts rendered; parts without texts are passed on unchanged. */
export type Render = (value: unknown, say: (text: Text | string) => string) => unknown;

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

const renderOne: Render = (value, say) => (typeof value === 'string' || isText(value) ? say(value) : value);

function ofObject(shape: Record<string, z.ZodType>): Render | undefined {
  const fields = Object.entries(shape).flatMap(([name, schema]) => {
    const render = rendererOf(schema);
    return render ? [{ name, render }] : [];
  });
  if (fields.length === 0) return undefined;
  return (value, say) => {
    const copy = { ...(value as Record<string, unknown>) };
    for (const { name, render } of fields)
      if (copy[name] !== undefined && copy[name] !== null) copy[name] = render(copy[name], say);
    return copy;
  };
}

const ofList = (render: Render | undefined): Render | undefined =>
  render && ((value, say) => (value as unknown[]).map((one) => render(one, say)));

const ofRecord = (render: Render | undefined): Render | undefined =>
  render &&
  ((value, say) =>
    Object.fromEntries(Object.entries(value as object).map(([name, inner]) => [name, render(inner, say)])));

/** Renders the texts that a schema declares; undefined if it declares none. */
export function rendererOf(schema: z.ZodType): Render | undefined {
  if (isRendered(schema)) return renderOne;
  const { def } = (schema as Inner)._zod;
  if (def.shape) return ofObject(def.shape);
  if (def.element) return ofList(rendererOf(def.element));
  if (def.valueType) return ofRecord(rendererOf(def.valueType));
  if (def.innerType) return rendererOf(def.innerType);
  return undefined;
}
