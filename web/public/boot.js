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
  // The colours of the user's company, as they were on this device last.
  try {
    const css = JSON.parse(read('tenure.brand')).css;
    if (css) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [sheet];
    }
  } catch {
    // none are kept
  }
  // The bars around the page have the scheme that was chosen here.
  if (scheme === 'dark' || scheme === 'light')
    for (const colour of document.querySelectorAll('meta[name="theme-color"]'))
      colour.content = dark ? '#121110' : '#f3f1ec';
  // The choice made on this device, else the first language of the browser that is on offer, else the first of all.
  const offered = Array.from(document.querySelectorAll('meta[name="texts"]'));
  const wanted = [read('tenure.locale')].concat(navigator.languages || []).map(function (tag) {
    return String(tag).split('-')[0].toLowerCase();
  });
  const tag = wanted.find((one) => offered.some((texts) => texts.lang === one));
  const texts = offered.find((one) => one.lang === tag) || offered[0];
  root.lang = texts.lang;
  root.dir = texts.dir;
  if (texts.content) {
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
