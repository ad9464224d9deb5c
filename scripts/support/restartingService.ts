import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceExit, type ServiceProcess, startService } from './serviceProcess';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** Uptime in milliseconds after which a service's restart delay is reset. */
const STABLE_MS = 60_000;

/** A service that is restarted at the same address when its process exits. */
export type RestartingService = Pick<ServiceProcess, 'url' | 'credentialsFile' | 'stop'>;

export interface RestartOptions {
  /** Absolute path of the file to which the service appends its log each time it starts. */
  logFile: string;
  /** Shows the user a line on the terminal. */
  report: (line: string) => void;
  start?: typeof startService;
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  now?: () => number;
}

const waitUnlessStopped = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  sleep(milliseconds, undefined, { signal });

/**
 * Starts the service and, until `stop` is called, restarts it with a growing delay whenever it
 * exits. The service always restarts on the port of its first start, so that clients can reconnect.
 *
 * @throws Error with the log output if the first start fails
 */
export async function startRestartingService(
  options: readonly string[],
  {
    logFile,
    report,
    start = startService,
    wait = waitUnlessStopped,
    now = () => Date.now(),
  }: RestartOptions,
): Promise<RestartingService> {
  const stopping = new AbortController();
  let current = await start(options, { logFile });
  const { url, credentialsFile } = current;
  const again = [...options, '--port', new URL(url).port];

  async function supervise(): Promise<void> {
    let delay = FIRST_DELAY_MS;
    for (;;) {
      const started = now();
      const exit = await current.ended;
      if (stopping.signal.aborted) return;
      if (now() - started >= STABLE_MS) delay = FIRST_DELAY_MS;
      report(`The fleet service exited ${formatExit(exit)}. Its log is ${logFile}.`);
      for (let isRunning = false; !isRunning; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
        report(`Starting it again in ${delay / 1000} s.`);
        await wait(delay, stopping.signal);
        isRunning = await restart();
      }
    }
  }

  async function restart(): Promise<boolean> {
    try {
      const next = await start(again, { logFile });
      if (stopping.signal.aborted) await next.stop();
      current = next;
      report(`The fleet service is running again at ${url}.`);
      return true;
    } catch {
      report(`The fleet service could not be started. Its log is ${logFile}.`);
      return false;
    }
  }

  const supervision = supervise().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    url,
    credentialsFile,
    stop: async () => {
      stopping.abort();
      await current.stop();
      await supervision;
    },
  };
}

function formatExit({ code, signal }: ServiceExit): string {
  return signal === null ? `with code ${code}` : `because of ${signal}`;
}
