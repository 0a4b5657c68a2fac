/** Refusals in SCIM format (RFC 7644, 3.12). */

export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** RFC 7644's names for refusals that a client may act on. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** A refusal in SCIM format. The detail is in English, because administrators read it in their provider's log. */
export class ScimProblem extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;
  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const badSyntax = (detail: string) => new ScimProblem(400, detail, 'invalidSyntax');
export const badValue = (detail: string) => new ScimProblem(400, detail, 'invalidValue');
export const badFilter = (detail: string) => new ScimProblem(400, detail, 'invalidFilter');
export const badPath = (detail: string) => new ScimProblem(400, detail, 'invalidPath');
export const noSuch = (resource: string) => new ScimProblem(404, `No such ${resource}.`);
export const taken = (attribute: string) => new ScimProblem(409, `This ${attribute} is in use.`, 'uniqueness');

/** The body of a refusal. RFC 7644 requires the status as text. */
export const problemBody = ({ status, scimType, message }: Pick<ScimProblem, 'status' | 'scimType' | 'message'>) => ({
  schemas: [errorSchema],
  status: String(status),
  ...(scimType && { scimType }),
  detail: message,
});
