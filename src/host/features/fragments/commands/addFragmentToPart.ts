import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { addFragment } from '../../../../core/documents/fragmentUse';
import { findJsonProblems } from '../../../../core/documents/jsonProblems';
import { parseConfigText } from '../../../../core/documents/resolvedText';
import { importsOf } from '../../../../core/fragments/fragmentImport';
import { findPart } from '../../../../core/stores/findPart';
import { askFragmentUse } from '../../../platform/askFragmentUse';
import { fileNameOf } from '../../../platform/documentUris';
import type { FleetTools } from '../../../platform/fleetTools';
import { replaceText } from '../../../platform/replaceText';
import { requireRight } from '../../../platform/requireRight';
import { showStatusMessage } from '../../../platform/statusMessage';
import { partAddressOf, showConfig } from '../partDocument';
import { pickFragment } from '../pickFragment';

/** Adds a fragment to the config of a part, as an edit to review and save. */
export async function addFragmentToPart(
  tools: FleetTools,
  given: object | undefined,
): Promise<void> {
  const { connectionId, subject } = await partAddressOf(given, tools);
  const stores = tools.sessions.stores(connectionId);
  const { target, organization } = await findPart(stores, connectionId, subject.id);
  await requireRight(stores, target, 'administer');
  const fragment = await pickFragment(stores, organization);
  const document = await showConfig({ connectionId, subject }, tools);
  refuseBroken(document);
  const used = importsOf(parseConfigText(document.getText())).filter(
    ({ id }) => id === fragment.id,
  );
  const use = await askFragmentUse(
    fragment,
    used.map(({ prefix }) => prefix),
  );
  refuseBroken(document);
  const text = addFragment(document.getText(), use);
  await replaceText(document, text);
  await vscode.window.showTextDocument(document, { preview: false });
  const file = fileNameOf(document.uri);
  showStatusMessage(vscode.l10n.t('Added "{0}" to {1}. Review it and save.', fragment.name, file));
}

function refuseBroken(document: vscode.TextDocument): void {
  if (findJsonProblems(document.getText(), 'text').length === 0) return;
  const message = vscode.l10n.t('Correct what Problems shows in this config first.');
  throw new FleetError('invalid', message);
}
