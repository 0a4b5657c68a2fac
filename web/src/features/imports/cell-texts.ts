import { createContext, use } from 'react';

type CellText = (field: string, text: string) => string | undefined;

/** How texts of cells read in the kind of import of the page; undefined for a text that stands for itself. */
export const KindCellTexts = createContext<CellText>(() => undefined);

/** How the text of a cell reads, if not as it is. */
export const useCellText = (): CellText => use(KindCellTexts);
