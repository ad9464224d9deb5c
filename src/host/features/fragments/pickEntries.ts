import * as vscode from 'vscode';
import { canceled, FleetError } from '../../../core/api/errors';
import type { ConfigEntry } from '../../../core/documents/configEntries';
import { toQuickPickText } from '../../platform/toQuickPickText';

interface EntryItem extends vscode.QuickPickItem {
  readonly entry?: ConfigEntry;
}

/** Prompts for the entries of a config, section by section. Throws `canceled`. */
export async function pickEntries(
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
