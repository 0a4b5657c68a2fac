// Runs before the first paint. It is a file because the content security policy forbids inline scripts. It applies the
// color scheme, preloads the texts of the language and requests the session while the application loads.
(function () {
  const root = document.documentElement;
  const read = function (key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const scheme = read('tenure.scheme');
  const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  // The language stored on this device, else the browser's preferred language among those available.
  const offered = ['en', 'de'];
  const wanted = [read('tenure.locale')].concat(navigator.languages || []).map(function (tag) {
    return String(tag).split('-')[0].toLowerCase();
  });
  const locale = wanted.find((tag) => offered.includes(tag)) || 'en';
  root.lang = locale;
  root.dir = /^(ar|fa|he|ur)$/.test(locale) ? 'rtl' : 'ltr';
  const texts = document.querySelector('meta[name="texts-' + locale + '"]');
  if (texts) {
    const ahead = document.createElement('link');
    ahead.rel = 'modulepreload';
    ahead.href = texts.content;
    document.head.append(ahead);
  }
  const base = document.querySelector('meta[name="api-base"]');
  window.earlySession = fetch((base ? base.content : '') + '/api/me', {
    headers: { Accept: 'application/json' },
    credentials: 'include',
    cache: 'no-store',
  });
  // The consumer handles a failure; without a consumer it must not count as an unhandled rejection.
  window.earlySession.catch(function () {});
})();
