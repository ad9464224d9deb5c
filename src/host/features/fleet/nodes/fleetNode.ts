import type { ApiKeyNode } from './apiKeyNode';
import type { ApiKeysNode } from './apiKeysNode';
import type { DatasetNode } from './datasetNode';
import type { DatasetsNode } from './datasetsNode';
import type { ErrorNode } from './errorNode';
import type { FragmentNode } from './fragmentNode';
import type { FragmentsNode } from './fragmentsNode';
import type { HintNode } from './hintNode';
import type { InviteNode } from './inviteNode';
import type { LoadMoreNode } from './loadMoreNode';
import type { LocationNode } from './locationNode';
import type { MachineGroupNode } from './machineGroupNode';
import type { MachineNode } from './machineNode';
import type { MemberNode } from './memberNode';
import type { MembersNode } from './membersNode';
import type { ModuleModelNode } from './moduleModelNode';
import type { ModuleModelsNode } from './moduleModelsNode';
import type { OrganizationNode } from './organizationNode';
import type { PartNode } from './partNode';
import type { RegistryFileNode } from './registryFileNode';
import type { RegistryFolderNode } from './registryFolderNode';
import type { RegistryItemNode } from './registryItemNode';
import type { RegistryVersionNode } from './registryVersionNode';
import type { RoleNode } from './roleNode';

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
