import * as vscode from 'vscode';
import { mayBeManifest } from '../../../core/modules/manifest/moduleManifest';
import type { ParsedManifest } from '../../../core/modules/manifest/parseManifest';

/**
 * Selector for documents that can contain a manifest: local files, remote files, and unsaved
 * documents.
 */
export const MANIFEST_DOCUMENTS = [{ language: 'json' }, { language: 'jsonc' }];

interface Read {
  readonly version: number;
  readonly parsed: Promise<ParsedManifest | undefined>;
}

/** Finds and parses the manifests among JSON documents. Parses each document version only once. */
export class ManifestReader {
  private readonly known = new WeakMap<vscode.TextDocument, Read>();

  /** Returns the parsed manifest; undefined for documents that aren't manifests. */
  read(document: vscode.TextDocument): Promise<ParsedManifest | undefined> {
    const { version } = document;
    const known = this.known.get(document);
    if (known?.version === version) return known.parsed;
    const parsed = this.parse(document);
    this.known.set(document, { version, parsed });
    return parsed;
  }

  private async parse(document: vscode.TextDocument): Promise<ParsedManifest | undefined> {
    if (!vscode.languages.match(MANIFEST_DOCUMENTS, document)) return undefined;
    // Earlier versions of a file, shown next to the editable one, are an example of read-only
    // documents.
    if (vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) === false) return undefined;
    const name = document.uri.path.split('/').at(-1) ?? '';
    const text = document.getText();
    if (!mayBeManifest(name, text)) return undefined;
    const [{ parseManifest }, { isManifest }] = await Promise.all([
      import('../../../core/modules/manifest/parseManifest'),
      import('../../../core/modules/manifest/isManifest'),
    ]);
    const parsed = parseManifest(text);
    return isManifest(name, parsed) ? parsed : undefined;
  }
}

/** Converts offsets to a range of a text. */
export function rangeAt(
  document: vscode.TextDocument,
  { offset, length }: { readonly offset: number; readonly length: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

/**
 * Returns the folder of a manifest on this computer; undefined if the manifest is elsewhere or
 * unsaved.
 */
export function getManifestFolder({ uri }: vscode.TextDocument): string | undefined {
  return uri.scheme === 'file' ? vscode.Uri.joinPath(uri, '..').fsPath : undefined;
}
