import { setTimeout as sleep } from 'node:timers/promises';
import { everyCapture } from '../../src/core/model/captureFilter';
import { type BinaryDataId, organizationId, type PartId, partId } from '../../src/core/model/ids';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import type { UploadOrigin } from '../../src/core/stores/uploadStore';
import type { MachinePart } from '../../src/simulate/fleet/fleetMachines';
import type { LineLoad } from './lineLoad';
import type { SoakRecord } from './soakRecord';

/** Lines that a part logs per call. */
const LINES_PER_CALL = 30;
const LOG_EVERY_MS = 1_000;
/** Longer for the part whose log the editor shows, because drawing lines loads a processor most. */
const LOG_SHOWN_EVERY_MS = 4_000;
const TAILS = 3;
const READINGS_PER_CALL = 20;
const IMAGE_BYTES = 40_000;
/** Number of uploaded images that are stored at a time. The oldest is deleted. */
const IMAGES = 20;
const COMPONENT = 'soak';
/** Name of the calls to a server without logic. */
export const REFERENCE = 'reference';
const SQL = `select component_name, count(*) as count,
    avg(cast(data.readings.temperature as double)) as temperature
  from readings where time_received > now() - interval 1 minute group by all limit 100`;

export interface SoakFleet {
  readonly stores: FleetStores;
  readonly organization: string;
  readonly parts: readonly MachinePart[];
  readonly machines: readonly LineLoad[];
  /** Call to a server without logic, which shows how busy the computer is. */
  readonly reference: () => Promise<unknown>;
}

/** Moderate load of all kinds on a fleet service, through the extension's own stores. */
export class SoakLoad {
  private readonly images: BinaryDataId[] = [];
  private readonly organization;
  private readonly part: PartId;
  private saves = 0;

  constructor(
    private readonly fleet: SoakFleet,
    private readonly record: SoakRecord,
  ) {
    this.organization = organizationId(fleet.organization);
    this.part = partId(fleet.parts[0]?.id ?? '');
  }

  /** Runs the load until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { fleet } = this;
    const every = (ms: number, name: string, call: () => Promise<unknown>): Promise<void> =>
      this.repeat({ ms, name, call, signal });
    // The first query needs readings.
    await this.uploadReadings();
    await Promise.all([
      ...fleet.parts.slice(0, TAILS).map(({ id }) => this.tail(partId(id), signal)),
      ...fleet.machines.map((machine) => {
        const isShown = machine === fleet.machines.at(-1);
        const ms = isShown ? LOG_SHOWN_EVERY_MS : LOG_EVERY_MS;
        return every(ms, 'log lines', () => machine.send(LINES_PER_CALL));
      }),
      every(1_000, REFERENCE, fleet.reference),
      every(10_000, 'query with SQL', () => this.query('sql', SQL, signal)),
      every(10_000, 'query with MQL', () => this.query('mql', recentPipeline(), signal)),
      every(10_000, 'save config', () => this.save()),
      every(10_000, 'list history', () => fleet.stores.parts.history(this.part, { limit: 20 })),
      every(3_000, 'upload readings', () => this.uploadReadings()),
      every(5_000, 'upload image', () => this.uploadImage()),
      every(10_000, 'list resources', () => this.list()),
      every(10_000, 'list logs', () =>
        fleet.stores.logs.page({ part: this.part, order: 'newestFirst', limit: 100 }),
      ),
      every(10_000, 'list images', () => this.listImages()),
    ]);
  }

  private async repeat({
    ms,
    name,
    call,
    signal,
  }: {
    ms: number;
    name: string;
    call: () => Promise<unknown>;
    signal: AbortSignal;
  }): Promise<void> {
    // Spread the operations over their interval.
    let next = Date.now() + Math.random() * ms;
    for (;;) {
      await sleep(Math.max(0, next - Date.now()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      next = Math.max(next + ms, Date.now());
      await this.record.measure(name, call);
    }
  }

  /** Measures the delay of each batch, and records missed lines and a lost tail as errors. */
  private async tail(part: PartId, signal: AbortSignal): Promise<void> {
    const name = 'tail lines';
    let last: number | undefined;
    try {
      for await (const entries of this.fleet.stores.logs.tail(part, signal)) {
        const at = Date.now();
        const numbered = entries.filter(({ message }) => message.startsWith('line '));
        for (const { message } of numbered) {
          const number = Number(message.split(' ')[1]);
          if (last !== undefined && number !== last + 1) {
            this.record.add({ at, name, error: `${String(number)} follows ${String(last)}` });
          }
          last = number;
        }
        const newest = numbered.at(-1);
        if (newest) this.record.add({ at, name, milliseconds: at - newest.micros / 1_000 });
      }
    } catch (error) {
      if (!signal.aborted) this.record.add({ at: Date.now(), name, error: String(error) });
    }
  }

