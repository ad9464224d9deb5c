import type { ErrorNode } from './errorNode';
import type { FragmentNode } from './fragmentNode';
import type { FragmentsNode } from './fragmentsNode';
import type { HintNode } from './hintNode';
import type { LoadMoreNode } from './loadMoreNode';
import type { LocationNode } from './locationNode';
import type { MachineNode } from './machineNode';
import type { OrganizationNode } from './organizationNode';
import type { PartNode } from './partNode';

/** Nodes that open. */
export type BranchNode = OrganizationNode | LocationNode | MachineNode | FragmentsNode;

export type FleetNode = BranchNode | PartNode | FragmentNode | HintNode | ErrorNode | LoadMoreNode;

export function isBranch(node: FleetNode): node is BranchNode {
  return 'children' in node;
}
