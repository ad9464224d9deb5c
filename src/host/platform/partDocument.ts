import * as vscode from 'vscode';
import { FleetError } from '../../core/api/errors';
import type { DocumentAddress } from '../../core/documents/documentAddress';
import { configAddress } from '../../core/documents/documentTargets';
import type { PartId } from '../../core/model/ids';
import { isTargetOf } from '../../core/model/isTargetOf';
import type { PartTarget } from '../../core/model/resourceTarget';
import { addressOf, resolvedAddressOf } from './documentUris';
import type { FleetTools } from './fleetTools';
import { uriOfDocument } from './openDocuments';

/** The config of a part. */
export interface PartAddress extends DocumentAddress {
  readonly subject: { readonly type: 'partConfig'; readonly id: PartId };
}

/**
 * The part a command is about: the one it was called with, whose document it was called from, whose
 * document is in front, or one that is asked for.
 */
export async function partAddressOf(
  given: object | undefined,
  { pickTarget }: Pick<FleetTools, 'pickTarget'>,
): Promise<PartAddress> {
  const uri = given instanceof vscode.Uri ? given : undefined;
  const active = given === undefined ? vscode.window.activeTextEditor?.document.uri : uri;
  const address = active && (addressOf(active) ?? resolvedAddressOf(active));
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

/** Shows a config in an editor and answers its document. */
export async function showConfig(
  address: DocumentAddress,
  tools: Pick<FleetTools, 'sessions'>,
): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(
    await uriOfDocument(tools.sessions, address),
  );
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}
