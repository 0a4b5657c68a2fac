/** Brand colours, derived from one chosen colour so that all text on them is readable. */

/** Lower-case `#rrggbb`. */
export type Hex = `#${string}`;

export const isHex = (value: string): value is Hex => /^#[0-9a-f]{6}$/.test(value);

type Rgb = readonly [red: number, green: number, blue: number];

/** The linear light of each channel, 0 to 1. */
function linearOf(hex: string): Rgb {
  const channel = (start: number) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** Relative luminance, 0 to 1. Source: WCAG 2.2. */
export function luminance(hex: string): number {
  const [red, green, blue] = linearOf(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colours, 1 to 21. Source: WCAG 2.2. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Lightness 0 to 1, chroma from 0, hue in radians. */
type Lch = { l: number; c: number; h: number };

/** Source: Björn Ottosson, Oklab. */
function toLch(hex: string): Lch {
  const [red, green, blue] = linearOf(hex);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const l = 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short;
  return { l, c: Math.hypot(a, b), h: Math.atan2(b, a) };
}

function toLinear({ l, c, h }: Lch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
}

const isShown = (rgb: Rgb) => rgb.every((channel) => channel > -0.0005 && channel < 1.0005);

/** Reduces the chroma of a colour that a screen cannot show. */
function toHex(colour: Lch): Hex {
  let rgb = toLinear(colour);
  for (let { c } = colour; !isShown(rgb) && c > 0.001; c *= 0.96) rgb = toLinear({ ...colour, c });
  if (!isShown(rgb)) rgb = toLinear({ ...colour, c: 0 });
  const digits = rgb.map((channel) => {
    const value = Math.min(1, Math.max(0, channel));
    const gamma = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(gamma * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${digits.join('')}`;
}

/** The required contrast between text and background. Source: WCAG 2.2, criterion 1.4.3. */
export const readable = 4.5;
/** The required contrast between shapes and background. Source: WCAG 2.2, criterion 1.4.11. */
export const distinguishable = 3;
/** A margin, because rounding to 256 steps per channel must not fall below a limit. */
const margin = 0.02;
const step = 0.005;

/** The nearest lightness in one direction for which `isGood` is true. */
function towards(start: Lch, direction: 1 | -1, isGood: (hex: Hex) => boolean): Hex {
  let { l } = start;
  let hex = toHex(start);
  while (!isGood(hex) && (direction === 1 ? l < 1 : l > 0)) {
    l = Math.min(1, Math.max(0, l + direction * step));
    hex = toHex({ ...start, l });
  }
  return hex;
}

const on = (grounds: readonly string[], least: number) => (hex: Hex) =>
  grounds.every((ground) => contrast(hex, ground) >= least + margin);

/** The application's backgrounds behind the accent colour, by scheme. */
export const grounds = {
  light: ['#ffffff', '#faf9f7', '#f3f1ec'],
  dark: ['#1a1917', '#161513', '#121110'],
} as const;

/** The colours of one scheme. */
export type Accent = {
  /** Links, icons and focus rings. */
  accent: Hex;
  /** A tint behind the accent. */
  soft: Hex;
  softHover: Hex;
  /** A background for white text. */
  filled: Hex;
  filledHover: Hex;
};

function lightAccent(chosen: Lch): Accent {
  const soft = toHex({ ...chosen, l: 0.953, c: Math.min(chosen.c, 0.03) });
  const accent = towards(chosen, -1, on([...grounds.light, soft], readable));
  const filled = towards(chosen, -1, on(['#ffffff'], readable));
  const hover = toLch(filled);
  return {
    accent,
    soft,
    softHover: toHex({ ...chosen, l: 0.915, c: Math.min(chosen.c, 0.05) }),
    filled,
    filledHover: toHex({ ...hover, l: Math.max(0, hover.l - 0.06) }),
  };
}

function darkAccent(chosen: Lch): Accent {
  const soft = toHex({ ...chosen, l: 0.285, c: Math.min(chosen.c, 0.04) });
  const accent = towards({ ...chosen, l: Math.max(chosen.l, 0.7) }, 1, on([...grounds.dark, soft], readable));
  const visible = towards(chosen, 1, on(grounds.dark, distinguishable));
  const filled = towards(toLch(visible), -1, on(['#ffffff'], readable));
  const hover = toLch(filled);
  return {
    accent,
    soft,
    softHover: toHex({ ...chosen, l: 0.33, c: Math.min(chosen.c, 0.05) }),
    filled,
    filledHover: toHex({ ...hover, l: Math.max(0, hover.l - 0.05) }),
  };
}

/** The colours of both schemes for a chosen colour; all text on them has a contrast of at least 4.5. */
export function accentsOf(chosen: Hex): { light: Accent; dark: Accent } {
  const colour = toLch(chosen);
  return { light: lightAccent(colour), dark: darkAccent(colour) };
}

const lightness = [0.975, 0.945, 0.885, 0.81, 0.73, 0.63, 0.53, 0.46, 0.39, 0.32];

/** Ten shades of a chosen colour, from the lightest to the darkest. */
export function shadesOf(chosen: Hex): Hex[] {
  const colour = toLch(chosen);
  return lightness.map((l, index) => toHex({ ...colour, l, c: Math.min(colour.c, 0.02 + index * 0.03) }));
}

const variables = ({ accent, soft, softHover, filled, filledHover }: Accent, shadedText: Hex) => ({
  '--accent': accent,
  '--accent-soft': soft,
  '--filled': filled,
  '--mantine-color-lagoon-text': accent,
  '--mantine-color-lagoon-filled': filled,
  '--mantine-color-lagoon-filled-hover': filledHover,
  '--mantine-color-lagoon-light': soft,
  '--mantine-color-lagoon-light-hover': softHover,
  '--mantine-color-lagoon-light-color': shadedText,
});

const block = (selector: string, values: Readonly<Record<string, string>>) =>
  `${selector}{${Object.entries(values)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`;

/** The variables of both schemes for a chosen colour, and the ten shades. */
export function accentVariables(chosen: Hex) {
  const { light, dark } = accentsOf(chosen);
  const shades = shadesOf(chosen);
  const [lightest = light.soft, darkest = light.accent] = [shades[0], shades[9]];
  return {
    shades: Object.fromEntries(shades.map((shade, index) => [`--mantine-color-lagoon-${index}`, shade])),
    light: variables(light, darkest),
    dark: variables(dark, lightest),
  };
}

/** The style sheet for a chosen colour. Its selectors override those of the application. */
export function accentSheet(chosen: Hex): string {
  const { shades, light, dark } = accentVariables(chosen);
  const scheme = (name: string) => `:root:root[data-mantine-color-scheme='${name}']`;
  return `${block(':root:root', shades)}\n${block(scheme('light'), light)}\n${block(scheme('dark'), dark)}\n`;
}
