import * as vscode from 'vscode';
import {
  type DocumentAddress,
  formatAddress,
  parseAddress,
} from '../../core/documents/documentAddress';
import type { RevisionKey } from '../../core/documents/revisionList';
import type { VersionToken } from '../../core/model/versionToken';
import { schemes } from '../../manifest/schemes';

/** A past or the present state of a document, to read and compare. */
export interface RevisionAddress {
  readonly address: DocumentAddress;
  readonly key: RevisionKey;
}

const REVISION_KEY = /^(?:current|\d+\.\d{9})$/;

/** `names` as for `formatAddress`. */
export function documentUri(address: DocumentAddress, names: readonly string[]): vscode.Uri {
  return vscode.Uri.from({ scheme: schemes.document, ...formatAddress(address, names) });
}

/** The address of one of our documents, undefined for any other URI. */
export function addressOf(uri: vscode.Uri): DocumentAddress | undefined {
  return uri.scheme === schemes.document ? parseAddress(uri) : undefined;
}

/** A state of the document at `document`; it can be read again after a window reload. */
export function revisionUri(document: vscode.Uri, key: RevisionKey): vscode.Uri {
  return document.with({ scheme: schemes.revision, query: key });
}

export function revisionOf(uri: vscode.Uri): RevisionAddress | undefined {
  if (uri.scheme !== schemes.revision || !REVISION_KEY.test(uri.query)) return undefined;
  const address = parseAddress(uri);
  return address && { address, key: uri.query as RevisionKey | VersionToken };
}

/** The config at `document` with its fragments in place; it can be read again after a window reload. */
export function resolvedUri(document: vscode.Uri): vscode.Uri {
  const path = document.path.replace(/\.json$/, '.resolved.json');
  return document.with({ scheme: schemes.resolved, path });
}

/** The address of the config that a resolved one is made of, undefined for any other URI. */
export function resolvedAddressOf(uri: vscode.Uri): DocumentAddress | undefined {
  const address = uri.scheme === schemes.resolved ? parseAddress(uri) : undefined;
  return address?.subject.type === 'partConfig' ? address : undefined;
}

/** The file name that a tab shows. */
export function fileNameOf(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}
