import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import {
  type ListFragmentRolloutRequest,
  type PartRollout,
  PartRolloutSchema,
  RolloutState as WireState,
  type RolloutService,
} from '../../gen/fleetwright/rollout/v1/rollout_pb';
import { requireMember } from '../auth/authorizer';
import { grantedMachineIds, type Principal } from '../auth/principal';
import { notFound } from '../errors';
import { getOnlineState } from '../messages/machineMessages';
import {
  listRollout,
  type PartInRollout,
  type RolloutPage,
  type RolloutSelection,
  type RolloutState,
} from '../store/configReports';
import { findFragment } from '../store/fragments';
import { listSummarizedMachines } from '../store/machineSummaries';
import { type Micros, optionalTimestamp } from '../store/micros';
import { getCaller, type HandlerDependencies } from './handlerSupport';
import { visibleLocations } from './locations';
import { itemPageTokens, pageLimit } from '../messages/paging';

const PAGE_LIMITS = { byDefault: 100, max: 1_000 };

const WIRE_STATES: Readonly<Record<RolloutState, WireState>> = {
  applied: WireState.APPLIED,
  pending: WireState.PENDING,
  pinned: WireState.PINNED,
  unknown: WireState.UNKNOWN,
};

/** Handlers for the progress of a fragment's saved revision to the machines that use it. */
export function fragmentRolloutHandlers({
  store,
  now,
}: HandlerDependencies): ServiceImpl<typeof RolloutService> {
  return {
    async listFragmentRollout(request, context) {
      const { organizationId, fragmentId } = request;
      const principal = getCaller(context);
      requireMember(principal, organizationId);
      const page = parsePage(request);
      const fragment = await findFragment(store, fragmentId);
      if (fragment === undefined) throw notFound('fragment', fragmentId);
      const { revision } = fragment;
      const machines = await selectReadableMachines(principal, organizationId);
      const selection = { fragmentId, revision, ...machines };
      const { counts, parts: rows } = await listRollout(store, selection, {
        ...page,
        limit: page.limit + 1,
      });
      const parts = rows.slice(0, page.limit);
      const present = now();
      return {
        revision,
        counts,
        parts: parts.map((row) => partRolloutMessage(row, present)),
        nextPageToken: rows.length > page.limit ? createPageToken(parts.at(-1)) : '',
      };
    },
  };

  /** Selects the machines of an organization that the caller can read. */
  async function selectReadableMachines(
    principal: Principal,
    organizationId: string,
  ): Promise<Pick<RolloutSelection, 'locationIds' | 'machineIds'>> {
    const { readable, covers } = await visibleLocations(store, principal, organizationId);
    const covered = readable.filter((row) => covers(row));
    const others = new Set(readable.filter((row) => !covers(row)).map(({ id }) => id));
    const granted = await listSummarizedMachines(store, {
      locationIds: [],
      machineIds: others.size > 0 ? grantedMachineIds(principal) : [],
      fragmentIds: [],
    });
    return {
      locationIds: covered.map(({ id }) => id),
      machineIds: granted.filter((row) => others.has(row.location_id)).map(({ id }) => id),
    };
  }
}

function parsePage({
  states,
  pageLimit: limit,
  pageToken,
}: ListFragmentRolloutRequest): RolloutPage {
  const names = Object.keys(WIRE_STATES) as RolloutState[];
  return {
    states: names.filter((name) => states.length === 0 || states.includes(WIRE_STATES[name])),
    after: parsePageToken(pageToken),
    limit: pageLimit(limit, PAGE_LIMITS),
  };
}

function createPageToken(last: PartInRollout | undefined): string {
  return itemPageTokens.create(last && { at: last.created_at, id: last.id });
}

function parsePageToken(token: string): RolloutPage['after'] {
  const end = itemPageTokens.parse(token);
  return end && { created_at: end.at, id: end.id };
}

function partRolloutMessage(row: PartInRollout, now: Micros): PartRollout {
  const [fetchedAt, lastAccess] = [
    optionalTimestamp(row.fetched_at),
    optionalTimestamp(row.last_access),
  ];
  return create(PartRolloutSchema, {
    locationId: row.location_id,
    machineId: row.machine_id,
    machineName: row.machine_name,
    partId: row.id,
    partName: row.name,
    isMainPart: row.is_main === 1,
    state: WIRE_STATES[row.state],
    fetchedRevision: row.fetched_revision ?? '',
    onlineState: getOnlineState(row.last_access, now).onlineState,
    ...(fetchedAt && { fetchedAt }),
    ...(lastAccess && { lastAccess }),
  });
}
