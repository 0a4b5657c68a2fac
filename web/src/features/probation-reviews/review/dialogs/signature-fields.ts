/** Fields of a signature, which say themselves what is wrong with them. */
export const signatureFields: readonly string[] = ['method', 'typed_name', 'image'].flatMap((name) => [
  name,
  `signature.${name}`,
]);
