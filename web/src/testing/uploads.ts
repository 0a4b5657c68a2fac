/** The used part of XMLHttpRequest on top of `fetch`, since jsdom's own would open a connection. */
export const uploadsThrough = (fetcher: () => typeof fetch) =>
  class extends EventTarget {
    readonly upload = new EventTarget();
    withCredentials = false;
    status = 0;
    statusText = '';
    responseText = '';
    private request: RequestInit & { url: string } = { url: '' };
    private readonly headers = new Headers();
    private answered = new Headers();

    open(method: string, url: string) {
      this.request = { method, url };
    }
    setRequestHeader(name: string, value: string) {
      this.headers.set(name, value);
    }
    getAllResponseHeaders() {
      return [...this.answered].map(([name, value]) => `${name}: ${value}`).join('\r\n');
    }
    abort() {
      this.dispatchEvent(new Event('abort'));
    }
    async send(body: BodyInit | null) {
      const { url, ...request } = this.request;
      try {
        const answer = await fetcher()(url, { ...request, headers: this.headers, body });
        this.status = answer.status;
        this.statusText = answer.statusText;
        this.answered = answer.headers;
        this.responseText = await answer.text();
        this.dispatchEvent(new Event('load'));
      } catch {
        this.dispatchEvent(new Event('error'));
      }
    }
  };
