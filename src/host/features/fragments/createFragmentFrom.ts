import * as vscode from 'vscode';
import { canceled, FleetError } from '../../../core/api/errors';
import {
  configEntries,
  type ConfigEntry,
  entriesTouched,
  formatEntries,
  replaceWithFragment,
} from '../../../core/documents/fragmentEdits';
import { findJsonProblems } from '../../../core/documents/jsonProblems';
import { toDisplayText } from '../../../core/model/displayText';
import type { Fragment, Organization } from '../../../core/model/entities';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import { findPart } from '../../../core/stores/findMachines';
import { promptForName } from '../../platform/prompts/prompts';
import {
  getFileName,
  type PartAddress,
  resolvePartAddress,
  showConfig,
} from '../../platform/documents/documentUris';
import type { FleetTools } from '../../platform/fleetTools';
import { formatJsonProblem } from '../../../core/documents/formatJsonProblem';
import { requireRight } from '../../platform/permissions/requireRight';
import { proposeText, rejectInvalidConfig } from '../../platform/documents/proposeText';
import { toQuickPickText } from '../../platform/text/displayText';

/** Creates a fragment from entries of a part's config that the user selects in a list. */
export async function createFragmentFromPart(
  tools: FleetTools,
  argument: object | undefined,
): Promise<void> {
  const address = await resolvePartAddress(argument, tools);
  const document = await showConfig(address, tools);
  await createFrom(tools, address, document, []);
}

/** Creates a fragment from the entries of a part's config that are selected in the editor. */
export async function createFragmentFromSelection(
  tools: FleetTools,
  argument: object | undefined,
): Promise<void> {
  // Read the selections before activating the config, because the text can be selected in one side
  // of a diff editor.
  const selections = vscode.window.activeTextEditor?.selections ?? [];
  const address = await resolvePartAddress(argument, tools);
  const document = await showConfig(address, tools);
  const touched = selections.flatMap((selection) =>
    entriesTouched(document.getText(), {
      start: document.offsetAt(selection.start),
      end: document.offsetAt(selection.end),
    }),
  );
  await createFrom(tools, address, document, touched);
}

async function createFrom(
  tools: FleetTools,
  { connectionId, subject }: PartAddress,
  document: vscode.TextDocument,
  preselected: readonly ConfigEntry[],
): Promise<void> {
  rejectInvalidConfig(document);
  const text = document.getText();
  const stores = tools.sessions.stores(connectionId);
  const { organization } = await findPart(stores, connectionId, subject.id);
  const owner: OrganizationTarget = {
    kind: 'organization',
    connectionId,
    organizationId: organization.id,
    name: organization.name,
  };
  await requireRight(stores, owner, 'administer');
  const chosen = await pickEntries(configEntries(text), preselected);
  const fragmentText = formatEntries(chosen);
  rejectLosses(fragmentText);
  const siblings = (await stores.fragments.list(organization.id)).map(({ name }) => name);
  const created = await promptForName({
    title: vscode.l10n.t('Create Fragment'),
    prompt: vscode.l10n.t(
      'Name of the new private fragment in "{0}" with {1}',
      organization.name,
      formatEntryCount(chosen.length),
    ),
    siblings,
    submit: (name) => stores.fragments.create(organization.id, name, fragmentText),
  });
  await offerReplacement(document, text, chosen, created, organization);
}

/**
 * Rejects numbers that would change when they are sent, because the wire protocol represents a
 * fragment's numbers as doubles.
 */
function rejectLosses(fragmentText: string): void {
  const [loss] = findJsonProblems(fragmentText, 'struct');
  if (loss) throw new FleetError('invalid', formatJsonProblem(loss, vscode.l10n));
}

async function offerReplacement(
  document: vscode.TextDocument,
  text: string,
  entries: readonly ConfigEntry[],
  { id, name }: Fragment,
  organization: Organization,
): Promise<void> {
  const replace = vscode.l10n.t('Use in This Config');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Created fragment "{0}" in {1}. Replace {2} of {3} with it? You can review the edit before you save it.',
      toDisplayText(name),
      toDisplayText(organization.name),
      formatEntryCount(entries.length),
      getFileName(document.uri),
    ),
    replace,
  );
  if (answer !== replace) return;
  const open = await vscode.workspace.openTextDocument(document.uri);
  if (open.getText() !== text) {
    throw new FleetError(
      'conflict',
      vscode.l10n.t(
        'The config was edited in the meantime. To add the fragment, run "Add Fragment to Part…".',
      ),
    );
  }
  await proposeText(open, replaceWithFragment(text, entries, id, vscode.l10n));
}

function formatEntryCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 entry') : vscode.l10n.t('{0} entries', count);
}

interface EntryItem extends vscode.QuickPickItem {
  readonly entry?: ConfigEntry;
}

/** Prompts for the entries in a config, section by section. Throws `canceled`. */
async function pickEntries(
  entries: readonly ConfigEntry[],
  preselected: readonly ConfigEntry[],
): Promise<readonly ConfigEntry[]> {
  if (entries.length === 0) {
    const message = vscode.l10n.t('This config has no entries to create a fragment from.');
    throw new FleetError('invalid', message);
  }
  const isPreselected = (entry: ConfigEntry): boolean =>
    preselected.some(({ offset }) => offset === entry.offset);
  const items = entries.flatMap((entry, index): EntryItem[] => {
    const item: EntryItem = {
      entry,
      label: toQuickPickText(entry.name || `${entry.section}[${entry.index}]`),
      description: toQuickPickText(entry.type),
      picked: isPreselected(entry),
    };
    const isFirst = entries[index - 1]?.section !== entry.section;
    const heading = { label: entry.section, kind: vscode.QuickPickItemKind.Separator };
    return isFirst ? [heading, item] : [item];
  });
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    matchOnDescription: true,
    title: vscode.l10n.t('Create Fragment'),
    placeHolder: vscode.l10n.t('Select the entries for the fragment'),
  });
  const taken = (chosen ?? []).flatMap(({ entry }) => entry ?? []);
  if (taken.length === 0) throw canceled();
  return taken;
}
