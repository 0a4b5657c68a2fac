import type { ReactNode } from 'react';

/** The content of a sheet, and whether it is open. */
export type SheetProps = { title: string; opened: boolean; onClose: () => void; children: ReactNode };
