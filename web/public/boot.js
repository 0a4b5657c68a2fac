// Runs before the first paint, as a file because the content security policy allows no inline script:
// the chosen colours and the language, and the question who is signed in, asked while the application still loads.
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
  const locale = read('tenure.locale');
  if (locale) {
    root.lang = locale;
    root.dir = /^(ar|fa|he|ur)\b/.test(locale) ? 'rtl' : 'ltr';
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
