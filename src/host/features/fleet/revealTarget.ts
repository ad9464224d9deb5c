import * as vscode from 'vscode';
import { toDisplayText } from '../../../core/model/displayText';
import type { FleetTarget } from '../../../core/model/resourceTarget';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { FleetTree } from './fleetTree';
import type { FleetNode } from './nodes/fleetNode';
import type { TreeArranger } from './treeArranger';

/** The parts of the Fleet view that `revealTarget` needs. */
export interface RevealTools {
  readonly sessions: Pick<SessionProvider, 'active' | 'connection'>;
  readonly tree: Pick<FleetTree, 'find'>;
  readonly arranger: Pick<TreeArranger, 'clearFilter' | 'clearRegistryFilter' | 'makePlain'>;
  readonly select: (node: FleetNode) => PromiseLike<void>;
}

/**
 * Selects a resource of the active connection in the Fleet view. Clears a filter that hides the
 * resource, and groups by location if the current grouping doesn't contain the resource. Doesn't
 * switch to another connection, because that would affect the whole window.
 */
export async function revealTarget(
  { sessions, tree, arranger, select }: RevealTools,
  target: FleetTarget,
): Promise<void> {
  if (target.connectionId !== sessions.active?.id) {
    await vscode.window.showInformationMessage(explainConnection(sessions, target));
    return;
  }
  let node = await tree.find(target);
  if (!node && arranger.clearFilter()) node = await tree.find(target);
  if (!node && arranger.clearRegistryFilter()) node = await tree.find(target);
  if (!node && arranger.makePlain()) node = await tree.find(target);
  if (node) {
    await select(node);
    return;
  }
  const name = toDisplayText(target.name);
  await vscode.window.showInformationMessage(vscode.l10n.t('"{0}" no longer exists.', name));
}

function explainConnection(
  sessions: RevealTools['sessions'],
  { name, connectionId }: FleetTarget,
): string {
  const connection = sessions.connection(connectionId);
  return connection
    ? vscode.l10n.t(
        '"{0}" belongs to the connection "{1}". To view it in the Fleet view, switch to that connection.',
        toDisplayText(name),
        toDisplayText(connection.label),
      )
    : vscode.l10n.t(
        'You are signed out of the connection for "{0}". Sign in again to view it in the Fleet view.',
        toDisplayText(name),
      );
}
