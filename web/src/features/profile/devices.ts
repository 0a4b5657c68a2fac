/** Browsers by their user-agent mark; those that contain another browser's mark come first. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[.\d]* (?:Mobile\/\w+ )?Safari\//],
] as const;

const systems = [
  ['iPadOS', /\biPad\b/],
  ['iOS', /\biPhone\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

export type Device = { browser: string | undefined; system: string | undefined; mobile: boolean };

/** Guesses browser and operating system from a user agent, so that users recognise their devices. */
export function deviceOf(userAgent: string | null): Device {
  const text = userAgent ?? '';
  const [name, mark] = browsers.find(([, pattern]) => pattern.test(text)) ?? [];
  const version = mark?.exec(text)?.[1];
  const system = systems.find(([, pattern]) => pattern.test(text))?.[0];
  return {
    browser: name && version ? `${name} ${version}` : name,
    system,
    mobile: /\b(?:Mobile|iPad|Android)\b/.test(text),
  };
}
