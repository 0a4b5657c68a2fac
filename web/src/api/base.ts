/** Where the service is: this origin, unless the build names another. */
export const apiBase: string = import.meta.env['VITE_API_BASE'] ?? '';
