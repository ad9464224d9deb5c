import type { ScriptHead } from './programHead';

/** Maximum number of bytes of the first line that systems read. */
const MAX_LINE_LENGTH = 256;

/**
 * Parses the head of a script that specifies its interpreter; returns undefined for other files.
 */
export function readScriptHead(head: Uint8Array): ScriptHead | undefined {
  if (head[0] !== 0x23 || head[1] !== 0x21) return undefined;
  const [line = ''] = new TextDecoder().decode(head.subarray(2, MAX_LINE_LENGTH)).split('\n');
  return {
    kind: 'script',
    interpreter: line.trim(),
    hasCarriageReturn: line.endsWith('\r'),
  };
}
