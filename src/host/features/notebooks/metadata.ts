import { isBlankText } from '../../../core/query/notebook/textLines';
import type { NotebookFile } from '../../../core/query/notebook/notebookFile';
import { isBoolean, isRecord, isString } from '../../../shared/guards';

/** What VS Code keeps of a notebook besides its cells. */
export type NotebookFrame = Pick<NotebookFile, 'head' | 'tail'>;

/** What VS Code keeps of a cell besides its text and language. */
export interface CellMetadata {
  /** How the file has it. */
  readonly source: string | undefined;
  /** Whether the cell asks recent data alone. */
  readonly recent: boolean;
}

type Kept = Readonly<Record<string, unknown>>;

export function notebookMetadata({ head, tail }: NotebookFrame): Record<string, unknown> {
  return { head, tail };
}

/** Metadata as a person or another extension may have left it. */
export function readNotebookMetadata(kept: Kept | undefined): NotebookFrame {
  const { head, tail } = kept ?? {};
  return {
    head: isString(head) ? head : '',
    tail: isString(tail) && isBlankText(tail) ? tail : '',
  };
}

export function cellMetadata({ source, recent }: CellMetadata): Record<string, unknown> {
  return { ...(source !== undefined && { source }), ...(recent && { recent }) };
}

export function readCellMetadata(kept: Kept | undefined): CellMetadata {
  const { source, recent } = isRecord(kept) ? kept : {};
  return { source: isString(source) ? source : undefined, recent: isBoolean(recent) && recent };
}
