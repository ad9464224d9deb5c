import { onAbort } from './cancellation';

/** Clock that tests can replace. */
export interface Clock {
  now(): Date;
}

/** Waits for `milliseconds`; rejects with the signal's reason when it aborts first. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const systemClock: Clock = { now: () => new Date() };

export const systemSleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      following?.dispose();
      resolve();
    }, milliseconds);
    const following =
      signal &&
      onAbort(signal, () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      });
  });
