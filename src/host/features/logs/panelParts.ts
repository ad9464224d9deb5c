import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { displayName } from '../../../core/model/displayText';
import { hasRight, toRoleScope } from '../../../core/model/permissions';
import type { FleetTarget, PartTarget } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { listMachineParts } from '../../../core/stores/findMachines';
import type { Selection } from '../../../manifest/commandArguments';
import type { FleetTools } from '../../platform/fleetTools';
import { formatNames } from '../../platform/text/displayText';
import { requireRight } from '../../platform/permissions/requireRight';

/**
 * Maximum number of parts in a panel. Users can't follow more parts, and each part requires a
 * separate stream.
 */
export const MAX_PARTS = 20;

type Tools = Pick<FleetTools, 'sessions' | 'pickTarget'>;

/**
 * Returns the parts for a log panel: the selected parts, all parts of the selected machines, or a
 * part that the user picks from a list. Skips and reports parts that the key can't read.
 * @throws FleetError if no parts remain.
 */
export async function chosenParts(
  tools: Tools,
  kind: 'machine' | 'part',
  [clicked, selected]: Selection,
): Promise<readonly PartTarget[]> {
  const selection = selected && selected.length > 0 ? selected : clicked ? [clicked] : [];
  const targets = selection.length > 0 ? selection : [await tools.pickTarget(kind)];
  const [first] = targets;
  if (!first) return [];
  // All selected resources belong to one connection, because the tree shows only one.
  const stores = tools.sessions.stores(first.connectionId);
  const parts = await listParts(stores, targets);
  const readable = await readableParts(stores, parts.slice(0, MAX_PARTS));
  if (parts.length > MAX_PARTS) notifyLimit();
  return readable;
}

/** Reports that the panel has reached the maximum number of parts. */
function notifyLimit(): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'A log panel shows at most {0} parts. Select fewer, or show the others in a separate panel.',
      MAX_PARTS,
    ),
  );
}

async function listParts(
  stores: FleetStores,
  targets: readonly FleetTarget[],
): Promise<readonly PartTarget[]> {
  const machines = targets.filter((target) => target.kind === 'machine');
  // Most machines have a part, so this number of machines is enough to detect that there are too
  // many parts.
  const firstMachines = machines.slice(0, MAX_PARTS + 1).map((target) => ({ target, path: [] }));
  const theirs = await listMachineParts(stores, firstMachines, new AbortController().signal);
  const parts = [
    ...targets.filter((target) => target.kind === 'part'),
    ...theirs.map(({ target }) => target),
  ];
  if (parts.length === 0) {
    throw new FleetError(
      'invalid',
      vscode.l10n.t('None of the selected resources contains parts with logs.'),
    );
  }
  return [...new Map(parts.map((part) => [part.partId, part])).values()];
}

async function readableParts(
  stores: FleetStores,
  parts: readonly PartTarget[],
): Promise<readonly PartTarget[]> {
  const granted = await stores.access.getPermissions(parts.map(toRoleScope));
  const isReadable = (_: PartTarget, index: number): boolean => {
    const here = granted[index];
    return here !== undefined && hasRight('part', here, 'readLogs');
  };
  const readable = parts.filter(isReadable);
  const [refused] = parts.filter((part, index) => !isReadable(part, index));
  if (readable.length === 0 && refused) await requireRight(stores, refused, 'readLogs');
  if (refused) {
    const others = parts.filter((part) => !readable.includes(part));
    const names = formatNames(others.map(({ name, partId }) => displayName({ name, id: partId })));
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        "Skipped the logs of {0}: your API key doesn't have permission to read them.",
        names,
      ),
    );
  }
  return readable;
}

/** Returns the title of a panel with these parts' logs. */
export function panelTitle(names: readonly string[]): string {
  const [first, ...others] = names;
  if (first === undefined) return vscode.l10n.t('Logs');
  if (others.length === 0) return vscode.l10n.t('Logs: {0}', first);
  return vscode.l10n.t('Logs: {0} and {1} more', first, others.length);
}
