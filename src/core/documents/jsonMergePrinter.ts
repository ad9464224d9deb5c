import { type JsonValue, getSource } from './jsonTree';

/** Result of a merge: values copied as written, in containers that are formatted again. */
export type Merged =
  | { readonly kind: 'copy'; readonly value: JsonValue }
  | {
      readonly kind: 'object';
      /** Container whose layout the result follows. */
      readonly like: JsonValue;
      readonly members: readonly { readonly keyText: string; readonly value: Merged }[];
    }
  | { readonly kind: 'list'; readonly like: JsonValue; readonly elements: readonly Merged[] };

const DEFAULT_INDENT = '  ';

/** Formats a merge with the indentation, the line breaks, and the surrounding text of `mine`. */
export function printMerged(merged: Merged | undefined, { mine }: { mine: string }): string {
  const unit = /\n([ \t]+)\S/.exec(mine)?.[1] ?? DEFAULT_INDENT;
  const [, before = '', after = ''] = /^(\s*)[^]*?(\s*)$/.exec(mine) ?? [];
  const printed = merged ? print(merged, '', unit) : '{}';
  const eol = mine.includes('\r\n') ? '\r\n' : '\n';
  return before + printed.replace(/\r?\n/g, eol) + after;
}

function print(merged: Merged, indent: string, unit: string): string {
  switch (merged.kind) {
    case 'copy':
      return reindent(merged.value, indent);
    case 'object':
      return printContainer(merged.like, '{}', indent, unit, (inner) =>
        merged.members.map(({ keyText, value }) => `${keyText}: ${print(value, inner, unit)}`),
      );
    case 'list':
      return printContainer(merged.like, '[]', indent, unit, (inner) =>
        merged.elements.map((element) => print(element, inner, unit)),
      );
  }
}

/**
 * Prints the container on one line if the original is on one line and no value contains line
 * breaks; otherwise, prints one entry per line.
 */
function printContainer(
  like: JsonValue,
  brackets: '{}' | '[]',
  indent: string,
  unit: string,
  contents: (indent: string) => string[],
): string {
  const [open, close] = [brackets[0], brackets[1]];
  const inner = indent + unit;
  const parts = contents(inner);
  if (parts.length === 0) return brackets;
  const layout = getSource(like);
  const empty = /^.\s*.$/s.test(layout);
  if (!empty && ![layout, ...parts].some((text) => text.includes('\n'))) {
    const padding = /^. /.test(layout) ? ' ' : '';
    return `${open}${padding}${parts.join(', ')}${padding}${close}`;
  }
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}

/** Returns a value as written, with all lines except the first one reindented to `indent`. */
function reindent(value: JsonValue, indent: string): string {
  const lineStart = value.text.lastIndexOf('\n', value.node.offset) + 1;
  const from = /^[ \t]*/.exec(value.text.slice(lineStart))?.[0] ?? '';
  const [first = '', ...rest] = getSource(value).split(/\r?\n/);
  const moved = rest.map(
    (line) => indent + (line.startsWith(from) ? line.slice(from.length) : line.trimStart()),
  );
  return [first, ...moved].join('\n');
}
