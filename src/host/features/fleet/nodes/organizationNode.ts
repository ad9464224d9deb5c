import type { Organization } from '../../../../core/model/entities';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { FragmentsNode } from './fragmentsNode';
import { HintNode } from './hintNode';
import { childLocations, type LocationNode } from './locationNode';
import {
  contextTokens,
  type FleetContext,
  type OrganizationScope,
  type TreeNode,
} from './treeNode';

/** An organization: its top-level locations and its fragments. */
export class OrganizationNode implements TreeNode {
  readonly kind = 'organization';
  readonly id: string;
  readonly parent = undefined;
  readonly contextValue = contextTokens('organization');
  readonly target: OrganizationTarget;

  constructor(
    readonly context: FleetContext,
    readonly organization: Organization,
  ) {
    this.id = `${context.connection.id}/organization/${organization.id}`;
    this.target = {
      kind: 'organization',
      connectionId: context.connection.id,
      organizationId: organization.id,
      name: organization.name,
    };
  }

  async children(): Promise<readonly (LocationNode | HintNode | FragmentsNode)[]> {
    const all = await this.context.stores.locations.list(this.organization.id);
    const scope: OrganizationScope = {
      context: this.context,
      organizationId: this.organization.id,
      nodeId: this.id,
    };
    const locations = childLocations(this, scope, all, undefined);
    const fragments = new FragmentsNode(this, scope, this.target);
    return [...(locations.length > 0 ? locations : [new HintNode(this, 'noLocations')]), fragments];
  }
}
