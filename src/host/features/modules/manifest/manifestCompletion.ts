import * as vscode from 'vscode';
import type { ManifestSlot } from '../../../../core/modules/manifest/manifestLanguage';
import type { ManifestReader } from './manifestDiagnostics';
import { toRange } from '../../../platform/documents/toRange';

/** Characters other than letters that trigger suggestions. */
export const MANIFEST_TRIGGERS = ['"', '/', ':'];
/** Maximum number of suggested files, because folders can contain thousands. */
const MAX_FILES = 500;

/**
 * Suggests values that a schema can't list: the module's models, and files next to the manifest.
 */
export class ManifestCompletion implements vscode.CompletionItemProvider {
  constructor(private readonly reader: ManifestReader) {}

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> {
    const parsed = await this.reader.read(document);
    if (!parsed) return [];
    const { slotAt } = await import('../../../../core/modules/manifest/manifestLanguage');
    const slot = slotAt(document.getText(), document.offsetAt(position), parsed);
    if (!slot) return [];
    const range = toRange(document, slot.span);
    const { offer } = slot;
    if (offer.kind === 'files') return completeFiles(document, slot, range);
    return offer.values.map((value) =>
      createCompletionItem(value, range, vscode.CompletionItemKind.Value),
    );
  }
}

async function completeFiles(
  document: vscode.TextDocument,
  { written, offer }: ManifestSlot,
  range: vscode.Range,
): Promise<vscode.CompletionItem[]> {
  const { insidePath } = await import('../../../../core/modules/manifest/manifestPath');
  const typed = written.slice(0, written.lastIndexOf('/') + 1);
  const folder = insidePath(typed);
  if (folder === undefined) return [];
  const folderUri = vscode.Uri.joinPath(document.uri, '..', folder);
  const entries = await readFolder(folderUri);
  const before = offer.kind === 'files' && offer.isCommand && typed === '' ? './' : typed;
  return entries.slice(0, MAX_FILES).map(([name, type]) => {
    const isFolder = (type & vscode.FileType.Directory) !== 0;
    const kind = vscode.CompletionItemKind[isFolder ? 'Folder' : 'File'];
    const item = createCompletionItem(`${before}${name}${isFolder ? '/' : ''}`, range, kind);
    return isFolder ? goingOn(item) : item;
  });
}

/** Leaves the cursor inside the string and then suggests the folder's contents. */
function goingOn(item: vscode.CompletionItem): vscode.CompletionItem {
  const text = JSON.stringify(item.label);
  item.insertText = new vscode.SnippetString()
    .appendText(text.slice(0, -1))
    .appendTabstop(0)
    .appendText(text.slice(-1));
  const title = vscode.l10n.t('Suggest the folder contents');
  item.command = { command: 'editor.action.triggerSuggest', title };
  return item;
}

async function readFolder(folderUri: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folderUri);
    return entries.filter(([name]) => name !== '.git' && name !== 'node_modules');
  } catch {
    // The typed path doesn't have to be an existing folder.
    return [];
  }
}

function createCompletionItem(
  value: string,
  range: vscode.Range,
  kind: vscode.CompletionItemKind,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem(value, kind);
  const text = JSON.stringify(value);
  item.range = range;
  item.insertText = text;
  item.filterText = text;
  return item;
}
