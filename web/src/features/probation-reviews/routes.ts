import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';
import { criteriaSearch, lettersSearch, probationSearch, reviewSearch } from './search.ts';

const probation = createRoute({
  getParentRoute: () => shell,
  path: paths.probation,
  validateSearch: probationSearch,
  component: lazyScreen(() => import('./list/ProbationPage.tsx'), 'ProbationPage', 'probation', 'probation-words'),
});

const review = createRoute({
  getParentRoute: () => shell,
  path: paths.probationReview,
  validateSearch: reviewSearch,
  component: lazyScreen(
    () => import('./review/ReviewPage.tsx'),
    'ReviewPage',
    'probation-review',
    'probation-signatures',
    'probation-words',
    'autosave',
  ),
});

const verification = createRoute({
  getParentRoute: () => shell,
  path: paths.probationVerification,
  component: lazyScreen(
    () => import('./verify/VerifyPage.tsx'),
    'VerifyPage',
    'probation-verify',
    'probation-signatures',
  ),
});

const letters = createRoute({
  getParentRoute: () => shell,
  path: paths.letters,
  validateSearch: lettersSearch,
  component: lazyScreen(() => import('./letters/LettersPage.tsx'), 'LettersPage', 'letters'),
});

const criteria = createRoute({
  getParentRoute: () => shell,
  path: paths.probationCriteria,
  validateSearch: criteriaSearch,
  component: lazyScreen(() => import('./criteria/CriteriaPage.tsx'), 'CriteriaPage', 'probation-criteria'),
});

/** The routes of probation. */
export const probationRoutes = [probation, review, verification, letters, criteria] as const;
