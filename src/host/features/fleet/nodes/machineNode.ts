import type { Machine } from '../../../../core/model/entities';
import { type Presence, presenceOf } from '../../../../core/model/presence';
import { type Granted, hasRight, rightsOf } from '../../../../core/model/permissions';
import type { MachineTarget } from '../../../../core/model/resourceTarget';
import { HintNode } from './hintNode';
import { PartNode } from './partNode';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

/** A machine and its parts. */
export class MachineNode implements TreeNode {
  readonly kind = 'machine';
  readonly id: string;
  readonly contextValue: string;
  readonly target: MachineTarget;
  readonly presence: Presence;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    readonly machine: Machine,
    readonly granted: Granted,
    now: Date,
  ) {
    this.id = `${scope.nodeId}/machine/${machine.id}`;
    this.presence = presenceOf(machine, now);
    this.contextValue = contextTokens(
      'machine',
      this.presence.status,
      ...rightsOf('machine', granted),
    );
    this.target = {
      kind: 'machine',
      connectionId: scope.context.connection.id,
      organizationId: scope.organizationId,
      locationId: machine.locationId,
      machineId: machine.id,
      name: machine.name,
    };
  }

  /** Whether time alone has changed what can be said of the machine. */
  isOutdated(now: Date): boolean {
    return presenceOf(this.machine, now).status !== this.presence.status;
  }

  async children(): Promise<readonly (PartNode | HintNode)[]> {
    const parts = await this.scope.context.stores.parts.list(this.machine.id);
    if (parts.length === 0) {
      return [new HintNode(this, 'noParts', hasRight('machine', this.granted, 'administer'))];
    }
    const now = this.scope.context.clock.now();
    return parts.map((part) => new PartNode(this, this.target, part, this.granted, now));
  }
}
