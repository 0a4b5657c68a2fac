import { startAuthentication, startRegistration, WebAuthnAbortService, WebAuthnError } from '@simplewebauthn/browser';
import type { BodyIn, PasskeyCreation, PasskeyRequest, passkeySignIn, passkeys } from '@tenure/contract';

/** The passkey functions of the browser. Browsers of 2023 cannot parse passkey JSON, so a library does. */

export type PasskeyAnswer = BodyIn<typeof passkeySignIn.signIn>['credential'];
type NewPasskey = BodyIn<typeof passkeys.add>['credential'];
type Registration = Parameters<typeof startRegistration>[0]['optionsJSON'];
type Authentication = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Why a passkey was not used or created, as the key of its text. */
export class PasskeyRefused extends Error {
  readonly why: 'cancelled' | 'known' | 'failed';
  constructor(cause: unknown) {
    super('The browser used no passkey', { cause });
    const { name } = cause as Error;
    const code = cause instanceof WebAuthnError ? cause.code : undefined;
    this.why =
      code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
        ? 'known'
        : name === 'NotAllowedError' || name === 'AbortError' || code === 'ERROR_CEREMONY_ABORTED'
          ? 'cancelled'
          : 'failed';
  }
}

const refuse = (cause: unknown): never => {
  throw new PasskeyRefused(cause);
};

/** Creates a passkey on a device of the user. Throws `PasskeyRefused`. */
export const makePasskey = (options: PasskeyCreation): Promise<NewPasskey> =>
  startRegistration({ optionsJSON: options as Registration }).catch(refuse);

/**
 * Asks the user for a passkey; with `autofill`, through suggestions in the field that has `webauthn` in its
 * `autocomplete`. Throws `PasskeyRefused`.
 */
export const askPasskey = (options: PasskeyRequest, autofill = false): Promise<PasskeyAnswer> =>
  startAuthentication({ optionsJSON: options as Authentication, useBrowserAutofill: autofill }).catch(refuse);

/** Cancels a pending request for a passkey. */
export const stopWaiting = () => WebAuthnAbortService.cancelCeremony();
export { browserSupportsWebAuthnAutofill as canAutofill } from '@simplewebauthn/browser';
