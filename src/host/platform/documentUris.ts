import * as vscode from 'vscode';
import {
  type DocumentAddress,
  formatAddress,
  parseAddress,
} from '../../core/documents/documentAddress';
import type { RevisionKey } from '../../core/documents/revisionList';
import type { VersionToken } from '../../core/model/versionToken';
import { schemes } from '../../manifest/schemes';

/** Address of a past or current version of a document, for viewing and comparison. */
export interface RevisionAddress {
  readonly address: DocumentAddress;
  readonly key: RevisionKey;
}

const REVISION_KEY = /^(?:current|\d+\.\d{9})$/;

/**
 * Returns the URI of a document.
 * @param names names as in `formatAddress`.
 */
export function documentUri(address: DocumentAddress, names: readonly string[]): vscode.Uri {
  return vscode.Uri.from({ scheme: schemes.document, ...formatAddress(address, names) });
}

/** Returns the address of one of our documents; undefined for any other URI. */
export function parseDocumentAddress(uri: vscode.Uri): DocumentAddress | undefined {
  return uri.scheme === schemes.document ? parseAddress(uri) : undefined;
}

/**
 * Returns the URI of a version of the document at `document`. The URI stays valid after a window
 * reload.
 */
export function revisionUri(document: vscode.Uri, key: RevisionKey): vscode.Uri {
  return document.with({ scheme: schemes.revision, query: key });
}

export function parseRevisionAddress(uri: vscode.Uri): RevisionAddress | undefined {
  if (uri.scheme !== schemes.revision || !REVISION_KEY.test(uri.query)) return undefined;
  const address = parseAddress(uri);
  return address && { address, key: uri.query as RevisionKey | VersionToken };
}

/**
 * Returns the URI of the resolved config for `document`. The URI stays valid after a window reload.
 */
export function resolvedUri(document: vscode.Uri): vscode.Uri {
  const path = document.path.replace(/\.json$/, '.resolved.json');
  return document.with({ scheme: schemes.resolved, path });
}

/**
 * Returns the address of the config from which a resolved config is derived; undefined for any
 * other URI.
 */
export function parseResolvedAddress(uri: vscode.Uri): DocumentAddress | undefined {
  const address = uri.scheme === schemes.resolved ? parseAddress(uri) : undefined;
  return address?.subject.type === 'partConfig' ? address : undefined;
}

/** Returns the file name displayed in a tab. */
export function getFileName(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}
