// Runs before the first paint, as a file because the content security policy allows no inline script:
// the chosen colours, the language and its texts, and the question who is signed in, asked while the application still loads.
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
  // The choice made on this device, else the first language of the browser that is on offer.
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
  // Whoever reads it handles a failure; without a reader it must not count as an unhandled one.
  window.earlySession.catch(function () {});
})();
