import type { AccessTarget } from '../../../core/model/accessTarget';
import { accessTargetId } from '../../../core/model/accessTarget';
import type { FleetTarget } from '../../../core/model/resourceTarget';
import type { FleetNode } from './nodes/fleetNode';

/** Step on the path from the top of the tree to a resource: a node, identified by its resource. */
export interface PathStep {
  readonly kind: FleetNode['kind'];
  readonly id: string;
}

export function isAccessTarget(target: FleetTarget): target is AccessTarget {
  const kinds: readonly FleetTarget['kind'][] = ['member', 'invite', 'apiKey', 'role'];
  return kinds.includes(target.kind);
}

/**
 * Returns the path below an organization to a member, an invitation, a key, or one of their roles.
 */
export function accessSteps(target: AccessTarget): readonly PathStep[] {
  const members: PathStep = { kind: 'members', id: target.organizationId };
  const apiKeys: PathStep = { kind: 'apiKeys', id: target.organizationId };
  switch (target.kind) {
    case 'member':
    case 'invite':
      return [members, { kind: target.kind, id: accessTargetId(target) }];
    case 'apiKey':
      return [apiKeys, { kind: 'apiKey', id: target.keyId }];
    case 'role': {
      const { holder } = target;
      const role: PathStep = { kind: 'role', id: accessTargetId(target) };
      if (holder.type === 'apiKey') return [apiKeys, { kind: 'apiKey', id: holder.id }, role];
      return [members, { kind: holder.type === 'user' ? 'member' : 'invite', id: holder.id }, role];
    }
  }
}
