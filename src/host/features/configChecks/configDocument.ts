import { type Node, parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { ConfigNode } from '../../../core/configChecks/configDiagnostic';
import type { TextRange } from '../../../core/documents/rejection';

/** Last parsed version of each document. */
const parsed = new WeakMap<
  vscode.TextDocument,
  { readonly version: number; readonly tree: Node | undefined }
>();

/**
 * Parses a config that can have syntax errors. VS Code requests code lenses, links, and the outline
 * of the same version one after another, so the last version is cached.
 * @returns undefined if the document is empty.
 */
export function parseDocument(document: vscode.TextDocument): ConfigNode | undefined {
  const { version } = document;
  const known = parsed.get(document);
  const tree = known?.version === version ? known.tree : parseTree(document.getText());
  parsed.set(document, { version, tree });
  return tree && { node: tree, path: [] };
}

/** Returns the range of an offset and a length in a document. */
export function toRange(
  document: vscode.TextDocument,
  { offset, length }: TextRange,
): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}
