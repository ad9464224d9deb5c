import * as vscode from 'vscode';
import type {
  FleetTarget,
  LocationTarget,
  OrganizationTarget,
} from '../../../core/model/resourceTarget';
import { views } from '../../../manifest/views';
import type { Commands } from '../../platform/commandRegistry';
import type { FleetNode } from './nodes/fleetNode';

/** VS Code's own MIME type for drags within one tree. */
const MIME = `application/vnd.code.tree.${views.fleet.toLowerCase()}`;

/**
 * Drag and drop of locations onto other locations or onto their organization. If a location can't
 * be moved, the move command reports the reason.
 */
export class LocationDrag implements vscode.TreeDragAndDropController<FleetNode> {
  readonly dragMimeTypes = [MIME];
  readonly dropMimeTypes = [MIME];

  constructor(private readonly commands: Commands) {}

  handleDrag(nodes: readonly FleetNode[], transfer: vscode.DataTransfer): void {
    const targets = nodes.flatMap((node) => ('target' in node && node.target ? [node.target] : []));
    transfer.set(MIME, new vscode.DataTransferItem(targets));
  }

  async handleDrop(node: FleetNode | undefined, transfer: vscode.DataTransfer): Promise<void> {
    const dragged = transfer.get(MIME)?.value as readonly FleetTarget[] | string | undefined;
    // A drag from another window provides only text that contains nodes unknown to this window.
    if (!Array.isArray(dragged) || dragged.length === 0) return;
    const targets = dragged as readonly FleetTarget[];
    await this.commands.execute('fleetwright.location.moveInto', targets, getDestination(node));
  }
}

function getDestination(
  node: FleetNode | undefined,
): OrganizationTarget | LocationTarget | undefined {
  return node?.kind === 'organization' || node?.kind === 'location' ? node.target : undefined;
}
