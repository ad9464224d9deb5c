import * as vscode from 'vscode';
import { DisposableSet } from '../../../../base/disposable';
import { canceled, FleetError } from '../../../../core/api/errors';
import type { ConnectionId } from '../../../../core/model/ids';
import { confirm, promptForName } from '../../../platform/prompts/prompts';
import { toQuickPickText } from '../../../platform/text/displayText';
import type { SavedFilter, SavedFilters } from './savedFilters';

interface SavedItem extends vscode.QuickPickItem {
  readonly saved: SavedFilter;
}

/** Prompts for a name and saves a filter. Throws `canceled`. */
export async function saveFilter(
  filters: SavedFilters,
  filter: Omit<SavedFilter, 'name'>,
): Promise<void> {
  const taken = filters.list(filter.target.connectionId).map(({ name }) => name);
  await promptForName({
    title: vscode.l10n.t('Save Filter'),
    prompt: vscode.l10n.t(
      'Name of the saved filter. An existing filter with the same name is replaced.',
    ),
    siblings: taken,
    submit: (name) => filters.save({ ...filter, name }),
  });
}

/** Prompts for a saved filter. The list also allows renaming and deleting. Throws `canceled`. */
export async function pickSavedFilter(
  filters: SavedFilters,
  connection: ConnectionId,
): Promise<SavedFilter> {
  if (filters.list(connection).length === 0) {
    throw new FleetError(
      'notFound',
      vscode.l10n.t(
        'This connection has no saved filters. Save one from the filter bar of a data panel.',
      ),
    );
  }
  for (;;) {
    const { saved, action } = await promptForSavedFilter(filters.list(connection));
    if (action === 'apply') return saved;
    if (action === 'rename') await renameSaved(filters, saved);
    else await deleteSaved(filters, saved);
    if (filters.list(connection).length === 0) throw canceled();
  }
}

function promptForSavedFilter(
  all: readonly SavedFilter[],
): Promise<{ readonly saved: SavedFilter; readonly action: 'apply' | 'rename' | 'delete' }> {
  const owned = new DisposableSet();
  const pick = owned.add(vscode.window.createQuickPick<SavedItem>());
  const rename = {
    iconPath: new vscode.ThemeIcon('edit'),
    tooltip: vscode.l10n.t('Rename'),
  };
  const remove = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete') };
  pick.title = vscode.l10n.t('Open Saved Filter');
  pick.placeholder = vscode.l10n.t('Select a filter');
  pick.items = all.map((saved) => ({
    label: toQuickPickText(saved.name),
    description: toQuickPickText(saved.target.name),
    saved,
    buttons: [rename, remove],
  }));
  return new Promise<Awaited<ReturnType<typeof promptForSavedFilter>>>((resolve, reject) => {
    owned.add(
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item) resolve({ saved: item.saved, action: 'apply' });
      }),
    );
    owned.add(
      pick.onDidTriggerItemButton(({ item, button }) =>
        resolve({ saved: item.saved, action: button === rename ? 'rename' : 'delete' }),
      ),
    );
    owned.add(pick.onDidHide(() => reject(canceled())));
    pick.show();
  }).finally(() => owned.dispose());
}

async function renameSaved(
  filters: SavedFilters,
  { name, target: { connectionId } }: SavedFilter,
): Promise<void> {
  const others = filters.list(connectionId).map((one) => one.name);
  await promptForName({
    title: vscode.l10n.t('Rename Saved Filter'),
    prompt: vscode.l10n.t('New name for the filter "{0}"', name),
    current: name,
    siblings: others.filter((one) => one !== name),
    submit: (to) => filters.rename(connectionId, name, to),
  });
}

async function deleteSaved(
  filters: SavedFilters,
  { name, target: { connectionId } }: SavedFilter,
): Promise<void> {
  await confirm(
    vscode.l10n.t('Delete the saved filter "{0}"?', name),
    vscode.l10n.t("The data that the filter matches isn't deleted."),
    vscode.l10n.t('Delete'),
  );
  await filters.delete(connectionId, name);
}
