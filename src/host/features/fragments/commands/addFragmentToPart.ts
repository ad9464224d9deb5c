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
import type { Fragment, FragmentSummary, Organization } from '../../../../core/model/entities';
import { displayName } from '../../../../core/model/toDisplayText';
import { fragmentId } from '../../../../core/model/ids';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { FleetError } from '../../../../core/api/errors';
import { pickOne, promptForText } from '../../../platform/prompts';
import { escapeIcons } from '../../../platform/toQuickPickText';

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

interface FragmentItem extends vscode.QuickPickItem {
  readonly fragment?: FragmentSummary;
}

/** Prompts for a fragment, either from the organization's fragments or by ID. */
async function pickFragment(
  { fragments }: FleetStores,
  organization: Organization,
): Promise<Fragment> {
  const items = fragments.list(organization.id).then((list): FragmentItem[] => [
    ...list.map((fragment) => ({
      fragment,
      label: escapeIcons(displayName(fragment)),
      iconPath: new vscode.ThemeIcon('json'),
    })),
    {
      label: `$(link) ${vscode.l10n.t('Enter Public Fragment ID…')}`,
      alwaysShow: true,
    },
  ]);
  const { fragment } = await pickOne(items, {
    title: vscode.l10n.t('Add Fragment to Part'),
    placeholder: vscode.l10n.t('Fragments of {0}', organization.name),
  });
  return fragment ? fragments.get(fragment.id) : promptForId(fragments);
}

async function promptForId(fragments: FleetStores['fragments']): Promise<Fragment> {
  let found: Fragment | undefined;
  await promptForText({
    title: vscode.l10n.t('Add Fragment to Part'),
    prompt: vscode.l10n.t('The fragment ID'),
    validate: (value) =>
      value.trim() === ''
        ? { message: vscode.l10n.t('Enter an ID.'), severity: 'incomplete' }
        : undefined,
    submit: async (value, signal) => {
      found = await fragments.get(fragmentId(value.trim()), { signal });
    },
  });
  if (!found) throw new FleetError('internal', 'The box closed before its work was done.');
  return found;
}
