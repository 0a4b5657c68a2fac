import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const { BROTLI_PARAM_QUALITY, BROTLI_MAX_QUALITY, Z_BEST_COMPRESSION } = constants;
const formats = [
  ['br', (text: Buffer) => promisify(brotliCompress)(text, { params: { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY } })],
  // browsers accept brotli over TLS only
  ['gz', (text: Buffer) => promisify(gzip)(text, { level: Z_BEST_COMPRESSION })],
] as const;

/** Smaller files, in bytes, gain less than the headers cost; the service uses the same limit. */
const WORTH_IT = 1_024;

/**
 * Writes compressed copies beside each script and style sheet, so that the service need not compress them per request.
 */
export function compressed(): Plugin {
  return {
    name: 'tenure-compressed',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const texts = Object.entries(bundle).flatMap(([fileName, output]) => {
          const text = Buffer.from(output.type === 'chunk' ? output.code : output.source);
          return /\.(js|css)$/.test(fileName) && text.length >= WORTH_IT ? [{ fileName, text }] : [];
        });
        await Promise.all(
          texts.flatMap(({ fileName, text }) =>
            formats.map(async ([ending, compress]) =>
              this.emitFile({ type: 'asset', fileName: `${fileName}.${ending}`, source: await compress(text) }),
            ),
          ),
        );
      },
    },
  };
}
