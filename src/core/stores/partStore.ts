import { forEachBounded } from '../../base/bounded';
import { required, withSignal } from '../api/fleetClients';
import type { HistoryEntry, HistoryRequest, Page, Part, PartSummary } from '../model/entities';
import {
  editorFromWire,
  formatPartConfig,
  partFromWire,
  partSummaryFromWire,
} from '../model/fromWire';
import { type MachineId, type PartId, partId } from '../model/ids';
import {
  CONFIG_STATE_HEADER,
  type ConfigState,
  getConfigStage,
  parseConfigStates,
  parseRestartMark,
  RESTART_MARK_HEADER,
  type RestartMark,
} from '../model/contractExtensions';
import { toVersionToken } from '../model/timestamp';
import { inNameOrder } from '../model/resourceName';
import { ConfigStore, type ConfigUpdate, toPagingFields, toUpdateFields } from './configStore';
import { isNotFound, type ReadOptions } from './resourceCache';
import { findRenamed, storeChange } from './listStore';

/** State of a part's machine, as known to the service at a given time. */
export interface PartContact extends Pick<PartSummary, 'status' | 'lastAccess'> {
  /** Progress of the config; undefined if the service doesn't report it. */
  readonly configState: ConfigState | undefined;
  /** State of the restart request; undefined if the service doesn't report it. */
  readonly restart: RestartMark | undefined;
}

const CONCURRENT_LISTS = 8;

type PartKey = Pick<PartSummary, 'id' | 'machineId'>;

/** Parts. Caches summaries in one list per machine, and configs individually. */
export class PartStore extends ConfigStore<PartSummary, MachineId> {
  /** Returns the main part, followed by the other parts sorted by name. */
  list(machine: MachineId, options: ReadOptions = {}): Promise<readonly PartSummary[]> {
    return this.readList(machine, this.requestList(machine), options);
  }

  /** Returns true if the list of a machine's parts is cached. */
  isListed(machine: MachineId): boolean {
    return this.lists.peek(machine) !== undefined;
  }

  /**
   * Returns all parts of a machine with their configs. Makes one call and doesn't cache the result.
   */
  async readAll(machine: MachineId, signal?: AbortSignal): Promise<readonly Part[]> {
    const answer = await this.clients.app.getRobotParts({ robotId: machine }, withSignal(signal));
    return answer.parts.map((part) => partFromWire(part));
  }

  protected async read(id: PartId, signal: AbortSignal): Promise<Part> {
    const answer = await this.clients.app.getRobotPart({ id }, { signal });
    return partFromWire(required(answer.part, 'part', this.clients.l10n), answer.configJson);
  }

  protected async write(id: PartId, update: ConfigUpdate): Promise<Part> {
    const { configText } = update;
    const answer = await this.clients.app.updateRobotPart({
      id,
      ...toUpdateFields(update),
      // The service stores the text byte for byte.
      ...(configText !== undefined && { robotConfigJson: configText }),
    });
    return partFromWire(required(answer.part, 'part', this.clients.l10n));
  }

  protected getParent({ machineId }: PartSummary): MachineId {
    return machineId;
  }

  async create(machine: MachineId, name: string): Promise<PartId> {
    const answer = await this.clients.app.newRobotPart({ robotId: machine, partName: name });
    const created = partId(answer.partId);
    this.fire({ ids: [created], parents: [machine] });
    return created;
  }

  async delete(part: PartKey): Promise<void> {
    await this.sendChange(part.machineId, this.clients.app.deleteRobotPart({ partId: part.id }));
    this.fire({ removed: [part.id], parents: [part.machineId] });
  }

  async markAsMain(part: PartKey): Promise<void> {
    await this.sendChange(part.machineId, this.clients.app.markPartAsMain({ partId: part.id }));
    this.fire({ ids: [part.id], parents: [part.machineId] });
  }

  /**
   * Requests a restart, which the machine performs when it next checks in. Doesn't change any
   * displayed data.
   */
  async markForRestart(id: PartId): Promise<void> {
    await this.clients.app.markPartForRestart({ partId: id });
  }

