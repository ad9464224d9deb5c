import { createContext, runInContext } from 'node:vm';

const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** Runs a function that is stopped wherever it is once its time is over; then it answers undefined. */
export type RunWithin = <T>(job: () => T) => { readonly result: T } | undefined;

/**
 * Runs functions of this program, none of others, with a limit: V8 interrupts a script that `node:vm` runs, and all
 * that it calls, also inside a regular expression.
 */
export function runnerWithin(milliseconds: number): RunWithin {
  const context: { job: () => unknown } = { job: () => undefined };
  createContext(context);
  return <T>(job: () => T) => {
    let done: { readonly result: T } | undefined;
    context.job = () => {
      done = { result: job() };
    };
    try {
      runInContext('job()', context, { timeout: milliseconds });
    } catch (error) {
      if (codeOf(error) !== TIMED_OUT) throw error;
    } finally {
      context.job = () => undefined;
    }
    return done;
  };
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
