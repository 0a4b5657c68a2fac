import './ui/styles.css';
import './ui/tokens.css';
import './ui/base.css';
import './ui/print.css';
import '@fontsource-variable/inter/wght.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Application, createApplication } from './application.tsx';
import { loadLanguage } from './locales/locales.ts';

const mount = document.getElementById('root');
if (!mount) throw new Error('index.html has no element with the id "root".');

const language = await loadLanguage();
createRoot(mount).render(
  <StrictMode>
    <Application application={createApplication()} language={language} />
  </StrictMode>,
);
