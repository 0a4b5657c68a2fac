declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required?: boolean } | null;
  }
}

declare module 'subset-font' {
  type Options = { targetFormat: 'sfnt'; variationAxes?: Record<string, number> };
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>;
}
