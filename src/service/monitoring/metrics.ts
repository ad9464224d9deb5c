import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type LabelValues,
  Registry,
} from 'prom-client';
import type { CallObserver, ObservedCall } from '../server/callRecord';
import type { RejectionReason } from '../server/connectionGuard';
import type { ServerLoad } from '../server/fleetServer';
import { CHECK_STATUSES } from './serviceHealth';
import type { ServiceLoad } from './serviceLoad';

const PREFIX = 'fleetwright_';
/** Upper bounds in seconds. Streams of logs and queries can take minutes. */
const DURATION_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600];

/**
 * Gauges of the library with the suffix of a counter, which strict parsers reject. Its gauges per type
 * contain the same numbers.
 */
const MISNAMED_GAUGES = ['handles', 'requests', 'resources'].map(
  (kind) => `nodejs_active_${kind}_total`,
);

/** Functions that measure the current load, once per scrape. */
export interface MetricSources {
  readonly server: () => ServerLoad;
  readonly service: () => Promise<ServiceLoad>;
}

/**
 * Metrics of the service in the Prometheus text format. All labels have a bounded number of values:
 * services and methods of the contract, codes, and names in this program. None contains an ID, a
 * key, or any other text from a request.
 */
export class Metrics implements CallObserver {
  private readonly registry = new Registry();
  private readonly calls = this.counter(
    'calls_total',
    'Finished calls.',
    'service',
    'method',
    'code',
  );
  private readonly rejections = this.counter(
    'rejections_total',
    'Requests and connections that were rejected before they reached a method.',
    'reason',
  );
  private readonly durations = new Histogram({
    name: `${PREFIX}call_duration_seconds`,
    help: 'Time from the headers of a call to the end of its response.',
    labelNames: ['service', 'method'],
    buckets: DURATION_BUCKETS,
    registers: [this.registry],
  });
  private readonly openCalls = this.gauge('open_calls', 'Unary calls in progress.');
  private readonly openStreams = this.gauge('open_streams', 'Open streams.', 'service', 'method');
  private readonly connections = this.gauge('connections', 'Open connections.');
  private readonly memory = this.gauge(
    'request_memory_bytes',
    'Memory that is reserved for request messages.',
    'budget',
  );
  private readonly memoryLimit = this.gauge(
    'request_memory_limit_bytes',
    'Maximum memory for request messages.',
    'budget',
  );
  private readonly queues = this.gauge('queue_length', 'Jobs and calls that are waiting.', 'queue');
  private readonly workers = this.gauge('workers', 'Maximum number of concurrent jobs.', 'kind');
  private readonly busyWorkers = this.gauge('workers_busy', 'Running jobs.', 'kind');
  private readonly queryProcesses = this.gauge(
    'query_processes',
    'Query processes, including idle ones.',
  );
  private readonly lakeBytes = this.gauge('lake_bytes', 'Size of the files that queries read.');
  private readonly lakeFiles = this.gauge('lake_files', 'Number of files that queries read.');
  private readonly coldFiles = this.gauge('cold_files', 'Number of files with cold readings.');
  private readonly coldBytes = this.gauge('cold_bytes', 'Size of the files with cold readings.');
  private readonly movedReadings = this.counter(
    'cold_readings_moved_total',
    'Readings that this service has moved from the database to files.',
  );
  private readonly failedMoves = this.counter(
    'cold_moves_failed_total',
    "Failed attempts to move an organization's readings to files.",
  );
  private readonly oldestDue = this.gauge(
    'cold_oldest_due_seconds',
    'Age of the oldest reading in the database that is due to be moved, otherwise 0.',
  );
  private readonly cursorBytes = this.gauge(
    'cursor_result_bytes',
    'Query results on disk that wait for clients of the MongoDB endpoint.',
  );
  private readonly cachedShapes = this.gauge(
    'cached_data_shapes',
    'Organizations whose data shape is cached in memory.',
  );
  private readonly ready = this.gauge('ready', '1 if the service can handle calls, otherwise 0.');
  private readonly checks = this.gauge(
    'check',
    '1 for the current status of each health check, otherwise 0.',
    'check',
    'status',
  );

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED_GAUGES) this.registry.removeSingleMetric(name);
  }

  /** Media type of the text. */
  get contentType(): string {
    return this.registry.contentType;
  }

  start(call: ObservedCall): void {
    if (call.isStream) this.openStreams.inc(toLabels(call));
    else this.openCalls.inc();
  }

  finish(call: ObservedCall, code: string, seconds: number): void {
    if (call.isStream) this.openStreams.dec(toLabels(call));
    else this.openCalls.dec();
    this.calls.inc({ ...toLabels(call), code });
    this.durations.observe(toLabels(call), seconds);
  }

  reject(reason: RejectionReason): void {
    this.rejections.inc({ reason });
  }

  /** Returns all metrics in the text format, including the current load. */
  async format({ server, service }: MetricSources): Promise<string> {
    this.setServer(server());
    this.setService(await service());
    const text = await this.registry.metrics();
    // The library spells the value differently from the format.
    return text.replaceAll(/ Nan$/gm, ' NaN');
  }

  private setServer({ connections, memory }: ServerLoad): void {
    this.connections.set(connections);
    for (const [budget, { used, capacity, waiting }] of Object.entries(memory)) {
      this.memory.set({ budget }, used);
      this.memoryLimit.set({ budget }, capacity);
      this.queues.set({ queue: `request_memory_${budget}` }, waiting);
    }
  }

  private setService(load: ServiceLoad): void {
    this.ready.set(load.isReady ? 1 : 0);
    for (const [check, status] of Object.entries(load.checks)) {
      for (const candidate of CHECK_STATUSES) {
        this.checks.set({ check, status: candidate }, status === candidate ? 1 : 0);
      }
    }
    for (const [queue, waiting] of Object.entries(load.queues)) {
      this.queues.set({ queue }, waiting);
    }
    for (const [kind, { busy, total }] of Object.entries(load.workers)) {
      this.workers.set({ kind }, total);
      this.busyWorkers.set({ kind }, busy);
    }
    this.queryProcesses.set(load.queryProcesses);
    this.lakeBytes.set(load.lake.bytes);
    this.lakeFiles.set(load.lake.files);
    if (load.cold !== undefined) {
      this.coldFiles.set(load.cold.files);
      this.coldBytes.set(load.cold.bytes);
      setTotal(this.movedReadings, load.cold.movedRows);
      setTotal(this.failedMoves, load.cold.failedMoves);
      this.oldestDue.set(load.cold.oldestDueSeconds);
    }
    this.cursorBytes.set(load.cursorBytes);
    this.cachedShapes.set(load.cachedShapes);
  }

  private counter(name: string, help: string, ...labelNames: string[]): Counter {
    return new Counter({ name: PREFIX + name, help, labelNames, registers: [this.registry] });
  }

  private gauge(name: string, help: string, ...labelNames: string[]): Gauge {
    return new Gauge({ name: PREFIX + name, help, labelNames, registers: [this.registry] });
  }
}

/** Sets a counter to a total that another part of the service counts. */
function setTotal(counter: Counter, total: number): void {
  counter.reset();
  counter.inc(total);
}

function toLabels({ service, method }: ObservedCall): LabelValues<'service' | 'method'> {
  return { service, method };
}
