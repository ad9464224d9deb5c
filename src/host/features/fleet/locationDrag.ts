import * as vscode from 'vscode';
import type {
  FleetTarget,
  LocationTarget,
  OrganizationTarget,
} from '../../../core/model/resourceTarget';
import { views } from '../../../manifest/views';
import type { Commands } from '../../platform/commandRegistry';
import type { FleetNode } from './nodes/fleetNode';

/** VS Code's own type for what is dragged inside one tree. */
const MIME = `application/vnd.code.tree.${views.fleet.toLowerCase()}`;

/** Drags locations onto others, or onto their organization. The command that moves them says why not. */
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
    // From another window only a text arrives, which names nodes that are not known here.
    if (!Array.isArray(dragged) || dragged.length === 0) return;
    const targets = dragged as readonly FleetTarget[];
    await this.commands.execute('fleetwright.location.moveInto', targets, destinationOf(node));
  }
}

function destinationOf(
  node: FleetNode | undefined,
): OrganizationTarget | LocationTarget | undefined {
  return node?.kind === 'organization' || node?.kind === 'location' ? node.target : undefined;
}
