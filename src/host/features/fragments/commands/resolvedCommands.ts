import * as vscode from 'vscode';
import { getFileName, resolvedUri } from '../../../platform/documentUris';
import type { FleetTools } from '../../../platform/fleetTools';
import { resolveDocumentUri } from '../../../platform/openDocuments';
import { resolvePartAddress } from '../../../platform/partDocument';

/** Shows a part's resolved config, read-only. */
export async function openResolvedConfig(
  tools: FleetTools,
  given: object | undefined,
): Promise<void> {
  const config = await resolveDocumentUri(tools.sessions, await resolvePartAddress(given, tools));
  const document = await vscode.workspace.openTextDocument(resolvedUri(config));
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Shows a part's editable config next to its resolved config. */
export async function compareResolvedConfig(
  tools: FleetTools,
  given: object | undefined,
): Promise<void> {
  const config = await resolveDocumentUri(tools.sessions, await resolvePartAddress(given, tools));
  const title = vscode.l10n.t('{0}: Config ↔ Resolved Config', getFileName(config));
  const options = { preview: false };
  await vscode.commands.executeCommand('vscode.diff', config, resolvedUri(config), title, options);
}
