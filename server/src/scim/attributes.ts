/** The attributes of users and groups; schemas, paths and value types are derived from them. */

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export type Attribute = {
  name: string;
  type: 'string' | 'boolean' | 'reference' | 'complex';
  description: string;
  multiValued: boolean;
  required: boolean;
  caseExact: boolean;
  mutability: 'readOnly' | 'readWrite' | 'immutable';
  uniqueness: 'none' | 'server';
  subAttributes?: readonly Attribute[];
  referenceTypes?: readonly string[];
};

type About = Partial<Omit<Attribute, 'name' | 'description'>>;

/** An attribute that is by default an optional text, which the provider may write. */
const attribute = (name: string, description: string, about: About = {}): Attribute => ({
  name,
  type: about.subAttributes ? 'complex' : 'string',
  description,
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  uniqueness: 'none',
  ...about,
});

/** HR owns it: values sent for it are accepted but ignored. */
const ofHr = { mutability: 'readOnly' } as const;
const list = { multiValued: true } as const;

const plural = (what: string) => [
  attribute('value', `The ${what}`, ofHr),
  attribute('type', 'Its kind: work or mobile', ofHr),
  attribute('primary', 'Whether it is the main one', { ...ofHr, type: 'boolean' }),
];

const ofUsers = [
  attribute('userName', 'The name of the user at the identity provider', { required: true, uniqueness: 'server' }),
  attribute('active', 'Whether the user can sign in', { type: 'boolean', required: true }),
  attribute('displayName', 'The name as it is shown', ofHr),
  attribute('name', 'The parts of the name', {
    ...ofHr,
    subAttributes: [
      attribute('formatted', 'The whole name', ofHr),
      attribute('familyName', 'The last name', ofHr),
      attribute('givenName', 'The first name', ofHr),
    ],
  }),
  attribute('title', 'The job title', ofHr),
  attribute('preferredLanguage', 'The language that the person reads', ofHr),
  attribute('emails', 'The address that the person signs in with', {
    ...ofHr,
    ...list,
    subAttributes: plural('address'),
  }),
  attribute('phoneNumbers', 'Phone numbers', { ...ofHr, ...list, subAttributes: plural('number') }),
];

const ofEnterprise = [
  attribute('employeeNumber', 'The employee number, by which a person is found; from then on that of HR counts'),
  attribute('organization', 'The company', ofHr),
  attribute('division', 'The company', ofHr),
  attribute('department', 'The department', ofHr),
  attribute('manager', 'The reporting manager', {
    ...ofHr,
    subAttributes: [
      attribute('value', 'The id of the manager', { ...ofHr, caseExact: true }),
      attribute('displayName', 'The name of the manager', ofHr),
    ],
  }),
];

const ofGroups = [
  attribute('displayName', 'The name of the group', { required: true }),
  attribute('members', 'The users in the group', {
    ...list,
    subAttributes: [
      attribute('value', 'The id of a user', { caseExact: true, mutability: 'immutable' }),
      attribute('$ref', 'The address of the user', {
        type: 'reference',
        referenceTypes: ['User'],
        caseExact: true,
        ...ofHr,
      }),
      attribute('display', 'The name of the user', ofHr),
      attribute('type', 'User', ofHr),
    ],
  }),
];

export type Schema = { id: string; name: string; description: string; attributes: readonly Attribute[] };

/** A kind of resource: its schema and those that extend it. */
export type Resource = { name: 'User' | 'Group'; endpoint: '/Users' | '/Groups'; core: Schema; extensions: Schema[] };

/** Every resource has it in addition to its schema (RFC 7643, 3.1). */
const common = [attribute('externalId', 'The id of the identity provider', { caseExact: true })];

export const users: Resource = {
  name: 'User',
  endpoint: '/Users',
  core: {
    id: userSchema,
    name: 'User',
    description: 'A person as the identity provider knows it',
    attributes: ofUsers,
  },
  extensions: [
    {
      id: enterpriseSchema,
      name: 'EnterpriseUser',
      description: 'The place of the person in the company',
      attributes: ofEnterprise,
    },
  ],
};

export const groups: Resource = {
  name: 'Group',
  endpoint: '/Groups',
  core: { id: groupSchema, name: 'Group', description: 'A group of users', attributes: ofGroups },
  extensions: [],
};

const named = (attributes: readonly Attribute[], name: string) => {
  const wanted = name.toLowerCase();
  return attributes.find((one) => one.name.toLowerCase() === wanted);
};

/** An attribute of a resource or one of its extensions by name, ignoring case. */
export const attributeOf = ({ core, extensions }: Resource, name: string, extension?: string): Attribute | undefined =>
  extension === undefined
    ? named([...core.attributes, ...common], name)
    : named(extensions.find(({ id }) => id === extension)?.attributes ?? [], name);

export const subAttributeOf = ({ subAttributes }: Attribute, name: string): Attribute | undefined =>
  named(subAttributes ?? [], name);
