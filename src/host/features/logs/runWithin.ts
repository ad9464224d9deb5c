import { createContext, runInContext } from 'node:vm';

const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Runs a function and interrupts it, at any point, when the time limit expires. Returns undefined
 * if the function was interrupted.
 */
export type RunWithin = <T>(job: () => T) => { readonly result: T } | undefined;

/**
 * Returns a function that runs trusted functions with a time limit. V8 can interrupt a script that
 * `node:vm` runs, and everything that the script calls, even inside a regular expression.
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
      if (getErrorCode(error) !== TIMED_OUT) throw error;
    } finally {
      context.job = () => undefined;
    }
    return done;
  };
}

function getErrorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
