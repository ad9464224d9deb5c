import * as vscode from 'vscode';
import {
  addressKey,
  type DocumentAddress,
  formatAddress,
  parseAddress,
} from '../../../core/documents/documentAddress';
import type { RevisionKey } from '../../../core/documents/revisionList';
import type { VersionToken } from '../../../core/model/timestamp';
import { schemes } from '../../../manifest/contributions';
import { configAddress, findResourcePath } from '../../../core/documents/documentResource';
import { pathNames } from './describeDocument';
import type { SessionProvider } from '../sessionProvider';
import { FleetError } from '../../../core/api/errors';
import type { PartId } from '../../../core/model/ids';
import { isTargetOf, type PartTarget } from '../../../core/model/resourceTarget';
import type { FleetTools } from '../fleetTools';

/** Address of a document's past or current version, for viewing and comparison. */
export interface RevisionAddress {
  readonly address: DocumentAddress;
  readonly key: RevisionKey;
}

const REVISION_KEY = /^(?:current|\d+\.\d{9})$/;

/**
 * Returns a document's URI.
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
 * Returns the URI of a version of the document at `document`. The URI remains valid after a window
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
 * Returns the URI of the resolved config for `document`. The URI remains valid after a window
 * reload.
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

/** Returns the open document with a given address, including its unsaved edits. */
export function findOpenDocument(address: DocumentAddress): vscode.TextDocument | undefined {
  const key = addressKey(address);
  return vscode.workspace.textDocuments.find(({ uri, isClosed }) => {
    const known = isClosed ? undefined : parseDocumentAddress(uri);
    return known !== undefined && addressKey(known) === key;
  });
}

/**
 * Returns a document's URI. An open document retains its URI after a rename, because a different
 * URI would open a second editor for the same document.
 */
export async function resolveDocumentUri(
  sessions: SessionProvider,
  address: DocumentAddress,
): Promise<vscode.Uri> {
  const open = findOpenDocument(address);
  if (open) return open.uri;
  const path = await findResourcePath(sessions.stores(address.connectionId), address.subject);
  return documentUri(address, pathNames(path));
}

/** Address of a part's config. */
export interface PartAddress extends DocumentAddress {
  readonly subject: { readonly type: 'partConfig'; readonly id: PartId };
}

/**
 * Returns the part for a command: the given part, the given or active document's part, or a part
 * that the user selects.
 */
export async function resolvePartAddress(
  argument: object | undefined,
  { pickTarget }: Pick<FleetTools, 'pickTarget'>,
): Promise<PartAddress> {
  const uri = argument instanceof vscode.Uri ? argument : undefined;
  const active = argument === undefined ? vscode.window.activeTextEditor?.document.uri : uri;
  const address = active && (parseDocumentAddress(active) ?? parseResolvedAddress(active));
  if (address && isPartAddress(address)) return address;
  const target = isTargetOf('part', argument) ? argument : await pickTarget('part');
  return partAddress(target);
}

export function partAddress(target: PartTarget): PartAddress {
  const address = configAddress(target);
  if (!isPartAddress(address)) {
    const message = vscode.l10n.t(
      'Couldn\'t open the config of "{0}". Refresh the Fleet view and try again.',
      target.name,
    );
    throw new FleetError('internal', message);
  }
  return address;
}

export function isPartAddress(address: DocumentAddress): address is PartAddress {
  return address.subject.type === 'partConfig';
}

/** Shows a config in an editor and returns its document. */
export async function showConfig(
  address: DocumentAddress,
  tools: Pick<FleetTools, 'sessions'>,
): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(
    await resolveDocumentUri(tools.sessions, address),
  );
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}
