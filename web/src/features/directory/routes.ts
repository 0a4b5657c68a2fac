import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { directorySearch } from './search.ts';

const directory = createRoute({
  getParentRoute: () => shell,
  path: paths.directory,
  validateSearch: directorySearch,
  component: lazyScreen(() => import('./DirectoryPage.tsx'), 'DirectoryPage', 'directory'),
});

const colleague = createRoute({
  getParentRoute: () => shell,
  path: paths.colleague,
  component: lazyScreen(() => import('./ColleaguePage.tsx'), 'ColleaguePage', 'directory'),
});

/** The routes of the company directory. */
export const directoryRoutes = [directory, colleague] as const;
