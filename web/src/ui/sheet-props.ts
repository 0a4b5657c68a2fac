import type { ReactNode } from 'react';

/** What a sheet shows, and whether it does. */
export type SheetProps = { title: string; opened: boolean; onClose: () => void; children: ReactNode };
