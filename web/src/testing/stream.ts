import { vi } from 'vitest';

/** A fake event stream of live updates. */
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
    /** Simulates an answer that is no event stream. */
    refuse() {
      this.readyState = FakeStream.CLOSED;
      this.dispatchEvent(new Event('error'));
    }
  }
  vi.stubGlobal('EventSource', FakeStream);
  return opened;
}
