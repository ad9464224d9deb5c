import * as vscode from 'vscode';
import type { ResourceTarget } from '../../../../core/model/resourceTarget';
import {
  type PartWithPath,
  listMachineParts,
  type MachineWithPath,
} from '../../../../core/stores/machinesInScope';
import { reading } from '../../../platform/progress';
import { pickOne } from '../../../platform/prompts';
import type { BulkTools } from '../bulkTools';

interface PartsItem extends vscode.QuickPickItem {
  readonly parts: readonly PartWithPath[];
}

/**
 * Returns the parts to change. If some of them aren't the main part of their machine, prompts for
 * the parts: only the selected parts, the main parts, or all parts. Throws `canceled`.
 */
export async function pickParts(
  { sessions }: BulkTools,
  machines: readonly MachineWithPath[],
  selected: readonly ResourceTarget[],
): Promise<readonly PartWithPath[]> {
  const [first] = machines;
  if (!first) return [];
  const stores = sessions.stores(first.target.connectionId);
  const all = await reading(vscode.l10n.t('Loading parts'), (signal) =>
    listMachineParts(stores, machines, signal),
  );
  const main = all.filter((part) => part.main);
  if (main.length === all.length) return all;
  const ids = new Set(selected.flatMap((one) => (one.kind === 'part' ? [one.partId] : [])));
  const own = all.filter(({ target }) => ids.has(target.partId));
  const items: readonly PartsItem[] = [
    ...(own.length > 0
      ? [{ label: vscode.l10n.t('Only the Selected Parts ({0})', own.length), parts: own }]
      : []),
    { label: vscode.l10n.t('The Main Part of Each Machine ({0})', main.length), parts: main },
    { label: vscode.l10n.t('All Parts ({0})', all.length), parts: all },
  ];
  const chosen = await pickOne(items, {
    title: vscode.l10n.t('Apply Fragment or Patch to Machines'),
    placeholder: vscode.l10n.t('Some machines have several parts. Select the parts to change.'),
  });
  return chosen.parts;
}
