import { messages, text } from '@tenure/contract';
import type { Endpoint, Text } from '@tenure/contract';
import type * as z from 'zod';
import { invalidFields, say } from './errors.ts';
import type { FieldErrors } from './errors.ts';
import { logProtectedKeys } from './events.ts';
import type { Input } from './input.ts';
import type { Execution } from './request-context.ts';
import type { Parsed } from './validation.ts';

/** The errors if an endpoint that needs a file got none. */
function missingFile({ upload, upload_optional }: Endpoint, { file }: Input): Text | undefined {
  if (!upload) return undefined;
  if (file !== undefined && file !== null) return text('validation.file');
  return upload_optional ? undefined : text('validation.required');
}

/** Validates query and body together, so that all messages come at once. */
export function parseAll({ context, route, query, body }: Execution) {
  const { endpoint } = route;
  logProtectedKeys(context, endpoint, body.input);
  // with the validator compiler, but only in the handler, because the row and its rules come first
  const check = (schema: z.ZodObject | undefined, input: Input) =>
    schema ? (context.request.validateInput(input, schema) as unknown as Parsed<Input>) : { value: {} };
  const parsedQuery = check(endpoint.query, query);
  const parsedBody = check(endpoint.body, body.input);
  const errors: FieldErrors = {
    ...('errors' in parsedQuery && parsedQuery.errors),
    ...('errors' in parsedBody && parsedBody.errors),
  };
  for (const name of body.malformed) errors[name] = [say(name, messages.json)];
  const missing = body.file ? undefined : missingFile(endpoint, body.input);
  if (missing !== undefined) errors.file = [...(errors.file ?? []), say('file', missing)];
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return {
    query: 'value' in parsedQuery ? parsedQuery.value : {},
    body: 'value' in parsedBody ? parsedBody.value : {},
  };
}
