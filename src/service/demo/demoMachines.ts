import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Logger } from '../../base/logger';
import { AppService } from '../../gen/viam/app/v1/app_pb';
import {
  type BinaryData,
  DataService,
  Order,
  TagsFilterType,
} from '../../gen/viam/app/data/v1/data_pb';
import { enabledSecret, type MachinePart } from '../../simulate/fleet/fleetMachines';
import { type MachinePace, SimulatedMachine } from '../../simulate/machines/simulatedMachine';
import { Random } from '../../simulate/random';
import type { OwnerCredentials } from '../auth/bootstrap';
import { type AppClient, type DataClient, type OpenTransport, signInTransport } from './demoClient';
import type { MachineEquipment } from '../../simulate/machines/machineCaptures';
import { type CapturesPlan, readDemoData } from './demoData';

/** Rates that cost almost nothing but are high enough to show activity. */
const PACE = { linesPerSecond: 0.12, readingsEvery: 60, imagesEvery: 600, cloudsEvery: 1800 };
const SECONDS_PER_HOUR = 3600;
/** Most machines rarely go offline. This fraction of the machines goes offline occasionally. */
const UNSTEADY = { share: 0.2, absencesPerHour: 2 };
/**
 * Delay in milliseconds between machine starts. The delay keeps the service responsive for users.
 */
const BETWEEN_STARTS_MS = 40;
const RETENTION_MS = 24 * SECONDS_PER_HOUR * 1000;
const TIDY_MS = SECONDS_PER_HOUR * 1000;

/** Machines in the demo fleet, which call the service like any other machines. */
export class DemoMachines {
  private readonly stopped = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly logger: Logger) {}

  /** Runs these parts until `stop` is called. */
  start(open: OpenTransport, owner: OwnerCredentials, partIds: readonly string[]): void {
    this.running = this.run(open, owner, partIds).catch((error: unknown) => {
      if (!this.isStopped()) {
        this.logger.warn('the machines of the demo fleet could not start', {
          error: String(error),
        });
      }
    });
  }

  /** Stops the machines. Resolves when no machine uses the service anymore. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async run(
    open: OpenTransport,
    { apiKeyId: id, apiKey: key }: OwnerCredentials,
    partIds: readonly string[],
  ): Promise<void> {
    const captures = readDemoData().map((company) => company.captures);
    const transport = await signInTransport(open, { id, key });
    const app = createClient(AppService, transport);
    const running = [this.tidy(createClient(DataService, transport))];
    for (const partId of partIds) {
      const part = await findPart(app, partId);
      if (part !== undefined) running.push(this.machine(open, part, captures).run());
      await this.pause(BETWEEN_STARTS_MS);
    }
    await Promise.all(running);
  }

  private machine(
    open: OpenTransport,
    part: MachinePart,
    captures: readonly CapturesPlan[],
  ): SimulatedMachine {
    const random = new Random('demo fleet').of(part.name);
    const isUnsteady = random.of('steadiness').chance(UNSTEADY.share);
    const absencesPerSecond = isUnsteady ? UNSTEADY.absencesPerHour / SECONDS_PER_HOUR : 0;
    const pace: MachinePace = { ...PACE, absencesPerSecond };
    return new SimulatedMachine({
      open,
      part,
      pace,
      equipment: getEquipment(part.name, captures),
      // Like the capture times, the random numbers differ after each start.
      random: random.of(new Date().toISOString()),
      signal: this.stopped.signal,
      report: (sentence) => {
        this.logger.debug(sentence);
      },
    });
  }

  private async tidy(data: DataClient): Promise<void> {
    const { signal } = this.stopped;
    while (!this.isStopped()) {
      try {
        await deleteOldCaptures(data, new Date(Date.now() - RETENTION_MS), signal);
      } catch (error) {
        if (!this.isStopped()) {
          this.logger.warn('data captured by the demo fleet could not be deleted', {
            error: String(error),
          });
        }
      }
      await this.pause(TIDY_MS);
    }
  }

  private isStopped(): boolean {
    return this.stopped.signal.aborted;
  }

  private async pause(milliseconds: number): Promise<void> {
    const { signal } = this.stopped;
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Returns a part with its credentials; undefined if a user has deleted it or its secrets. */
async function findPart(app: AppClient, partId: string): Promise<MachinePart | undefined> {
  try {
    const { part } = await app.getRobotPart({ id: partId });
    const secret = part && enabledSecret(part);
    return part && secret !== undefined ? { id: partId, name: part.name, secret } : undefined;
  } catch {
    return undefined;
  }
}

const PAGE = 500n;

/**
 * Deletes images and point clouds that demo machines captured before a time, except those that a
 * user has tagged, labeled, or added to a dataset.
 */
export async function deleteOldCaptures(
  data: DataClient,
  before: Date,
  signal: AbortSignal,
): Promise<void> {
  const filter = {
    tagsFilter: { type: TagsFilterType.MATCH_BY_OR, tags: [LIVE_TAG] },
    interval: { end: timestampFromDate(before) },
  };
  for (let last = '', isDone = false; !isDone;) {
    const page = await data.binaryDataByFilter(
      {
        dataRequest: { filter, limit: PAGE, last, sortOrder: Order.ASCENDING },
        includeBinary: false,
      },
      { signal },
    );
    const binaryDataIds = page.data
      .filter(isUntouched)
      .flatMap(({ metadata }) => metadata?.binaryDataId ?? []);
    if (binaryDataIds.length > 0) await data.deleteBinaryDataByIDs({ binaryDataIds }, { signal });
    ({ last } = page);
    isDone = BigInt(page.data.length) < PAGE;
  }
}

function isUntouched({ metadata }: BinaryData): boolean {
  const { captureMetadata, annotations, datasetIds = [] } = metadata ?? {};
  return (
    captureMetadata?.tags.length === 1 &&
    (annotations?.bboxes ?? []).length === 0 &&
    datasetIds.length === 0
  );
}

/**
 * Tag of data that demo machines capture while the service is running. This data is deleted later.
 */
const LIVE_TAG = 'live';

/** Returns a demo part's equipment. It matches the part's history. */
function getEquipment(partName: string, captures: readonly CapturesPlan[]): MachineEquipment {
  const isItsOwn = ({ part }: { part: string }): boolean => part === partName;
  return {
    sources: captures.flatMap(({ readings }) => readings.filter(isItsOwn)),
    camera: captures.flatMap(({ images }) => images).find(isItsOwn),
    scanner: captures.flatMap(({ scans }) => scans).find(isItsOwn),
    tags: [LIVE_TAG],
  };
}
