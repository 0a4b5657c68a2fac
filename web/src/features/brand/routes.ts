import { createRoute } from '@tanstack/react-router';
import { shell } from '../../auth-routes.tsx';
import { lazyScreen } from '../../layout/lazy-screen.ts';
import { paths } from '../../paths.ts';

const brand = createRoute({
  getParentRoute: () => shell,
  path: paths.brand,
  component: lazyScreen(() => import('./BrandPage.tsx'), 'BrandPage', 'brand', 'file-check'),
});

const companyBrand = createRoute({
  getParentRoute: () => shell,
  path: paths.companyBrand,
  component: lazyScreen(() => import('./CompanyBrandPage.tsx'), 'CompanyBrandPage', 'brand', 'file-check'),
});

/** The routes of the brand of the installation and of a company. */
export const brandRoutes = [brand, companyBrand] as const;
