/** The fields of a signature that show their own messages. */
export const signatureFields: readonly string[] = ['method', 'typed_name', 'image'].flatMap((name) => [
  name,
  `signature.${name}`,
]);
