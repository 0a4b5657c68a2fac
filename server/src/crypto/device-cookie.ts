import { randomBytes } from './crypto.ts';
import type { KeyRing } from './keys.ts';
import { open, seal } from './sealed-text.ts';
import type { CookieScope } from './sealed-text.ts';

const DEVICE_BYTES = 16;

const sealOf = (scope: CookieScope) => ({ purpose: 'device', scope, bytes: DEVICE_BYTES }) as const;

/** A new random id of a browser. */
export const newDeviceId = (): Buffer => randomBytes(DEVICE_BYTES);

/** The cookie of a known browser; its bytes differ each time. */
export const sealDevice = (ring: KeyRing, scope: CookieScope, device: Uint8Array): string =>
  seal(ring, sealOf(scope), device);

/** The id in an authentic cookie; null for every other value. Never throws. */
export const openDevice = (ring: KeyRing, scope: CookieScope, value: string | undefined): Buffer | null =>
  open(ring, sealOf(scope), value)?.plain ?? null;
