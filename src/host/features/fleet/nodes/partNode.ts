import type { PartSummary } from '../../../../core/model/entities';
import { hasPresenceChanged, type Presence, getPresence } from '../../../../core/model/presence';
import { type Granted, getRights } from '../../../../core/model/permissions';
import type { MachineTarget, PartTarget } from '../../../../core/model/resourceTarget';
import { contextTokens, noQueriesToken, type OrganizationScope, type TreeNode } from './treeNode';

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
