import * as vscode from 'vscode';
import { FleetError } from '../../core/api/errors';
import type { DocumentAddress } from '../../core/documents/documentAddress';
import { configAddress } from '../../core/documents/documentTargets';
import type { PartId } from '../../core/model/ids';
import { isTargetOf } from '../../core/model/isTargetOf';
import type { PartTarget } from '../../core/model/resourceTarget';
import { parseDocumentAddress, parseResolvedAddress } from './documentUris';
import type { FleetTools } from './fleetTools';
import { resolveDocumentUri } from './openDocuments';

/** Address of a part's config. */
export interface PartAddress extends DocumentAddress {
  readonly subject: { readonly type: 'partConfig'; readonly id: PartId };
}

/**
 * Returns the part for a command: the given part, the part of the given or active document, or a
 * part that the user selects.
 */
export async function resolvePartAddress(
  given: object | undefined,
  { pickTarget }: Pick<FleetTools, 'pickTarget'>,
): Promise<PartAddress> {
  const uri = given instanceof vscode.Uri ? given : undefined;
  const active = given === undefined ? vscode.window.activeTextEditor?.document.uri : uri;
  const address = active && (parseDocumentAddress(active) ?? parseResolvedAddress(active));
  if (address && isPartAddress(address)) return address;
  const target = isTargetOf('part', given) ? given : await pickTarget('part');
  return partAddress(target);
}

export function partAddress(target: PartTarget): PartAddress {
  const address = configAddress(target);
  if (!isPartAddress(address))
    throw new FleetError('internal', 'A part has the config of another part.');
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
