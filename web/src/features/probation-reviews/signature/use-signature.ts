import type { SignatureInput } from '@tenure/contract';
import { useState } from 'react';

export const signatureWays = ['typed', 'drawn', 'picture'] as const;
export type SignatureWay = (typeof signatureWays)[number];

export type SignatureMark = {
  way: SignatureWay;
  typed: string;
  /** What was drawn, and what was made of a chosen picture: PNG as data addresses. */
  drawn: string | undefined;
  picture: string | undefined;
  isAttested: boolean;
};

/** What is signed with, until it is sent along with a step. */
export function useSignature(signer: string) {
  const [mark, setMark] = useState<SignatureMark>({
    way: 'typed',
    typed: signer,
    drawn: undefined,
    picture: undefined,
    isAttested: false,
  });
  const [isChecked, setChecked] = useState(false);
  const { way, typed, isAttested } = mark;
  const image = way === 'typed' ? undefined : mark[way];
  const hasMark = way === 'typed' ? typed.trim() !== '' : image !== undefined;
  return {
    mark,
    change: (patch: Partial<SignatureMark>) => setMark((old) => ({ ...old, ...patch })),
    /** What is still missing, once somebody tried to send it. */
    missing: { mark: isChecked && !hasMark, attest: isChecked && !isAttested },
    /** The signature as the service takes it; undefined, and said at the field, while something is missing. */
    submit: (): SignatureInput | undefined => {
      setChecked(true);
      if (!hasMark || !isAttested) return undefined;
      return way === 'typed' ? { method: 'typed', typed_name: typed.trim() } : { method: 'drawn', image };
    },
  };
}

export type Signature = ReturnType<typeof useSignature>;
