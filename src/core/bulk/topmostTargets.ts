import type { LocationId } from '../model/ids';
import { type ResourceTarget, targetId } from '../model/resourceTarget';

/**
 * Returns the distinct targets that no other target contains. Deleting a location also deletes its
 * contents, so deleting them separately would fail.
 * @param getParent returns the parent of a location; undefined for a top-level location.
 */
export function topmostTargets<T extends ResourceTarget>(
  targets: readonly T[],
  getParent: (id: LocationId) => LocationId | undefined,
): readonly T[] {
  const chosen = new Map(targets.map((target) => [toTargetKey(target), target]));
  const isChosen = (kind: ResourceTarget['kind'], id: string): boolean =>
    chosen.has(`${kind}/${id}`);
  const isInside = (target: ResourceTarget): boolean => {
    if (target.kind === 'organization') return false;
    if (isChosen('organization', target.organizationId)) return true;
    if (!('locationId' in target)) return false;
    if (target.kind === 'part' && isChosen('machine', target.machineId)) return true;
    const start = target.kind === 'location' ? getParent(target.locationId) : target.locationId;
    const seen = new Set<LocationId>();
    for (let at = start; at !== undefined && !seen.has(at); at = getParent(at)) {
      if (isChosen('location', at)) return true;
      seen.add(at);
    }
    return false;
  };
  return [...chosen.values()].filter((target) => !isInside(target));
}

function toTargetKey(target: ResourceTarget): string {
  return `${target.kind}/${targetId(target)}`;
}
