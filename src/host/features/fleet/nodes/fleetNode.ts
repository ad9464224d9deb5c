import type {
  ApiKeyNode,
  ApiKeysNode,
  InviteNode,
  MemberNode,
  MembersNode,
  RoleNode,
} from './accessNodes';
import type { DatasetNode, DatasetsNode } from './datasetNodes';
import type { ErrorNode, HintNode, LoadMoreNode } from './listNodes';
import type { FragmentNode, FragmentsNode } from './fragmentNodes';
import type { LocationNode } from './locationNode';
import type { MachineGroupNode } from './machineGroupNode';
import type { MachineNode, PartNode } from './machineNode';
import type {
  ModuleModelNode,
  ModuleModelsNode,
  RegistryFileNode,
  RegistryFolderNode,
  RegistryItemNode,
  RegistryVersionNode,
} from './registryNodes';
import type { OrganizationNode } from './organizationNode';
import type { FleetTarget } from '../../../../core/model/resourceTarget';

/** Nodes with children. */
export type BranchNode =
  | OrganizationNode
  | LocationNode
  | MachineGroupNode
  | MachineNode
  | FragmentsNode
  | DatasetsNode
  | RegistryFolderNode
  | RegistryItemNode
  | RegistryVersionNode
  | ModuleModelsNode
  | MembersNode
  | MemberNode
  | InviteNode
  | ApiKeysNode
  | ApiKeyNode;

export type FleetNode =
  | BranchNode
  | PartNode
  | FragmentNode
  | DatasetNode
  | RegistryFileNode
  | ModuleModelNode
  | RoleNode
  | HintNode
  | ErrorNode
  | LoadMoreNode;

export function isBranch(node: FleetNode): node is BranchNode {
  return 'children' in node;
}

/**
 * Returns the resources that these nodes represent. Skips nodes that only have the target of
 * another node, such as the hint in an empty location, whose command creates a machine there.
 */
export function getResources(nodes: readonly FleetNode[]): readonly FleetTarget[] {
  return nodes.flatMap((node) =>
    'target' in node && node.target?.kind === node.kind ? [node.target] : [],
  );
}
