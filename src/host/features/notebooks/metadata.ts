import { isBlankText } from '../../../core/query/notebook/textLines';
import type { NotebookFile } from '../../../core/query/notebook/notebookFile';
import { isBoolean, isRecord, isString } from '../../../shared/guards';

/** Metadata of a notebook in VS Code, in addition to its cells. */
export type NotebookFrame = Pick<NotebookFile, 'head' | 'tail'>;

/** Metadata of a cell in VS Code, in addition to its text and language. */
export interface CellMetadata {
  /** Source text in the file. */
  readonly source: string | undefined;
  /** True if the cell queries only recent data. */
  readonly recent: boolean;
}

type SavedMetadata = Readonly<Record<string, unknown>>;

export function notebookMetadata({ head, tail }: NotebookFrame): Record<string, unknown> {
  return { head, tail };
}

/** Parses metadata, which the user or another extension might have changed. */
export function readNotebookMetadata(saved: SavedMetadata | undefined): NotebookFrame {
  const { head, tail } = saved ?? {};
  return {
    head: isString(head) ? head : '',
    tail: isString(tail) && isBlankText(tail) ? tail : '',
  };
}

export function cellMetadata({ source, recent }: CellMetadata): Record<string, unknown> {
  return { ...(source !== undefined && { source }), ...(recent && { recent }) };
}

export function readCellMetadata(saved: SavedMetadata | undefined): CellMetadata {
  const { source, recent } = isRecord(saved) ? saved : {};
  return { source: isString(source) ? source : undefined, recent: isBoolean(recent) && recent };
}