  /**
   * Reads the last contact, the restart request, and the progress of the config of a part from the
   * service. Doesn't use the cache. If the config has reached another stage, updates the cached
   * list of the machine and notifies listeners.
   */
  async readContact(id: PartId, signal?: AbortSignal): Promise<PartContact> {
    let restart: RestartMark | undefined;
    let configState: ConfigState | undefined;
    const onHeader = (headers: Headers): void => {
      restart = parseRestartMark(headers.get(RESTART_MARK_HEADER));
      configState = parseConfigStates(headers.get(CONFIG_STATE_HEADER)).get(id);
    };
    const answer = await this.clients.app.getRobotPart({ id }, { ...withSignal(signal), onHeader });
    const { machineId, status, lastAccess } = partSummaryFromWire(
      required(answer.part, 'part', this.clients.l10n),
    );
    this.updateConfigState(id, machineId, configState);
    return { status, lastAccess, restart, configState };
  }

  async history(id: PartId, request: HistoryRequest = {}): Promise<Page<HistoryEntry>> {
    const answer = await this.clients.app.getRobotPartHistory(
      { id, ...toPagingFields(request) },
      withSignal(request.signal),
    );
    return {
      nextPageToken: answer.nextPageToken,
      items: answer.history.map(({ when, editedBy, old }) => ({
        editedOn: when && toVersionToken(when),
        editor: editorFromWire(editedBy),
        old: old && { name: old.name, configText: formatPartConfig(old) },
      })),
    };
  }

  /**
   * Rereads lists, a few at a time, and notifies listeners once about the lists with a changed
   * status or last contact. Skips machines that were deleted.
   */
  async rereadLists(machines: readonly MachineId[]): Promise<void> {
    const parents: MachineId[] = [];
    const ids: PartId[] = [];
    await forEachBounded(machines, CONCURRENT_LISTS, async (machine) => {
      const before = this.lists.peek(machine);
      const read = this.lists.get(machine, this.requestList(machine), { fresh: true });
      const after = await read.catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
      if (!before || !after || this.isSameList(before, after)) return;
      parents.push(machine);
      ids.push(...this.findChanged(before, after));
    });
    // The cached lists are already up to date, so listeners don't have to reload them.
    this.evict(storeChange({ ids }));
    if (parents.length > 0) this.fireChange({ ids, parents });
  }

  protected override isSameList(
    before: readonly PartSummary[],
    after: readonly PartSummary[],
  ): boolean {
    return sameContacts(before, after);
  }

  /** A changed contact affects only the list. Contacts change often, and are polled. */
  protected override findChanged(before: readonly PartSummary[], after: readonly PartSummary[]) {
    return findRenamed(before, after);
  }

  private requestList(machine: MachineId) {
    return async (signal: AbortSignal): Promise<readonly PartSummary[]> => {
      let states: ReadonlyMap<string, ConfigState> = new Map();
      const onHeader = (headers: Headers): void => {
        states = parseConfigStates(headers.get(CONFIG_STATE_HEADER));
      };
      const answer = await this.clients.app.getRobotParts(
        { robotId: machine },
        { signal, onHeader },
      );
      const summaries = answer.parts.map((part) => {
        return withConfigState(partSummaryFromWire(part), states.get(part.id));
      });
      const parts = inNameOrder(summaries);
      return parts.toSorted((a, b) => Number(b.main) - Number(a.main));
    };
  }

  private updateConfigState(id: PartId, machine: MachineId, state: ConfigState | undefined): void {
    const parts = this.lists.peek(machine);
    const before = parts?.find((part) => part.id === id)?.configState;
    if (!parts || !before || !state || getConfigStage(before) === getConfigStage(state)) return;
    this.lists.set(
      machine,
      parts.map((part) => (part.id === id ? { ...part, configState: state } : part)),
    );
    this.fireChange({ parents: [machine] });
  }
}

function sameContacts(before: readonly PartSummary[], after: readonly PartSummary[]): boolean {
  const facts = (parts: readonly PartSummary[]): string =>
    JSON.stringify(
      parts.map(({ id, name, status, lastAccess, configState }) => [
        ...[id, name, status, lastAccess],
        configState && getConfigStage(configState),
      ]),
    );
  return facts(before) === facts(after);
}

function withConfigState(part: PartSummary, configState: ConfigState | undefined): PartSummary {
  return configState ? { ...part, configState } : part;
}
