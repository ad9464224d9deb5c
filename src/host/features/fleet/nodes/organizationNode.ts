import type { Organization } from '../../../../core/model/entities';
import { type Granted, hasRight, rightsOf } from '../../../../core/model/permissions';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { ApiKeysNode } from './apiKeysNode';
import { FragmentsNode } from './fragmentsNode';
import { HintNode } from './hintNode';
import { childLocations, type LocationNode } from './locationNode';
import { MembersNode } from './membersNode';
import {
  contextTokens,
  type FleetContext,
  type OrganizationScope,
  type TreeNode,
} from './treeNode';

type OrganizationChild = LocationNode | HintNode | FragmentsNode | MembersNode | ApiKeysNode;

/** An organization: its top-level locations, its fragments, its members and its API keys. */
export class OrganizationNode implements TreeNode {
  readonly kind = 'organization';
  readonly id: string;
  readonly parent = undefined;
  readonly contextValue: string;
  readonly target: OrganizationTarget;

  constructor(
    readonly context: FleetContext,
    readonly organization: Organization,
    readonly granted: Granted,
  ) {
    this.contextValue = contextTokens('organization', ...rightsOf('organization', granted));
    this.id = `${context.connection.id}/organization/${organization.id}`;
    this.target = {
      kind: 'organization',
      connectionId: context.connection.id,
      organizationId: organization.id,
      name: organization.name,
    };
  }

  async children(): Promise<readonly OrganizationChild[]> {
    const all = await this.context.stores.locations.list(this.organization.id);
    const scope: OrganizationScope = {
      context: this.context,
      organizationId: this.organization.id,
      granted: this.granted,
      nodeId: this.id,
    };
    const locations = await childLocations(this, scope, {
      all,
      below: { type: 'organization', id: this.organization.id },
      granted: this.granted,
    });
    const groups = [
      new FragmentsNode(this, scope, this.target),
      new MembersNode(this, scope, this.target),
      new ApiKeysNode(this, scope, this.target),
    ];
    if (locations.length > 0) return [...locations, ...groups];
    const mayCreate = hasRight('organization', this.granted, 'administer');
    return [new HintNode(this, 'noLocations', mayCreate), ...groups];
  }
}
