import './englishVscode';
import type { JsonObject } from '@bufbuild/protobuf';
import { FleetError } from '../../../src/core/api/errors';
import { everyCapture } from '../../../src/core/model/captureFilter';
import type { CaptureSource } from '../../../src/core/model/binaryItem';
import { locationId, machineId, organizationId, partId } from '../../../src/core/model/ids';
import type {
  LatestReading,
  ReadingsPage,
  ReadingsPageRequest,
} from '../../../src/core/stores/readingsStore';
import { readingHandlers } from '../../../src/host/features/data/readingHandlers';
import type { AppliedReadings } from '../../../src/host/features/data/readingListings';
import type { readingMessages } from '../../../src/shared/data/readings';
import type { HostHandlers } from '../../../src/shared/protocol';
import type { DataProtocol } from '../../../src/shared/data/dataProtocol';
import type { WebviewPage } from './webviewPage';

const FIRST = Date.UTC(2026, 10, 21, 12) * 1_000;

function source(componentName: string): CaptureSource {
  return {
    organizationId: organizationId('o1'),
    locationId: locationId('l1'),
    machineId: machineId('m1'),
    machineName: 'rover-07',
    partId: partId('p1'),
    partName: 'main',
    componentName,
    componentType: 'rdk:component:sensor',
    method: 'Readings',
  };
}

/** The page that shows readings, and its applied filter. */
interface ReadingsTarget {
  readonly page: Pick<WebviewPage<DataProtocol>, 'notify'>;
  readonly generation: number;
}

/** Readings of a fake store, behind the host's real handlers. */
export class FakeReadings {
  count = 0;
  /** Returns the payload of the reading with the given number. */
  payload: (number: number) => JsonObject = (number) => ({
    readings: { celsius: 20 + (number % 10), note: `reading ${number}` },
  });
  /** Errors with which the next page requests fail. */
  failures: FleetError[] = [];
  /** Resources whose latest value fails to load. */
  readonly failingLatest = new Set<string>();
  components = ['mast'];
  readonly pages: ReadingsPageRequest[] = [];

  constructor(private readonly host: ReadingsTarget) {}

  get handlers(): HostHandlers<typeof readingMessages> {
    const applied = new Map<number, AppliedReadings>();
    return readingHandlers({
      session: {
        of: (generation) => {
          if (generation !== this.host.generation) throw new FleetError('conflict', 'Too late.');
          const known = applied.get(generation) ?? this.applied();
          applied.set(generation, known);
          return known;
        },
      },
      notifyRead: (progress) => this.host.page.notify('readingsRead', progress),
    });
  }

  private applied(): AppliedReadings {
    return {
      browse: { filter: everyCapture, signal: new AbortController().signal },
      stores: {
        readings: {
          count: () => Promise.resolve(this.count),
          page: (request) => this.page(request),
          latest: ({ componentName }) => this.latest(componentName),
        },
      },
    };
  }

  private page(request: ReadingsPageRequest): Promise<ReadingsPage> {
    this.pages.push(request);
    const failure = this.failures.shift();
    if (failure) return Promise.reject(failure);
    const start = Number(request.after ?? 0);
    const end = Math.min(start + request.limit, this.count);
    const sources = this.components.map(source);
    const readings = Array.from({ length: Math.max(0, end - start) }, (_, index) => {
      const rowIndex = start + index;
      const number = request.order === 'oldestFirst' ? rowIndex : this.count - 1 - rowIndex;
      const at = FIRST + number * 1_000_000;
      const own = sources[number % sources.length] ?? source('mast');
      return { source: own, at, receivedAt: at, tags: [], data: this.payload(number) };
    });
    return Promise.resolve({ readings, last: String(end), count: this.count });
  }

  private latest(component: string): Promise<LatestReading | undefined> {
    if (this.failingLatest.has(component)) {
      return Promise.reject(new FleetError('unavailable', `No answer about ${component}.`));
    }
    const at = FIRST + this.count * 1_000_000;
    return Promise.resolve({ at, syncedAt: at, data: this.payload(this.count - 1) });
  }
}
