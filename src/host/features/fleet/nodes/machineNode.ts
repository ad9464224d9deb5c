import type { Location, Machine, PartSummary } from '../../../../core/model/entities';
import { hasPresenceChanged, type Presence, getPresence } from '../../../../core/model/presence';
import { type Granted, hasRight, getRights } from '../../../../core/model/permissions';
import type { MachineTarget } from '../../../../core/model/resourceTarget';
import { HintNode } from './hintNode';
import { PartNode } from './partNode';
import { contextTokens, noQueriesToken, type OrganizationScope, type TreeNode } from './treeNode';

/** Machine node with its parts. */
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
    private readonly drawnAt: Date,
    /** Locations to show for the machine, if the tree doesn't group by location. */
    readonly locations?: readonly Location[],
  ) {
    // A machine can be in more than one group.
    this.id = `${locations ? parent.id : scope.nodeId}/machine/${machine.id}`;
    this.presence = getPresence(machine, drawnAt);
    this.contextValue = contextTokens(
      'machine',
      this.presence.status,
      ...getRights('machine', granted),
      noQueriesToken(scope, granted),
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

  /** Returns true if the displayed presence has changed only because time has passed. */
  isOutdated(now: Date): boolean {
    return hasPresenceChanged(this.machine, this.drawnAt, now);
  }

  async children(): Promise<readonly (PartNode | HintNode)[]> {
    const parts = await this.scope.context.stores.parts.list(this.machine.id);
    if (parts.length === 0) {
      return [new HintNode(this, 'noParts', hasRight('machine', this.granted, 'administer'))];
    }
    const now = this.scope.context.clock.now();
    const [only] = parts;
    // The last contact of a machine also applies to its only part, whose list isn't refreshed as
    // often.
    const known = only && parts.length === 1 ? [withMachineContact(this.machine, only)] : parts;
    return known.map(
      (part) => new PartNode(this, this.scope, this.target, part, this.granted, now),
    );
  }
}

function withMachineContact({ status, lastAccess }: Machine, part: PartSummary): PartSummary {
  return { ...part, status, lastAccess };
}
