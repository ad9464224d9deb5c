import type { ScriptHead } from './programHead';

/** Systems read no more of the first line than that. */
const LONGEST_LINE = 256;

/** The head of a script that names what runs it; undefined when it is none. */
export function readScriptHead(head: Uint8Array): ScriptHead | undefined {
  if (head[0] !== 0x23 || head[1] !== 0x21) return undefined;
  const [line = ''] = new TextDecoder().decode(head.subarray(2, LONGEST_LINE)).split('\n');
  return {
    kind: 'script',
    interpreter: line.trim(),
    hasCarriageReturn: line.endsWith('\r'),
  };
}
