import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { type FleetError, toFleetError } from '../../../core/api/errors';
import { inNameOrder } from '../../../core/model/resourceName';
import type { FragmentTarget, PartTarget } from '../../../core/model/resourceTarget';
import {
  MAX_ROLLOUT_PARTS,
  type PartRollout,
  ROLLOUT_STATES,
  type RolloutCounts,
  type RolloutState,
} from '../../../core/stores/fragmentRollout';
import type { NodeSource } from '../../platform/nodeTreeProvider';
import type { SessionProvider } from '../../platform/sessionProvider';

/** Number of parts that a group shows at first, and that each "Load more" adds. */
const PAGE_SIZE = 100;

/** Parts in one state. */
export interface RolloutGroup {
  readonly kind: 'group';
  readonly id: string;
  readonly state: RolloutState;
  readonly count: number;
  readonly children: readonly RolloutNode[];
}

/** Part that uses the fragment. */
export interface RolloutPart {
  readonly kind: 'part';
  readonly id: string;
  readonly target: PartTarget;
  readonly part: PartRollout;
}

/** Placeholder for further parts of a group. */
export interface RolloutRest {
  readonly kind: 'rest';
  readonly id: string;
  readonly state: RolloutState;
  readonly shown: number;
  readonly count: number;
  /** False if the group shows as many parts as it can. */
  readonly canLoad: boolean;
}

/** Error that prevents the display of parts. */
export interface RolloutError {
  readonly kind: 'error';
  readonly id: 'error';
  readonly error: FleetError;
}

export type RolloutNode = RolloutGroup | RolloutPart | RolloutRest | RolloutError;

/** Result of the last read. */
interface Rollout {
  readonly counts: RolloutCounts | undefined;
  readonly nodes: readonly (RolloutGroup | RolloutError)[];
}

/** Parts that use a fragment, grouped by the progress of the fragment's saved revision. */
export class RolloutTree extends Disposable implements NodeSource<RolloutNode> {
  private readonly changed = this.register(new Emitter<undefined>());
  /** Fires when the nodes, the counts, or the refresh error have changed. */
  readonly onDidChange = this.changed.event;
  private shownTarget: FragmentTarget | undefined;
  private limits = new Map<RolloutState, number>();
  /** Last read, which can still be running. */
  private latest: Promise<void> | undefined;
  private shown: Rollout | undefined;
  private failure: FleetError | undefined;
  private reading: AbortController | undefined;

  constructor(
    private readonly sessions: Pick<SessionProvider, 'stores'>,
    private readonly pageSize = PAGE_SIZE,
  ) {
    super();
    this.register({ dispose: () => this.show(undefined) });
  }

  /** Fragment whose rollout is shown. */
  get target(): FragmentTarget | undefined {
    return this.shownTarget;
  }

  /** Number of parts in each state; undefined while they are unknown. */
  get counts(): RolloutCounts | undefined {
    return this.shown?.counts;
  }

  /** Error of the last refresh, after which the older parts are still shown. */
  get refreshError(): FleetError | undefined {
    return this.failure;
  }

  /** Shows the rollout of a fragment; undefined shows nothing. */
  show(target: FragmentTarget | undefined): void {
    this.reading?.abort();
    this.shownTarget = target;
    this.limits = new Map();
    this.shown = undefined;
    this.failure = undefined;
    this.latest = undefined;
    this.changed.fire(undefined);
  }

  async listChildren(node?: RolloutNode): Promise<readonly RolloutNode[]> {
    if (node) return node.kind === 'group' ? node.children : [];
    const { shownTarget: target } = this;
    // A refresh during the first read replaces that read.
    while (target && target === this.shownTarget && !this.shown) {
      await (this.latest ?? this.refresh());
    }
    return this.shown?.nodes ?? [];
  }

  findParent(node: RolloutNode): RolloutNode | undefined {
    return this.shown?.nodes.find((group) => 'children' in group && group.children.includes(node));
  }

  /**
   * Reads the rollout again. If that fails, shows the older parts with the error, unless the error
   * means that the user can't see them anymore.
   */
  refresh(): Promise<void> {
    const { shownTarget: target } = this;
    this.latest = target ? this.readAndShow(target) : Promise.resolve();
    return this.latest;
  }

  /** Shows more parts of a group. */
  async loadMore({ state }: Pick<RolloutRest, 'state'>): Promise<void> {
    this.limits.set(state, Math.min(this.getLimit(state) + this.pageSize, MAX_ROLLOUT_PARTS));
    await this.refresh();
  }

  private async readAndShow(target: FragmentTarget): Promise<void> {
    this.reading?.abort();
    const { signal } = (this.reading = new AbortController());
    let next: Rollout;
    let failure: FleetError | undefined;
    try {
      next = await this.read(target, signal);
    } catch (thrown) {
      failure = toFleetError(thrown);
      const isTemporary = failure.kind === 'unavailable' || failure.kind === 'internal';
      const older = isTemporary && this.shown?.counts ? this.shown : undefined;
      next = older ?? errorRollout(failure);
      if (!older) failure = undefined;
    }
    if (signal.aborted) return;
    this.failure = failure;
    this.shown = next;
    this.changed.fire(undefined);
  }

  /** Makes one call for each state with parts, and one call if there are none. */
  private async read(target: FragmentTarget, signal: AbortSignal): Promise<Rollout> {
    const { fragments } = this.sessions.stores(target.connectionId);
    const read = (state: RolloutState) =>
      fragments.readRollout(target, state, this.getLimit(state), signal);
    const first = await read('pending');
    const groups = await Promise.all(
      ROLLOUT_STATES.map(async (state) => {
        if (state === 'pending') return this.toGroup(state, first.counts, first.parts);
        if (first.counts[state] === 0) return undefined;
        const { counts, parts } = await read(state);
        return this.toGroup(state, counts, parts);
      }),
    );
    return { counts: first.counts, nodes: groups.filter((group) => group !== undefined) };
  }

  private toGroup(
    state: RolloutState,
    { [state]: count }: RolloutCounts,
    parts: readonly PartRollout[],
  ): RolloutGroup | undefined {
    if (count === 0) return undefined;
    const named = parts.map((part) => ({
      name: part.target.machineName,
      id: `${part.target.machineId}/${part.target.partId}`,
      part,
    }));
    const rows = inNameOrder(named).map(({ part }): RolloutPart => ({
      kind: 'part',
      id: `${state}/${part.target.partId}`,
      target: part.target,
      part,
    }));
    const rest: RolloutRest = {
      kind: 'rest',
      id: `${state}/rest`,
      state,
      shown: rows.length,
      count,
      canLoad: this.getLimit(state) < MAX_ROLLOUT_PARTS,
    };
    const children = count > rows.length ? [...rows, rest] : rows;
    return { kind: 'group', id: state, state, count, children };
  }

  private getLimit(state: RolloutState): number {
    return this.limits.get(state) ?? this.pageSize;
  }
}

function errorRollout(error: FleetError): Rollout {
  return { counts: undefined, nodes: [{ kind: 'error', id: 'error', error }] };
}
