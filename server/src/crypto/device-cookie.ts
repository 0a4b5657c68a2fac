import { randomBytes } from './crypto.ts';
import type { KeyRing } from './keys.ts';
import { open, seal } from './sealed-text.ts';
import type { CookiePlace } from './sealed-text.ts';

const DEVICE_BYTES = 16;

const sealOf = (place: CookiePlace) => ({ purpose: 'device', place, bytes: DEVICE_BYTES }) as const;

/** A new random id of a browser. */
export const newDeviceId = (): Buffer => randomBytes(DEVICE_BYTES);

/** The cookie of a known browser, different bytes each time. */
export const sealDevice = (ring: KeyRing, place: CookiePlace, device: Uint8Array): string =>
  seal(ring, sealOf(place), device);

/** The id in an authentic cookie; null for every other value. Never throws. */
export const openDevice = (ring: KeyRing, place: CookiePlace, value: string | undefined): Buffer | null =>
  open(ring, sealOf(place), value)?.plain ?? null;
