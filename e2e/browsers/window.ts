export type Point = { x: number; y: number };

/** A browser window that a person uses with a pointer and a keyboard. Points are pixels of the viewport. */
export type Window = {
  open(address: string): Promise<void>;
  /** The value of an expression in the page, which may be a promise; it must survive JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Presses at the first point, moves to the others and releases; with one point, a click. */
  press(points: readonly Point[]): Promise<void>;
  /** Turns the wheel over a point; down and right are positive. */
  wheel(point: Point, by: Point): Promise<void>;
  type(text: string): Promise<void>;
  /** Selects a file in the file input that the selector matches. */
  choose(selector: string, path: string): Promise<void>;
  /** A screenshot of the window as PNG. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
};

export type Size = { width: number; height: number };
export type OpenWindow = (size: Size) => Promise<Window>;

/** Keys without a character, as the W3C protocols encode them. */
export const keys = { Enter: '\uE007', Tab: '\uE004', Escape: '\uE00C', End: '\uE010', Backspace: '\uE003' };

/** A press in the format of both W3C protocols: `input.performActions` of BiDi and `actions` of WebDriver. */
export function pressActions(points: readonly Point[]): object[] {
  const [first, ...others] = points.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
  const moves = others.map((point) => ({ type: 'pointerMove', duration: 10, ...point }));
  const actions = [
    { type: 'pointerMove', ...first },
    { type: 'pointerDown', button: 0 },
    ...moves,
    { type: 'pointerUp', button: 0 },
  ];
  return [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }];
}

export function wheelActions({ x, y }: Point, by: Point): object[] {
  const scroll = { type: 'scroll', x: Math.round(x), y: Math.round(y), deltaX: by.x, deltaY: by.y };
  return [{ type: 'wheel', id: 'wheel', actions: [scroll] }];
}

export function typeActions(text: string): object[] {
  const actions = Array.from(text).flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]);
  return [{ type: 'key', id: 'keyboard', actions }];
}
