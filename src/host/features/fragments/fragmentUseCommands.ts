import * as vscode from 'vscode';
import { DisposableSet } from '../../../base/disposable';
import { displayName, toDisplayText } from '../../../core/model/displayText';
import { type FragmentTarget, isTargetOf } from '../../../core/model/resourceTarget';
import {
  findMachinesUsing,
  type MachinesUsing,
  type PartUsing,
} from '../../../core/bulk/machinesUsing';
import {
  getFileName,
  parseDocumentAddress,
  resolvePartAddress,
  showConfig,
} from '../../platform/documents/documentUris';
import type { FleetTools } from '../../platform/fleetTools';
import { reading } from '../../platform/commands/progress';
import { escapeIcons, quickPath } from '../../platform/text/displayText';
import { addFragment } from '../../../core/documents/fragmentEdits';
import { parseConfigText } from '../../../core/documents/resolvedText';
import { parseImports } from '../../../core/fragments/fragmentImport';
import { findPart } from '../../../core/stores/findMachines';
import { promptForFragmentUse } from '../../platform/prompts/promptForFragmentUse';
import { requireRight } from '../../platform/permissions/requireRight';
import { proposeText, rejectInvalidConfig } from '../../platform/documents/proposeText';
import { showStatusMessage } from '../../platform/commands/statusMessage';
import type { Fragment, FragmentSummary, Organization } from '../../../core/model/entities';
import { fragmentId } from '../../../core/model/ids';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { createUnansweredError, pickOne, promptForText } from '../../platform/prompts/prompts';

interface UseItem extends vscode.QuickPickItem {
  readonly use: PartUsing;
}

/**
 * Lists the organization's machines that use a fragment. Selecting a machine reveals it in the
 * tree.
 */
export async function showMachines(tools: FleetTools, argument: object | undefined): Promise<void> {
  const target = await resolveFragmentTarget(tools, argument);
  const stores = tools.sessions.stores(target.connectionId);
  const found = await reading(
    vscode.l10n.t('Searching for machines that use "{0}"', target.name),
    (signal, report) => findMachinesUsing(stores, target, signal, report),
  );
  if (found.parts.length === 0) {
    void vscode.window.showInformationMessage(describeNoMachines(target, found));
    return;
  }
  showPick(tools, target, found);
}

/** Returns the given fragment, the fragment of a document, or one that the user selects. */
export async function resolveFragmentTarget(
  { sessions, pickTarget }: FleetTools,
  argument: object | undefined,
): Promise<FragmentTarget> {
  if (isTargetOf('fragment', argument)) return argument;
  const uri =
    argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  const address = uri && parseDocumentAddress(uri);
  if (address?.subject.type !== 'fragmentConfig') return pickTarget('fragment');
  const { connectionId, subject } = address;
  const { organizationId, name } = await sessions.stores(connectionId).fragments.get(subject.id);
  return { kind: 'fragment', connectionId, organizationId, fragmentId: subject.id, name };
}

function showPick(
  { commands }: FleetTools,
  { name }: FragmentTarget,
  { parts, machines, failed }: MachinesUsing,
): void {
  const owned = new DisposableSet();
  const pick = owned.add(vscode.window.createQuickPick<UseItem>());
  const users = new Set(parts.map(({ part }) => part.machineId)).size;
  const title = [
    vscode.l10n.t('Machines using "{0}": {1} of {2}', toDisplayText(name), users, machines),
    ...(failed > 0 ? [vscode.l10n.t("{0} couldn't be read", failed)] : []),
  ];
  pick.title = title.join(' · ');
  pick.placeholder = vscode.l10n.t('Select a machine to reveal it in the Fleet view');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = parts.map(toUseItem);
  owned.add(
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      pick.hide();
      if (item) void commands.execute('fleetwright.resource.reveal', item.use.part);
    }),
  );
  owned.add(
    pick.onDidTriggerItemButton(({ item }) => {
      pick.hide();
      void commands.execute('fleetwright.part.openConfig', item.use.part);
    }),
  );
  owned.add(pick.onDidHide(() => owned.dispose()));
  pick.show();
}

function toUseItem(use: PartUsing): UseItem {
  const { machine, part, throughNames, importPath } = use;
  const how = [
    vscode.l10n.t('part: {0}', toDisplayText(part.name)),
    throughNames.length === 0
      ? vscode.l10n.t('used directly')
      : vscode.l10n.t('through {0}', throughNames.map((name) => toDisplayText(name)).join(' › ')),
    ...(importPath.disabled ? [vscode.l10n.t('disabled')] : []),
  ];
  const name = displayName({ name: machine.target.name, id: machine.target.machineId });
  return {
    use,
    label: escapeIcons(name),
    description: quickPath(machine.path.toReversed(), '‹'),
    detail: escapeIcons(how.join(' · ')),
    iconPath: new vscode.ThemeIcon('vm'),
    buttons: [
      { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: vscode.l10n.t('Open Config') },
    ],
  };
}

function describeNoMachines({ name }: FragmentTarget, { machines, failed }: MachinesUsing): string {
  const none = vscode.l10n.t(
    'None of the {0} machines here uses "{1}".',
    machines,
    toDisplayText(name),
  );
  if (failed === 0) return none;
  return `${none} ${vscode.l10n.t("{0} of them couldn't be read.", failed)}`;
}

/** Adds a fragment to a part's config, as an edit to review and save. */
export async function addFragmentToPart(
  tools: FleetTools,
  argument: object | undefined,
): Promise<void> {
  const { connectionId, subject } = await resolvePartAddress(argument, tools);
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
  const text = addFragment(document.getText(), use, vscode.l10n);
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
  if (!found) throw createUnansweredError();
  return found;
}
