import { EXIT_FAILED } from './commandError';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Waits for the first request to stop, which is either a system signal or a call of `request`. */
export class StopRequest {
  readonly #requested = Promise.withResolvers<string>();
  #signalled = false;

  /** Starts listening for system signals. A second signal terminates the process immediately. */
  constructor() {
    for (const name of STOP_SIGNALS) {
      process.on(name, () => {
        if (this.#signalled) {
          process.exit(EXIT_FAILED);
        }
        this.#signalled = true;
        this.request(name);
      });
    }
  }

  /** Resolves with the reason to stop. */
  get reason(): Promise<string> {
    return this.#requested.promise;
  }

  request(reason: string): void {
    this.#requested.resolve(reason);
  }
}
