import * as z from 'zod';
import { isHex } from './colour.ts';
import { endpoint } from './endpoint.ts';
import { instant, item } from './envelope.ts';
import { revision, text } from './fields.ts';
import { messages } from './messages.ts';
import { asIssue } from './texts.ts';

const shortText = z.string().max(255);
const address = z.string().max(500);
const colour = z.string().max(7);

/** A logo with its size in pixels, so that its space is reserved while it loads. Its URL changes with its content. */
export const Logo = z.object({ url: shortText, width: z.int(), height: z.int() });
export type Logo = z.output<typeof Logo>;

/** The brand that the application shows. Null: Tenure's own. */
export const Brand = z.object({
  name: z.string().max(60).nullable(),
  /** `#rrggbb`; the colours in use are derived from it (`accentsOf`). */
  accent: colour.nullable(),
  logo: Logo.nullable(),
});
export type Brand = z.output<typeof Brand>;

/** A brand as it is set. Null: a company uses the installation's, and the installation Tenure's. */
export const BrandSettings = Brand.extend({
  revision: z.int(),
  updated_at: instant,
});
export type BrandSettings = z.output<typeof BrandSettings>;

/** The letterhead of a company. */
export const CompanyBrandSettings = BrandSettings.extend({
  /** Several lines. */
  letter_address: address.nullable(),
  /** Registration, number, seat and representatives of the company. */
  letter_registration: shortText.nullable(),
  letter_footer: address.nullable(),
  /** What is shown for anything that the company does not set. */
  installation: Brand,
  /** The company's name and address, for letters without a letterhead of their own. */
  company: z.object({ name: shortText, address: address.nullable() }),
  may_change: z.boolean(),
});
export type CompanyBrandSettings = z.output<typeof CompanyBrandSettings>;

/** A colour as `#rrggbb`, in small letters. */
const hex = () =>
  text()
    .meta({ maxLength: 7, pattern: '^#[0-9a-f]{6}$' })
    .refine(isHex, { error: asIssue(messages.colour) });

const shown = {
  name: text(60, 2).nullish(),
  accent: hex().nullish(),
};
const letterhead = {
  letter_address: text(500).nullish(),
  letter_registration: text(255).nullish(),
  letter_footer: text(500).nullish(),
};

const picture = ['png'] as const;
const manage = { permission: 'brand.manage', scope: 'everything' } as const;
const change = { permission: 'entities.update', scope: 'scoped' } as const;

export const brand = {
  shown: endpoint({
    method: 'GET',
    path: '/brand',
    summary: 'The name, the colour and the logo of the installation, for the page to sign in',
    permission: 'public',
    scope: 'none',
    reply: item(Brand),
    status: 200,
  }),
  logo: endpoint({
    method: 'GET',
    path: '/brand/logo',
    summary: 'The logo of the installation; browsers may keep it',
    permission: 'public',
    scope: 'none',
    file: picture,
    cached: true,
    status: 200,
  }),
  own: endpoint({
    method: 'GET',
    path: '/brand/own',
    summary: 'The brand of the company of the user over that of the installation',
    permission: 'signed in',
    scope: 'own',
    reply: item(Brand),
    status: 200,
  }),
  settings: endpoint({
    ...manage,
    scope: 'none',
    method: 'GET',
    path: '/brand/settings',
    summary: 'Read the brand of the installation',
    reply: item(BrandSettings),
    status: 200,
  }),
  update: endpoint({
    ...manage,
    method: 'PUT',
    path: '/brand/settings',
    summary: 'Change the name and the colour of the installation',
    body: z.object({ ...shown, ...revision }),
    reply: item(BrandSettings),
    status: 200,
  }),
  reset: endpoint({
    ...manage,
    method: 'DELETE',
    path: '/brand/settings',
    summary: 'Reset the brand of the installation to that of Tenure',
    status: 204,
  }),
  setLogo: endpoint({
    ...manage,
    method: 'POST',
    path: '/brand/settings/logo',
    summary: 'Set the logo of the installation',
    upload: 'logo',
    reply: item(BrandSettings),
    status: 200,
  }),
  removeLogo: endpoint({
    ...manage,
    method: 'DELETE',
    path: '/brand/settings/logo',
    summary: 'Remove the logo of the installation',
    status: 204,
  }),
};

export const companyBrand = {
  get: endpoint({
    method: 'GET',
    path: '/entities/:id/brand',
    summary: 'Read the brand and the letterhead of a company',
    permission: 'entities.view',
    scope: 'scoped',
    reply: item(CompanyBrandSettings),
    status: 200,
  }),
  update: endpoint({
    ...change,
    method: 'PUT',
    path: '/entities/:id/brand',
    summary: 'Change the brand and the letterhead of a company',
    body: z.object({ ...shown, ...letterhead, ...revision }),
    reply: item(CompanyBrandSettings),
    status: 200,
  }),
  reset: endpoint({
    ...change,
    method: 'DELETE',
    path: '/entities/:id/brand',
    summary: 'Reset the brand and the letterhead of a company to those of the installation',
    status: 204,
  }),
  logo: endpoint({
    method: 'GET',
    path: '/entities/:id/brand/logo',
    summary: 'The logo of a company, for its people and everyone who sees the company',
    permission: 'signed in',
    scope: 'scoped',
    file: picture,
    cached: true,
    status: 200,
  }),
  setLogo: endpoint({
    ...change,
    method: 'POST',
    path: '/entities/:id/brand/logo',
    summary: 'Set the logo of a company',
    upload: 'logo',
    reply: item(CompanyBrandSettings),
    status: 200,
  }),
  removeLogo: endpoint({
    ...change,
    method: 'DELETE',
    path: '/entities/:id/brand/logo',
    summary: 'Remove the logo of a company',
    status: 204,
  }),
};
