import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import type { NotebookCell } from '../../../core/query/notebook/notebookFile';
import { cellLanguage, toLanguageId, MARKDOWN } from './cellLanguages';
import { cellMetadata, notebookMetadata, readCellMetadata, readNotebookMetadata } from './metadata';

/**
 * Serializes notebooks as Markdown files with queries. Stores the other parts of a file in
 * metadata, so that saving changes only edited lines. Never writes outputs to the file.
 */
export class NotebookTextSerializer implements vscode.NotebookSerializer {
  async deserializeNotebook(content: Uint8Array): Promise<vscode.NotebookData> {
    const { readNotebook } = await import('../../../core/query/notebook/notebookFile');
    const { head, cells, tail } = readNotebook(decodeText(content));
    const data = new vscode.NotebookData(cells.map(cellData));
    data.metadata = notebookMetadata({ head, tail });
    return data;
  }

  async serializeNotebook({ cells, metadata }: vscode.NotebookData): Promise<Uint8Array> {
    const { printNotebook } = await import('../../../core/query/notebook/printNotebook');
    const text = printNotebook({
      ...readNotebookMetadata(metadata),
      cells: cells.map(toNotebookCell),
    });
    return new TextEncoder().encode(text);
  }
}

function cellData(cell: NotebookCell): vscode.NotebookCellData {
  const { Markup, Code } = vscode.NotebookCellKind;
  const data =
    cell.kind === 'text'
      ? new vscode.NotebookCellData(Markup, cell.text, MARKDOWN)
      : new vscode.NotebookCellData(Code, cell.text, toLanguageId(cell.language));
  const recent = cell.kind === 'code' && cell.recent;
  data.metadata = cellMetadata({ source: cell.source, recent });
  return data;
}

function toNotebookCell({
  kind,
  value,
  languageId,
  metadata,
}: vscode.NotebookCellData): NotebookCell {
  const { source, recent } = readCellMetadata(metadata);
  if (kind === vscode.NotebookCellKind.Markup) return { kind: 'text', text: value, source };
  return { kind: 'code', language: cellLanguage(languageId), recent, text: value, source };
}

/** @throws FleetError for content that isn't valid text, because saving would change it. */
function decodeText(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (cause) {
    const message = vscode.l10n.t(
      "This notebook can't be opened because it is not UTF-8. Convert it, or open it as text.",
    );
    throw new FleetError('invalid', message, { cause });
  }
}
