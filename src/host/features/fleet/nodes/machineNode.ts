import type { Location, Machine, OnlineStatus, PartSummary } from '../../../../core/model/entities';
import { getPresence, hasPresenceChanged, type Presence } from '../../../../core/model/presence';
import { getRights, type Granted, hasRight } from '../../../../core/model/permissions';
import type { MachineTarget, PartTarget } from '../../../../core/model/resourceTarget';
import { HintNode } from './listNodes';
import { contextTokens, noQueriesToken, type OrganizationScope, type TreeNode } from './treeNode';

/**
 * Context values of the machines in a list. Most machines have the same permissions and status, so
 * each value is built only once.
 */
export class MachineContextValues {
  private readonly values = new Map<Granted, Map<OnlineStatus, string>>();

  constructor(private readonly scope: OrganizationScope) {}

  get(status: OnlineStatus, granted: Granted): string {
    const values = this.values.get(granted) ?? new Map<OnlineStatus, string>();
    this.values.set(granted, values);
    const value =
      values.get(status) ??
      contextTokens(
        'machine',
        status,
        ...getRights('machine', granted),
        noQueriesToken(this.scope, granted),
      );
    values.set(status, value);
    return value;
  }
}

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
    contextValues: MachineContextValues,
    /** Locations to show for the machine, if the tree doesn't group by location. */
    readonly locations?: readonly Location[],
  ) {
    // A machine can be in more than one group.
    this.id = `${locations ? parent.id : scope.nodeId}/machine/${machine.id}`;
    this.presence = getPresence(machine, drawnAt);
    this.contextValue = contextValues.get(this.presence.status, granted);
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
    // A machine's last contact also applies to its only part. The part list isn't refreshed as
    // often as the machine list.
    const known = only && parts.length === 1 ? [withMachineContact(this.machine, only)] : parts;
    return known.map(
      (part) => new PartNode(this, this.scope, this.target, part, this.granted, now),
    );
  }
}

function withMachineContact({ status, lastAccess }: Machine, part: PartSummary): PartSummary {
  return { ...part, status, lastAccess };
}

/** Part node; a click opens its config. */
export class PartNode implements TreeNode {
  readonly kind = 'part';
  readonly id: string;
  readonly contextValue: string;
  readonly target: PartTarget;
  readonly presence: Presence;

  constructor(
    readonly parent: TreeNode,
    scope: OrganizationScope,
    machine: MachineTarget,
    readonly part: PartSummary,
    readonly granted: Granted,
    private readonly drawnAt: Date,
  ) {
    this.id = `${parent.id}/part/${part.id}`;
    this.presence = getPresence(part, drawnAt);
    this.contextValue = contextTokens(
      'part',
      this.presence.status,
      part.main && 'main',
      part.fqdn !== '' && 'fqdn',
      ...getRights('part', granted),
      noQueriesToken(scope, granted),
    );
    this.target = {
      kind: 'part',
      connectionId: machine.connectionId,
      organizationId: machine.organizationId,
      locationId: machine.locationId,
      machineId: machine.machineId,
      machineName: machine.name,
      partId: part.id,
      name: part.name,
    };
  }
  /** Returns true if the displayed presence has changed only because time has passed. */
  isOutdated(now: Date): boolean {
    return hasPresenceChanged(this.part, this.drawnAt, now);
  }
}
