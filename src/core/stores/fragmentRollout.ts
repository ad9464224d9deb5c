import type {
  ListFragmentRolloutResponse,
  PartRollout as WirePart,
  RolloutCounts as WireCounts,
  RolloutState as WireState,
} from '../../gen/fleetwright/rollout/v1/rollout_pb';
import { type FleetClients, withSignal } from '../api/fleetClients';
import type { OnlineStatus } from '../model/entities';
import { statusFromWire, toDate } from '../model/fromWire';
import type { FragmentTarget, PartTarget } from '../model/resourceTarget';
import { locationId, machineId, partId } from '../model/ids';

/**
 * Rollout state of a part. `pending` means that the machine has yet to fetch or apply the saved
 * revision, and `pinned` that the part's config names another revision.
 */
export type RolloutState = 'applied' | 'pending' | 'pinned' | 'unknown';

/** All states, in the order in which they are shown. */
export const ROLLOUT_STATES: readonly RolloutState[] = ['applied', 'pending', 'pinned', 'unknown'];

/** Number of parts in each state. */
export type RolloutCounts = Readonly<Record<RolloutState, number>>;

/** Maximum number of parts in one response of the service. */
export const MAX_ROLLOUT_PARTS = 1_000;

/** Parts that use a fragment. */
export interface FragmentRollout {
  readonly counts: RolloutCounts;
  /** First parts in the requested state, in the order in which their machines were created. */
  readonly parts: readonly PartRollout[];
}

/** Part that uses a fragment. */
export interface PartRollout {
  readonly target: PartTarget;
  readonly main: boolean;
  readonly state: RolloutState;
  /** Contents of the config that the machine has fetched last. */
  readonly fetched: 'nothing' | 'savedRevision' | 'anotherRevision' | 'noRevision';
  readonly fetchedAt: Date | undefined;
  readonly status: OnlineStatus;
  readonly lastAccess: Date | undefined;
}

// Numbers in the API contract's enum, whose generated code is loaded only with the first call.
const WIRE_STATES: Readonly<Record<RolloutState, WireState>> = {
  applied: 1,
  pending: 2,
  pinned: 3,
  unknown: 4,
};

/**
 * Reads the number of parts in each state, and the first parts in one state, with one call.
 * @throws FleetError `unsupported` if the service doesn't report rollouts
 */
export async function readFragmentRollout(
  { rollouts }: FleetClients,
  target: FragmentTarget,
  state: RolloutState,
  limit: number,
  signal?: AbortSignal,
): Promise<FragmentRollout> {
  const { organizationId, fragmentId } = target;
  const answer = await rollouts.listFragmentRollout(
    { organizationId, fragmentId, states: [WIRE_STATES[state]], pageLimit: BigInt(limit) },
    withSignal(signal),
  );
  return {
    counts: countsFromWire(answer.counts),
    parts: answer.parts.map((part) => partFromWire(part, target, state, answer)),
  };
}

function countsFromWire(wire: WireCounts | undefined): RolloutCounts {
  const { applied = 0, pending = 0, pinned = 0, unknown = 0 } = wire ?? {};
  return { applied, pending, pinned, unknown };
}

function partFromWire(
  wire: WirePart,
  { connectionId, organizationId }: FragmentTarget,
  state: RolloutState,
  { revision }: ListFragmentRolloutResponse,
): PartRollout {
  const fetchedAt = toDate(wire.fetchedAt);
  return {
    target: {
      kind: 'part',
      connectionId,
      organizationId,
      locationId: locationId(wire.locationId),
      machineId: machineId(wire.machineId),
      machineName: wire.machineName,
      partId: partId(wire.partId),
      name: wire.partName,
    },
    main: wire.isMainPart,
    state,
    fetched: fetchedAt ? describeFetch(wire.fetchedRevision, revision) : 'nothing',
    fetchedAt,
    status: statusFromWire(wire.onlineState),
    lastAccess: toDate(wire.lastAccess),
  };
}

function describeFetch(fetched: string, saved: string): PartRollout['fetched'] {
  if (fetched === '') return 'noRevision';
  return fetched === saved ? 'savedRevision' : 'anotherRevision';
}
