import type { ScriptEnd } from './scriptRun';

const MISSING_PACKAGE = /^ModuleNotFoundError: No module named '([\w.]+)'/;
const MAX_REASON_LENGTH = 1_000;

/**
 * Explains to the submitter why a script didn't produce a model.
 * @param said last relevant output, such as the exception that terminated the script.
 */
export function failureReason({ code, signal }: ScriptEnd, said: string | undefined): string {
  const how =
    signal === null
      ? `The training script exited with code ${String(code)}`
      : `The training script was terminated by ${signal}`;
  if (said === undefined) return `${how} without an error message.${adviceFor(signal, '')}`;
  const reason = said.length > MAX_REASON_LENGTH ? `${said.slice(0, MAX_REASON_LENGTH)}…` : said;
  const end = /[.!?…]$/.test(reason) ? '' : '.';
  return `${how}: ${reason}${end}${adviceFor(signal, said)} See its log for details.`;
}

function adviceFor(signal: ScriptEnd['signal'], said: string): string {
  const missing = MISSING_PACKAGE.exec(said)?.[1]?.split('.')[0];
  if (missing !== undefined) {
    return ` Training scripts use the Python packages of the computer that runs the service. Install ${missing} there, or change the script to work without it.`;
  }
  if (signal === 'SIGKILL' || said.startsWith('MemoryError')) {
    return ' The computer might have run out of memory. Change the script to read fewer or smaller images at a time.';
  }
  return '';
}
