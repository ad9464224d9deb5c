import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { findDocumentTarget } from '../../../core/documents/documentResource';
import { type FleetTarget, RESOURCE_KINDS } from '../../../core/model/resourceTarget';
import { parseDocumentAddress } from '../../platform/documents/documentUris';
import type { FleetTools } from '../../platform/fleetTools';

type Tools = Pick<FleetTools, 'commands' | 'sessions' | 'pickTarget'>;

// Loaded on first use of one of its commands.
const explainPermissions = () => import('./explainPermissions');

/** Shows the signed-in key's permissions and the roles that it doesn't have. */
export class PermissionsFeature extends Disposable {
  constructor(tools: Tools) {
    super();
    this.register(
      tools.commands.register('fleetwright.resource.explainPermissions', async (argument) => {
        const target = await resolveSubject(tools, argument);
        await (await explainPermissions()).explainPermissions(tools.sessions, target);
      }),
    );
  }
}

/**
 * Returns the node's target, the given or active document's resource, or a resource that the user
 * selects.
 */
async function resolveSubject(
  { sessions, pickTarget }: Tools,
  argument: object | undefined,
): Promise<FleetTarget> {
  if (isFleetTarget(argument)) return argument;
  const uri =
    argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  const address = uri && parseDocumentAddress(uri);
  const target =
    address && (await findDocumentTarget(sessions.stores(address.connectionId), address));
  return target ?? pickTarget(RESOURCE_KINDS);
}

function isFleetTarget(argument: object | undefined): argument is FleetTarget {
  return argument !== undefined && 'kind' in argument && 'connectionId' in argument;
}
