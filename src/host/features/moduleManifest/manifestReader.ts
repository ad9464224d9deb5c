import * as vscode from 'vscode';
import { mayBeManifest } from '../../../core/modules/manifest/moduleManifest';
import type { ParsedManifest } from '../../../core/modules/manifest/parseManifest';

/** All that can hold a manifest: files of this machine or of elsewhere, and what is not saved yet. */
export const MANIFEST_DOCUMENTS = [{ language: 'json' }, { language: 'jsonc' }];

interface Read {
  readonly version: number;
  readonly parsed: Promise<ParsedManifest | undefined>;
}

/** Reads the manifests among JSON documents, each version of a text once. */
export class ManifestReader {
  private readonly known = new WeakMap<vscode.TextDocument, Read>();

  /** Undefined for all that is no manifest. */
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
    // Such as an older version of a file, beside the one that can be mended.
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

/** A stretch of a text by offsets. */
export function rangeAt(
  document: vscode.TextDocument,
  { offset, length }: { readonly offset: number; readonly length: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

/** The folder of a manifest on this machine; undefined where it is elsewhere, or not saved. */
export function folderOf({ uri }: vscode.TextDocument): string | undefined {
  return uri.scheme === 'file' ? vscode.Uri.joinPath(uri, '..').fsPath : undefined;
}
