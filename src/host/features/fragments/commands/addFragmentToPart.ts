import * as vscode from 'vscode';
import { addFragment } from '../../../../core/documents/fragmentUse';
import { parseConfigText } from '../../../../core/documents/resolvedText';
import { parseImports } from '../../../../core/fragments/fragmentImport';
import { findPart } from '../../../../core/stores/findPart';
import { promptForFragmentUse } from '../../../platform/promptForFragmentUse';
import { getFileName } from '../../../platform/documentUris';
import type { FleetTools } from '../../../platform/fleetTools';
import { requireRight } from '../../../platform/requireRight';
import { proposeText, rejectInvalidConfig } from '../../../platform/reviewedEdit';
import { showStatusMessage } from '../../../platform/statusMessage';
import { resolvePartAddress, showConfig } from '../../../platform/partDocument';
import { pickFragment } from '../pickFragment';

/** Adds a fragment to the config of a part, as an edit to review and save. */
export async function addFragmentToPart(
  tools: FleetTools,
  given: object | undefined,
): Promise<void> {
  const { connectionId, subject } = await resolvePartAddress(given, tools);
  const stores = tools.sessions.stores(connectionId);
  const { target, organization } = await findPart(stores, connectionId, subject.id);
  await requireRight(stores, target, 'administer');
  const fragment = await pickFragment(stores, organization);
  const document = await showConfig({ connectionId, subject }, tools);
  rejectInvalidConfig(document);
  const used = parseImports(parseConfigText(document.getText())).filter(
    ({ id }) => id === fragment.id,
  );
  const use = await promptForFragmentUse(
    fragment,
    used.map(({ prefix }) => prefix),
  );
  rejectInvalidConfig(document);
  const text = addFragment(document.getText(), use);
  await proposeText(document, text);
  const file = getFileName(document.uri);
  showStatusMessage(
    vscode.l10n.t('Added "{0}" to {1}. Review and save the config.', fragment.name, file),
  );
}
