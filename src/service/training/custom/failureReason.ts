import type { ScriptEnd } from './scriptRun';

const MISSING_PACKAGE = /^ModuleNotFoundError: No module named '([\w.]+)'/;
const MAX_REASON_LENGTH = 1_000;

/**
 * Explains to the submitter why a script didn't produce a model.
 * @param output last relevant output, such as the exception that terminated the script.
 */
export function failureReason({ code, signal }: ScriptEnd, output: string | undefined): string {
  const how =
    signal === null
      ? `The training script exited with code ${String(code)}`
      : `The training script was terminated by ${signal}`;
  if (output === undefined) return `${how} without an error message.${adviceFor(signal, '')}`;
  const reason =
    output.length > MAX_REASON_LENGTH ? `${output.slice(0, MAX_REASON_LENGTH)}…` : output;
  const end = /[.!?…]$/.test(reason) ? '' : '.';
  return `${how}: ${reason}${end}${adviceFor(signal, output)} See its log for details.`;
}

function adviceFor(signal: ScriptEnd['signal'], output: string): string {
  const missing = MISSING_PACKAGE.exec(output)?.[1]?.split('.')[0];
  if (missing !== undefined) {
    return ` Training scripts use the Python packages of the computer that runs the service. Install ${missing} there, or change the script to work without it.`;
  }
  if (signal === 'SIGKILL' || output.startsWith('MemoryError')) {
    return ' The computer might have run out of memory. Change the script to read fewer or smaller images at a time.';
  }
  return '';
}
