import type { AnsiSpan } from '../../src/shared/logs';
import { element } from '../ui/elements';

/** Start and end offset of a range of text. */
type Range = readonly [start: number, end: number];

/**
 * Creates the nodes for text, with the colors that the machine specified and with filter matches
 * highlighted.
 */
export function renderStyledText(
  text: string,
  styles: readonly AnsiSpan[] = [],
  matches: readonly Range[] = [],
): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let end = 0;
  for (const [from, to] of matches) {
    if (from < end || to <= from) continue;
    nodes.push(...renderColoredText(text, styles, [end, from]));
    nodes.push(element('mark', {}, ...renderColoredText(text, styles, [from, to])));
    end = to;
  }
  nodes.push(...renderColoredText(text, styles, [end, text.length]));
  return nodes;
}

function renderColoredText(
  text: string,
  styles: readonly AnsiSpan[],
  [start, end]: Range,
): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let at = start;
  for (const style of styles) {
    const [from, to] = [Math.max(style.start, at), Math.min(style.end, end)];
    if (to <= from) continue;
    nodes.push(text.slice(at, from));
    nodes.push(element('span', { class: getAnsiClasses(style) }, text.slice(from, to)));
    at = to;
  }
  nodes.push(text.slice(at, end));
  return nodes.filter((node) => node !== '');
}

function getAnsiClasses({ color, background, ...attributes }: AnsiSpan): string {
  return [
    ...(color === undefined ? [] : [`ansi-color-${color}`]),
    ...(background === undefined ? [] : [`ansi-background-${background}`]),
    ...(['bold', 'dim', 'italic', 'underline'] as const)
      .filter((name) => attributes[name] === true)
      .map((name) => `ansi-${name}`),
  ].join(' ');
}
