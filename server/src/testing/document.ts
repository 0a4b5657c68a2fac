import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { routes } from '../app.ts';
import { readConfig } from '../config.ts';
import type { Binding } from '../http/context.ts';
import type { Schema } from '../http/openapi-responses.ts';
import { describeApi } from '../http/openapi.ts';
import type { ApiDocument } from '../http/openapi.ts';

type Answered = { status: number; headers: Record<string, unknown>; body: unknown; bytes: Buffer };
type Operation = { responses: Record<string, Schema> };
type Content = { content?: Record<string, { schema: { $ref?: string } }> };

/** What is wrong with an answer; undefined if nothing is, or if the document does not cover the request. */
export type Check = (method: string, url: string, answer: Answered) => unknown;

const addresses = ({ paths }: ApiDocument) =>
  Object.keys(paths).map((path) => {
    const prefix = path === '/login' || path === '/logout' ? '(/api)?' : path.startsWith('/sanctum') ? '' : '/api';
    // a literal path precedes one with parameters
    const weight = path.split('/{').length;
    return { path, weight, pattern: new RegExp(`^${prefix}${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) };
  });

/** Validates answers against an API document: finds undeclared statuses and bodies of another shape. */
export function checkBy(document: ApiDocument): Check {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } }).addSchema({
    ...document,
    $id: 'api',
  });
  const known = addresses(document).toSorted((a, b) => a.weight - b.weight);
  const compiled = new Map<string, ValidateFunction>();

  function validator(reference: string): ValidateFunction {
    const kept = compiled.get(reference) ?? ajv.compile({ $ref: `api${reference}` });
    compiled.set(reference, kept);
    return kept;
  }

  return (method, url, { status, headers, body, bytes }) => {
    const [address = ''] = url.split('?', 1);
    const found = known.find(({ pattern }) => pattern.test(address));
    const operation = found && (document.paths[found.path]?.[method.toLowerCase()] as Operation | undefined);
    if (!operation) return undefined;
    const named = operation.responses[status];
    if (!named) return `status ${status} is not in the document`;
    const shared = (named.$ref as string | undefined)?.split('/').at(-1);
    const { content } = (shared ? (document.components.responses ?? {})[shared] : named) as Content;
    if (!content) return bytes.length === 0 ? undefined : 'a body where the document tells none';
    const reference = content['application/json']?.schema.$ref;
    if (!reference) {
      const [type = ''] = String(headers['content-type']).split(';', 1);
      return type in content ? undefined : `type ${type} where the document tells ${Object.keys(content).join(', ')}`;
    }
    if (headers['content-type'] !== 'application/json; charset=utf-8') return `type ${String(headers['content-type'])}`;
    const validate = validator(reference);
    return validate(body) ? undefined : validate.errors;
  };
}

const checks = new Map<readonly Binding[], Check>();

/** Validates answers of all bound endpoints; `extra` are endpoints of a test. Created once per process. */
export function checkOf(extra: readonly Binding[] = routes): Check {
  const config = readConfig({ NODE_ENV: 'test' });
  const bound = extra === routes ? routes : [...routes, ...extra];
  const check = checks.get(extra) ?? checkBy(JSON.parse(JSON.stringify(describeApi(config, bound))) as ApiDocument);
  checks.set(extra, check);
  return check;
}
