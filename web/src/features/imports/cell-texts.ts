import { createContext, use } from 'react';

type CellText = (field: string, text: string) => string | undefined;

/** The displayed text of a cell in the page's kind of import; undefined if the cell is shown as it is. */
export const KindCellTexts = createContext<CellText>(() => undefined);

/** The displayed text of a cell, if it differs. */
export const useCellText = (): CellText => use(KindCellTexts);
