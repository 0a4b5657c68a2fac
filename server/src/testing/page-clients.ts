import type { AxiosInstance, AxiosResponse } from 'axios';
// @ts-expect-error -- the package has types and does not export them
import { Form as PublishedForm } from 'vform';

/** What a browser page loads in client tests: packages as published. */
export { default as axios } from 'axios';
export { createElement } from 'react';
export { createRoot } from 'react-dom/client';
export { Sanctum, useSanctum } from 'react-sanctum';
export type { SanctumContextProps } from 'react-sanctum';

type FormOf = {
  errors: { get: (field: string) => string | undefined; has: (field: string) => boolean };
  update: (data: object) => void;
  post: <T>(url: string) => Promise<AxiosResponse<T>>;
  delete: <T>(url: string) => Promise<AxiosResponse<T>>;
};

export const Form = PublishedForm as { new (data: object): FormOf; axios: AxiosInstance };
