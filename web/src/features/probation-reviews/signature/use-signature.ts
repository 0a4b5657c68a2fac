import type { SignatureInput } from '@tenure/contract';
import { useState } from 'react';

export const signatureKinds = ['typed', 'drawn', 'picture'] as const;
export type SignatureKind = (typeof signatureKinds)[number];

export type SignatureMark = {
  kind: SignatureKind;
  typed: string;
  /** The drawing and the converted picture, as PNG data URLs. */
  drawn: string | undefined;
  picture: string | undefined;
  isAttested: boolean;
};

/** The signature until it is sent with a step. */
export function useSignature(signer: string) {
  const [mark, setMark] = useState<SignatureMark>({
    kind: 'typed',
    typed: signer,
    drawn: undefined,
    picture: undefined,
    isAttested: false,
  });
  const [isChecked, setChecked] = useState(false);
  const { kind, typed, isAttested } = mark;
  const image = kind === 'typed' ? undefined : mark[kind];
  const hasMark = kind === 'typed' ? typed.trim() !== '' : image !== undefined;
  return {
    mark,
    change: (patch: Partial<SignatureMark>) => setMark((old) => ({ ...old, ...patch })),
    /** The missing parts, shown after the first attempt to submit. */
    missing: { mark: isChecked && !hasMark, attest: isChecked && !isAttested },
    /** The signature as a request body; undefined, with errors at the fields, if it is incomplete. */
    submit: (): SignatureInput | undefined => {
      setChecked(true);
      if (!hasMark || !isAttested) return undefined;
      return kind === 'typed' ? { method: 'typed', typed_name: typed.trim() } : { method: 'drawn', image };
    },
  };
}

export type Signature = ReturnType<typeof useSignature>;
