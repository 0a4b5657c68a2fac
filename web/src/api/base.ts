/** The origin of the API: this origin, unless the build sets another. */
export const apiBase: string = import.meta.env['VITE_API_BASE'] ?? '';
