import type { FleetClients } from '../api/fleetClients';
import type { MachineId, OrganizationId } from '../model/ids';
import type { MachineSummary, OnSummaries, SummarizedMachine } from './requestSummaries';
import type { ReadOptions } from './resourceCache';

/** Options for reading summaries. */
export interface ReadSummaryOptions extends Pick<ReadOptions, 'fresh'> {
  readonly signal: AbortSignal;
}

/** Summaries of machines. Caches them by machine. */
export class MachineSummaryStore {
  private readonly summaries = new Map<MachineId, MachineSummary>();
  /** Number of invalidations, to recognize a response that could be outdated. */
  private generation = 0;
  /** False if the service is known not to have summaries. */
  private isSupported = true;

  constructor(private readonly clients: FleetClients) {}

  /**
   * Reads summaries of machines with one call for up to 10,000 machines. Calls `onRead` with the
   * cached summaries, and then with each response.
   *
   * @param organization organization whose locations, or locations shared with it, contain the
   *   machines
   * @param options `fresh` to read from the service even if summaries are cached
   * @returns the other machines, which the caller must read individually: a few machines, or all if
   *   the service has no summaries
   * @throws FleetError if the service can't be reached
   */
  async read(
    organization: OrganizationId,
    machines: readonly SummarizedMachine[],
    onRead: OnSummaries,
    { signal, fresh = false }: ReadSummaryOptions,
  ): Promise<readonly SummarizedMachine[]> {
    const known = new Map<MachineId, MachineSummary>();
    for (const { id } of fresh ? [] : machines) {
      const summary = this.summaries.get(id);
      if (summary) known.set(id, summary);
    }
    if (known.size > 0) onRead(known);
    const unknown = machines.filter(({ id }) => !known.has(id));
    if (!this.isSupported || unknown.length === 0) return unknown;
    const { generation } = this;
    const { requestSummaries } = await import('./requestSummaries');
    const cacheAndReport: OnSummaries = (read) => {
      if (generation === this.generation) {
        for (const [id, summary] of read) this.summaries.set(id, summary);
      }
      onRead(read);
    };
    const answer = await requestSummaries(
      this.clients,
      organization,
      unknown,
      cacheAndReport,
      signal,
    );
    this.isSupported = answer.isSupported;
    return answer.left;
  }

  /** Clears the cached summaries of machines that have changed. */
  clearMachines(machines: readonly MachineId[]): void {
    this.generation += 1;
    for (const id of machines) this.summaries.delete(id);
  }

  /** Clears all cached data. */
  clear(): void {
    this.generation += 1;
    this.summaries.clear();
    this.isSupported = true;
  }
}
