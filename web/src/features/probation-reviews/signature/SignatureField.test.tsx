import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { english } from '../../../testing/start.tsx';
import { SignatureField } from './SignatureField.tsx';
import { useSignature } from './use-signature.ts';

const png = 'data:image/png;base64,AAAA';
type Painted = { width: number; height: number };
let painted: Painted[] = [];

/** Stubs the canvas that jsdom lacks: it draws nothing, and its picture has the size of the canvas. */
function stubCanvas(pictureOf: (size: Painted) => string = () => png) {
  painted = [];
  const pen = new Proxy({}, { get: () => () => undefined, set: () => true });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockImplementation(function paint(this: HTMLCanvasElement) {
    painted.push({ width: this.width, height: this.height });
    return pictureOf({ width: this.width, height: this.height });
  });
}

beforeEach(() => {
  stubCanvas();
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined }));
});
afterEach(() => void vi.restoreAllMocks());

const sent = vi.fn<(signature: unknown) => void>();

function Question({ errors }: { errors: Record<string, string> }) {
  const signature = useSignature('Hana Ito');
  return (
    <>
      <SignatureField signature={signature} errors={errors} attest="I sign." />
      <button onClick={() => sent(signature.submit())}>Send</button>
    </>
  );
}

function open(errors: Record<string, string> = {}) {
  sent.mockClear();
  const { id, format, messages } = english;
  render(
    <IntlProvider locale={format ?? id} messages={messages}>
      <MantineProvider>
        <Question errors={errors} />
      </MantineProvider>
    </IntlProvider>,
  );
  const user = userEvent.setup();
  const send = async () => {
    await user.click(screen.getByRole('button', { name: 'Send' }));
    return sent.mock.calls.at(-1)?.[0];
  };
  return { user, send };
}

const choose = async (user: ReturnType<typeof userEvent.setup>, label: string) =>
  user.click(screen.getByRole('radio', { name: label }));
const draw = (sheet: HTMLElement) => {
  const at = (x: number) => ({ clientX: x, clientY: 20, buttons: 1, button: 0, isPrimary: true, pressure: 0.5 });
  fireEvent.pointerDown(sheet, at(10));
  fireEvent.pointerMove(window, at(40));
  fireEvent.pointerUp(window, { ...at(60), buttons: 0 });
};

test('the name is prefilled, and the signature is valid once its statement is confirmed', async () => {
  const { user, send } = open();
  expect(await send()).toBeUndefined();
  await screen.findByText('Tick the box to confirm before you sign.');
  await user.click(screen.getByRole('checkbox', { name: 'I sign.' }));
  expect(screen.queryByText('Tick the box to confirm before you sign.')).toBeNull();
  fireEvent.change(screen.getByLabelText(/^Your full name/), { target: { value: ' Hana M. Ito ' } });
  expect(await send()).toEqual({ method: 'typed', typed_name: 'Hana M. Ito' });
});

test('an empty canvas is no signature; a drawing is sent, and clearing removes it', async () => {
  const { user, send } = open();
  await user.click(screen.getByRole('checkbox', { name: 'I sign.' }));
  await choose(user, 'Draw');
  const sheet = await screen.findByRole('img', { name: /^Signature area/ });
  expect(await send()).toBeUndefined();
  expect(screen.getByText('Draw your signature.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Clear' })).toHaveProperty('disabled', true);
  draw(sheet);
  await screen.findByText('Signature drawn.');
  expect(await send()).toEqual({ method: 'drawn', image: png });
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  expect(screen.getByText('Draw your signature above.')).toBeDefined();
  expect(await send()).toBeUndefined();
});

test('a user who cannot draw can type instead, and the empty drawing is not sent', async () => {
  const { user, send } = open();
  await user.click(screen.getByRole('checkbox', { name: 'I sign.' }));
  await choose(user, 'Draw');
  draw(await screen.findByRole('img', { name: /^Signature area/ }));
  await user.click(await screen.findByRole('button', { name: 'Type your name instead' }));
  expect(await send()).toEqual({ method: 'typed', typed_name: 'Hana Ito' });
  await choose(user, 'Draw');
  await screen.findByText('Draw your signature above.');
  expect(await send()).toBeUndefined();
});

const pictureOf = (width: number, height: number) =>
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width, height, close() {} }));
const file = new File(['x'], 'mine.png', { type: 'image/png' });

async function upload(user: ReturnType<typeof userEvent.setup>) {
  await choose(user, 'Upload image');
  await user.upload(await screen.findByLabelText(/Select an image of your signature/), file);
}

test('a picture is scaled down to the size of a signature and sent as drawn', async () => {
  pictureOf(3_600, 360);
  const { user, send } = open();
  await user.click(screen.getByRole('checkbox', { name: 'I sign.' }));
  await upload(user);
  await screen.findByText('Your image is ready.');
  expect(screen.getByRole('img', { name: 'Your signature' })).toBeDefined();
  expect(painted).toEqual([{ width: 900, height: 90 }]);
  expect(await send()).toEqual({ method: 'drawn', image: png });
});

test('a picture with too many bytes is scaled down until the service accepts it', async () => {
  pictureOf(900, 300);
  stubCanvas(({ width }) => `data:image/png;base64,${'A'.repeat(width > 600 ? 400_000 : 4)}`);
  const { user } = open();
  await upload(user);
  await screen.findByText('Your image is ready.');
  expect(painted.map(({ width }) => width)).toEqual([900, 720, 576]);
});

test('a file that is no picture shows an error and does not replace one', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('No picture')));
  const { user, send } = open();
  await user.click(screen.getByRole('checkbox', { name: 'I sign.' }));
  await upload(user);
  await screen.findByText('We couldn’t read this image.');
  expect(await send()).toBeUndefined();
  expect(screen.getByText('Select an image.')).toBeDefined();
});

test.each(['image', 'signature.image', 'method', 'signature.method'])(
  "shows the service's error about %s",
  async (name) => {
    const { user } = open({ [name]: 'The picture is too large.' });
    await choose(user, 'Draw');
    await waitFor(() => expect(screen.getByText('The picture is too large.')).toBeDefined());
  },
);
