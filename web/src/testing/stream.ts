import { vi } from 'vitest';

/** Stands for the stream of news at the edge of the browser. */
export function streams() {
  const opened: FakeStream[] = [];
  class FakeStream extends EventTarget {
    static readonly CLOSED = 2;
    readonly url: string;
    readyState = 1;
    constructor(url: string) {
      super();
      this.url = url;
      opened.push(this);
    }
    close() {
      this.readyState = FakeStream.CLOSED;
    }
    tell(event: string, data: unknown) {
      this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
    }
    /** As after an answer that is no stream. */
    refuse() {
      this.readyState = FakeStream.CLOSED;
      this.dispatchEvent(new Event('error'));
    }
  }
  vi.stubGlobal('EventSource', FakeStream);
  return opened;
}