  private async query(language: 'sql' | 'mql', text: string, signal: AbortSignal): Promise<void> {
    const query = { organizationId: this.organization, language, text, recent: false };
    let rows = 0;
    try {
      for await (const batch of this.fleet.stores.queries.run(query, signal)) rows += batch.length;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    if (rows === 0 && !signal.aborted) throw new Error('The query has no rows.');
  }

  private async save(): Promise<void> {
    const { parts } = this.fleet.stores;
    const { name, configText, lastUpdated } = await parts.get(this.part, { fresh: true });
    const config = JSON.parse(configText) as Record<string, unknown>;
    this.saves += 1;
    const changed = JSON.stringify({ ...config, soak: { save: this.saves } });
    await parts.updateConfig(this.part, {
      name,
      configText: changed,
      lastKnownUpdate: lastUpdated,
    });
  }

  private async uploadReadings(): Promise<void> {
    const now = Date.now();
    const readings = Array.from({ length: READINGS_PER_CALL }, (_, index) => ({
      at: (now - index) * 1_000,
      data: { readings: { temperature: 20 + index / 10, humidity: 40 + index } },
    }));
    await this.fleet.stores.uploads.readings(this.origin('sensor', 'Readings'), [], readings);
  }

  private async uploadImage(): Promise<void> {
    const { uploads, binaryData } = this.fleet.stores;
    const content = new Uint8Array(IMAGE_BYTES).fill(this.images.length);
    const id = await uploads.file({
      origin: this.origin('camera', 'ReadImage'),
      path: 'soak.jpg',
      tags: ['soak'],
      datasets: [],
      read: async function* () {
        yield await Promise.resolve(content);
      },
    });
    this.images.push(id);
    const oldest = this.images.length > IMAGES ? this.images.shift() : undefined;
    if (oldest !== undefined) {
      await this.record.measure('delete image', () => binaryData.delete([oldest]));
    }
  }

  private async list(): Promise<void> {
    const { organizations, locations, machines, parts } = this.fleet.stores;
    const fresh = { fresh: true };
    await organizations.list(fresh);
    const [location] = await locations.list(this.organization, fresh);
    if (!location) throw new Error('The organization has no locations.');
    const [machine] = await machines.list(location.id, fresh);
    if (machine) await parts.list(machine.id, fresh);
  }

  private async listImages(): Promise<void> {
    const filter = { ...everyCapture, organizationIds: [this.organization] };
    await this.fleet.stores.binaryData.page({ filter, order: 'newestFirst', limit: 50 });
  }

  private origin(type: string, method: string): UploadOrigin {
    const componentType = `rdk:component:${type}`;
    return { partId: this.part, componentName: COMPONENT, componentType, method };
  }
}

/** Pipeline that groups the readings of the last minute. */
function recentPipeline(): string {
  const since = new Date(Date.now() - 60_000).toISOString();
  return JSON.stringify([
    { $match: { time_received: { $gt: { $date: since } } } },
    { $group: { _id: '$component_name', count: { $sum: 1 } } },
  ]);
}
