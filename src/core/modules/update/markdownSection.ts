const HEADING = /^(#{1,6})[ \t]+(\S.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/**
 * Characters that are removed from anchors: all except letters, digits, spaces, dashes, and
 * underscores.
 */
const NOT_IN_ANCHOR = /[^\p{L}\p{N}\p{M} _-]/gu;

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly anchor: string;
}

/**
 * Returns the section of a Markdown text that starts with a heading, up to the next heading of the
 * same or a higher level; undefined if the text has no such heading.
 *
 * @param anchor as in links after `#`: lowercase, with dashes instead of spaces, and with `-1` for
 *   the second heading with the same name
 */
export function markdownSection(text: string, anchor: string): string | undefined {
  const lines = text.split('\n');
  const headings = parseHeadings(lines);
  const index = headings.findIndex((heading) => heading.anchor === anchor.toLowerCase());
  const start = headings[index];
  if (!start) return undefined;
  const end = headings.slice(index + 1).find(({ level }) => level <= start.level);
  return lines.slice(start.line, end?.line).join('\n').trim();
}

function parseHeadings(lines: readonly string[]): readonly Heading[] {
  const seen = new Map<string, number>();
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (const [line, text] of lines.entries()) {
    const [, mark] = FENCE.exec(text) ?? [];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
    }
    const [, marks, title] = fence === undefined ? (HEADING.exec(text.trimEnd()) ?? []) : [];
    if (marks === undefined || title === undefined) continue;
    const name = toAnchor(withoutClosing(title));
    const earlier = seen.get(name) ?? 0;
    seen.set(name, earlier + 1);
    headings.push({
      line,
      level: marks.length,
      anchor: earlier === 0 ? name : `${name}-${String(earlier)}`,
    });
  }
  return headings;
}

/** Removes the optional closing marks of a heading. */
function withoutClosing(title: string): string {
  let end = title.length;
  while (title.charAt(end - 1) === '#') end -= 1;
  return title.slice(0, end).trimEnd();
}

function toAnchor(title: string): string {
  return title.toLowerCase().replace(NOT_IN_ANCHOR, '').trim().replaceAll(' ', '-');
}
